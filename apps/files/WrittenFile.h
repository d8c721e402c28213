// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_WrittenFile_h
#define apps_files_WrittenFile_h

#include <cstdint>
#include <string>

/** Whether files that were just written hold all that was to be written. Several writers of ITK say nothing when the disk
 * is full. */

/** For an image whose voxels take so many bytes, uncompressed or compressed by gzip as a whole: the file's size, or what
 * gzip noted of it, is that of header and voxels.
 * \throws std::runtime_error */
void
RequireWholeImage(const std::string & path, std::uint64_t bytesOfVoxels);

/** For a transform file, .h5 or .hdf5, or text with so many parameters, fixed and others.
 * \throws std::runtime_error */
void
RequireWholeTransform(const std::string & path, std::uint64_t numberOfParameters);

#endif
