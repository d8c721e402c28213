// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HostToHost_h
#define HostToHost_h

#include "Cases.h"
#include "Timing.h"

#include <functional>
#include <vector>

namespace cudaneuro::benchmark
{

/** An ITK filter on itk::Image<float, 3>, and the kernel case that computes the same. */
struct HostToHostCase
{
  Case kernel;

  /** Returns the median wall-clock milliseconds of Update() from the second on.
   * \param pinnedInput puts the input images into page-locked memory, else into ordinary memory. */
  std::function<double(const Repetition &, const Device &, const Size &, bool pinnedInput)> time;

  /** Bytes a voxel that are copied to the device. */
  double bytesUp = 4.0;
  /** Bytes a voxel that are copied from the device. */
  double bytesDown = 4.0;
};

std::vector<HostToHostCase>
HostToHostCases();

} // namespace cudaneuro::benchmark

#endif
