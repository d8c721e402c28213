// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_NiftiHeader_h
#define apps_files_NiftiHeader_h

#include "files/InputImage.h"

#include <cstdint>
#include <string>

/** The voxels of a NIfTI-1 or Analyze 7.5 file. */
struct NiftiLayout
{
  InputImage file;
  /** The standard's code of the type of a number, and its bytes. */
  int         datatype = 0;
  std::size_t bytesPerNumber = 0;
  /** Numbers of a voxel. The file holds the first one of all voxels, then the second one of all. */
  std::uint64_t components = 1;
  std::uint64_t voxels = 0;
  /** What a number stands for is slope times it plus intercept, where it is scaled. */
  bool   isScaled = false;
  double slope = 1.0;
  double intercept = 0.0;
  /** Whether the bytes of numbers are in the other order than this machine's. */
  bool isSwapped = false;
  /** Whether the file with the voxels is a gzip file, the offset being that of what it holds. */
  bool isCompressed = false;
};

/** Checks the header of a NIfTI-1 file (.nii, or a pair of .hdr and .img, each of which may be compressed) or of an
 * Analyze 7.5 pair.
 * \param path the file, or either one of a pair
 * \throws ProgramError that names the file, the field and the value that cannot be right */
NiftiLayout
CheckNifti(const std::string & path);

#endif
