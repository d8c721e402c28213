// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_FormatFiles_h
#define files_base_FormatFiles_h

#include <filesystem>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Which files a format consists of. Some image formats keep the header and the voxels in two files, of which only
 * one is named on the command line. */

/** Whether a name has an ending such as ".nii.gz", in letters of either case. */
bool
HasEnding(const std::filesystem::path & path, const std::string & ending);

/** The files that are written for a name, the named one first: c.mhd and c.raw for c.mhd. */
std::vector<std::filesystem::path>
FilesToWrite(const std::filesystem::path & path);

/** The files that are read for a name, the named one first: c.mhd and the file that it names for c.mhd. Only the name
 * itself where the file is missing or names no other. */
std::vector<std::filesystem::path>
FilesToRead(const std::filesystem::path & path);

} // namespace cudaneuro::files

#endif
