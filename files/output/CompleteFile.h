// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_CompleteFile_h
#define files_output_CompleteFile_h

#include <cstdint>
#include <string>

namespace cudaneuro::files
{

/** Checks that written files are complete. Several writers of ITK report nothing when the disk is full. */

/** Checks that the size of an image file is that of header and voxels.
 * \throws std::runtime_error */
void
RequireWholeImage(const std::string & path, std::uint64_t bytesOfVoxels);

/** Checks a transform file: .h5, .hdf5 or .mat, or text with as many parameters and fixed parameters as given.
 * \throws std::runtime_error */
void
RequireWholeTransform(const std::string & path, std::uint64_t numberOfParameters);

} // namespace cudaneuro::files

#endif
