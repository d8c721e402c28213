// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_FormatFiles_h
#define files_base_FormatFiles_h

#include <filesystem>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** The files of a format. Some image formats keep the header and the voxels in two files, of which the command line
 * names only one. */

/** Returns whether a name has an ending such as ".nii.gz", in letters of either case. */
bool
HasEnding(const std::filesystem::path & path, const std::string & ending);

/** Returns the files that are written for a name, the named one first: c.mhd and c.raw for c.mhd. */
std::vector<std::filesystem::path>
FilesToWrite(const std::filesystem::path & path);

/** Returns the files that are read for a name, the named one first: for c.mhd also the file that its header names, if
 * there is a header, and it names one. */
std::vector<std::filesystem::path>
FilesToRead(const std::filesystem::path & path);

} // namespace cudaneuro::files

#endif
