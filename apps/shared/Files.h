// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_Files_h
#define apps_shared_Files_h

/** The programs use the names of the library of files without its namespace. */
namespace cudaneuro::files
{
}
using namespace cudaneuro::files;

#endif
