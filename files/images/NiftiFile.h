// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiFile_h
#define files_images_NiftiFile_h

#include "files/images/NiftiHeader.h"
#include "itkCommonEnums.h"

#include <cstdint>
#include <string>
#include <vector>

/** NIfTI-1, NIfTI-2 (.nii, or a pair of .hdr and .img, each of which may be compressed) and Analyze 7.5. ITK's reader would set NaN
 * and infinite numbers to 0, round integers of 32 bits to float before it scales them, compute places in float, and decompress
 * a second time after the check that no voxel is missing. */

/** A file whose header was read and checked. */
struct NiftiFile
{
  std::string headerPath;
  /** The file with the voxels, which may be the same, and what it holds before them. */
  std::string   dataPath;
  std::uint64_t offset = 0;
  /** All that the header announces, with what is before the voxels. */
  std::uint64_t wholeBytes = 0;
  /** Whether it is a gzip file. The offset counts decompressed bytes. */
  bool        isCompressed = false;
  NiftiHeader header{ 1 };
  /** Bytes between header and voxels, in the order of bytes of this machine. */
  std::string extensions;
  /** The axes as the header has them, but those of size 1 at the end, and a fifth axis of vectors. */
  std::vector<std::uint64_t> size;
  /** Number of values a voxel. The file holds the first value of all voxels, then the second of all. */
  std::uint64_t        components = 1;
  std::uint64_t        voxels = 0;
  itk::IOComponentEnum type = itk::IOComponentEnum::FLOAT;
  /** Where the file is scaled, its values are slope times the stored number plus intercept. */
  bool   isScaled = false;
  double slope = 1.0;
  double intercept = 0.0;
  /** Empty, or what each component of a voxel is multiplied by. */
  std::vector<double> factors;
};

/** Reads and checks a header.
 * \param path the file, or either one of a pair
 * \throws UserError that names the file, the field and the value that cannot be right */
NiftiFile
OpenNifti(const std::string & path);

/** What an intent code stands for, as "displacement vectors", where vectors are concerned; else "intent N". */
std::string
NameOfIntent(std::int64_t intent);

/** Reads the values, with the components of a voxel side by side.
 * \param values room for as many numbers as the file has
 * \throws UserError that names the file when it is cut short or damaged, Interrupted */
template <typename TValue>
void
ReadNiftiVoxels(const NiftiFile & file, TValue * values);

#endif
