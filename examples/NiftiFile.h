// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NiftiFile_h
#define NiftiFile_h

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/** Where the voxels of a NIfTI-1 file are, and what they are. */
struct NiftiLayout
{
  /** The standard's code of the type of a voxel. */
  int datatype = 0;
  /** Bytes before the voxels, and of them. */
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytesPerVoxel = 0;
  /** What a voxel stands for is slope times it plus intercept; a slope of 0 means that it stands for itself. */
  double slope = 0.0;
  double intercept = 0.0;
  /** Whether the bytes of numbers are in the other order than this machine's. */
  bool isSwapped = false;
  /** Whether the voxels are in the header's file, rather than in one that ends with .img. */
  bool isOneFile = true;
};

/** \return nothing for what is no NIfTI-1 file. */
std::optional<NiftiLayout>
ReadNiftiLayout(const std::string & path);

/** Reads the voxels of a file that is one with its header, plain or compressed, once and from front to back. A function
 * is called with them, whole voxels in this machine's order of bytes, block by block.
 * \throws std::runtime_error when there are fewer than the header announces; Interrupted */
void
ReadNiftiVoxels(const std::string &                                               path,
                const NiftiLayout &                                               layout,
                const std::function<void(const char * data, std::size_t bytes)> & use);

/** Tells whether a NIfTI-1 file, plain or compressed, holds all the voxels that its header announces. The library that
 * reads such files fills in zeros and says nothing where they end early, as it does when the disk is full.
 * \return how many bytes there are and how many there should be; nothing when all is well, or for another format */
std::string
FindMissingBytes(const std::string & niftiPath);

#endif
