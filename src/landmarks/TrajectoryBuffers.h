// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryBuffers_h
#define cudaneuro_landmarks_TrajectoryBuffers_h

#include "cuda/GpuContext.h"

namespace cudaneuro
{

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

/** Evaluations in flight on the device, or memory for them. */
template <typename T>
struct TrajectorySlot
{
  TrajectoryBuffers<T> buffers;
  bool                 isUnderWay = false;
  /** Events before and after the kernel, which measure its time. */
  Event begin{ cudaEventDefault };
  Event end{ cudaEventDefault };
  /** Recorded once the results are in page-locked memory. */
  Event downloaded;
};

} // namespace cudaneuro

#endif
