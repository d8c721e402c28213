// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_DistinctNames_h
#define files_output_DistinctNames_h

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Returns names for the outputs of files: their own without folder and ending, with a number if several are the same.
 * They differ in more than the case of letters, which some file systems ignore. */
std::vector<std::string>
DistinctNames(const std::vector<std::string> & paths);

/** Returns whether a name in a list can be part of the name of a file or a folder: it must not contain folders. */
bool
IsPartOfFileName(const std::string & name);

} // namespace cudaneuro::files

#endif
