// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_DistinctNames_h
#define files_output_DistinctNames_h

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Names for the outputs of files: their own without folder and ending, with a number where several have the same. They
 * differ in more than the case of letters, which some file systems ignore. */
std::vector<std::string>
DistinctNames(const std::vector<std::string> & paths);

/** Whether a name that a list gives can be part of the name of a file or a folder: without folders of its own. */
bool
IsPartOfFileName(const std::string & name);

} // namespace cudaneuro::files

#endif
