// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiHeader_h
#define files_images_NiftiHeader_h

#include "files/images/InputImage.h"

#include <cstdint>
#include <string>

/** The voxels of a NIfTI-1 or Analyze 7.5 file. */
struct NiftiLayout
{
  InputImage file;
  /** The standard's code of the type of a number, and its size in bytes. */
  int         datatype = 0;
  std::size_t bytesPerNumber = 0;
  /** Number of values a voxel. The file holds the first value of all voxels, then the second of all. */
  std::uint64_t components = 1;
  std::uint64_t voxels = 0;
  /** Where the file is scaled, its values are slope times the stored number plus intercept. */
  bool   isScaled = false;
  double slope = 1.0;
  double intercept = 0.0;
  /** Whether the byte order of the file is not that of this machine. */
  bool isSwapped = false;
  /** Whether the file with the voxels is a gzip file. The offset counts decompressed bytes. */
  bool isCompressed = false;
};

/** Checks the header of a NIfTI-1 file (.nii, or a pair of .hdr and .img, each of which may be compressed) or of an
 * Analyze 7.5 pair.
 * \param path the file, or either one of a pair
 * \throws UserError that names the file, the field and the value that cannot be right */
NiftiLayout
CheckNifti(const std::string & path);

#endif
