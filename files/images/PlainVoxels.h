// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_PlainVoxels_h
#define files_images_PlainVoxels_h

#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::files
{

struct OpenedImage;

/** The place of voxels that are plain numbers one after the other, as in NIfTI and in FreeSurfer's volumes. The file
 * holds the first value of all voxels, then the second of all. */
struct PlainVoxels
{
  std::string path;
  /** What the file holds before the voxels. Where it is a gzip file, decompressed bytes are counted. */
  std::uint64_t offset = 0;
  /** All that the header announces, with what is before the voxels. */
  std::uint64_t wholeBytes = 0;
  bool          isCompressed = false;
  /** Whether the numbers have the other order of bytes than those of this machine. */
  bool isSwapped = false;
  /** Where the file is scaled, its values are slope times the stored number plus intercept. */
  bool   isScaled = false;
  double slope = 1.0;
  double intercept = 0.0;
  /** Empty, or what each component of a voxel is multiplied by. */
  std::vector<double> factors;
};

/** Sets wholeBytes of an image, and checks that the file can hold so many.
 * \param headerPath the file that names the one with the voxels, which may be the same
 * \throws UserError that names the files */
void
CheckSize(OpenedImage & image, const std::string & headerPath);

/** Makes values of the bytes of an image's voxels, with the components of a voxel side by side.
 * \param values room for as many numbers as the image has */
template <typename TValue>
void
ConvertPlainVoxels(const OpenedImage & image, const char * bytes, TValue * values);

/** Reads the values of an image of plain voxels, with the components of a voxel side by side.
 * \param values room for as many numbers as the image has
 * \throws UserError that names the file when it is cut short or damaged, Interrupted */
template <typename TValue>
void
ReadPlainVoxels(const OpenedImage & image, TValue * values);

} // namespace cudaneuro::files

#endif
