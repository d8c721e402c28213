// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryBuffers_h
#define cudaneuro_landmarks_TrajectoryBuffers_h

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

namespace cudaneuro
{

/** What goes to the device for a call, in one copy: the counter of the grid's barrier and the marks of stages, which are 0, the
 * evaluations' targets, and their momenta. Numbers are where parts begin. */
struct UploadLayout
{
  static constexpr std::size_t arrivals = 0;
  /** The counter has cache lines of its own. */
  static constexpr std::size_t marks = 256;
  std::size_t                  targets;
  std::size_t                  momenta;
  std::size_t                  bytes;

  UploadLayout(std::size_t evaluations, std::size_t stages, std::size_t numbersOfPoints)
    : targets(marks + evaluations * (stages + 1) * sizeof(int))
    , momenta(RoundUp(targets + evaluations * sizeof(int), std::size_t{ 256 }))
    , bytes(momenta + evaluations * numbersOfPoints * sizeof(double))
  {}
};

/** Device memory for a number of evaluations at once: see TrajectoryArguments. */
template <typename T>
struct TrajectoryBuffers
{
  std::size_t           evaluations = 0;
  DeviceBuffer<char>    upload;
  DeviceBuffer<char>    download;
  DeviceBuffer<T>       states;
  DeviceBuffer<T>       boxes;
  DeviceBuffer<T>       adjoints;
  DeviceBuffer<T>       carried;
  DeviceBuffer<T>       sums;
  DeviceBuffer<T>       firstSlopes;
  std::shared_ptr<void> pinnedUpload;
  std::shared_ptr<void> pinnedDownload;
};

} // namespace cudaneuro

#endif
