// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_RobustMean_h
#define cudaneuro_atlas_means_RobustMean_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"

#include <cstdint>

namespace cudaneuro
{

/** The arguments of a robust mean; all pointers are to memory of the context's device. */
struct RobustMeanArguments
{
  std::int64_t voxels = 0;
  int          images = 0;
  /** Value of voxel i in image k: values[k * stride + i]. Infinite values and NaN are excluded. */
  const float * values = nullptr;
  std::int64_t  stride = 0;
  /** One for each image, finite and not negative; an image of weight 0 is excluded. Weights are rounded to multiples of
   * the largest one's 2^-29 / images or less. */
  const float * weights = nullptr;
  /** The fraction of the weight of the values at a voxel that is excluded at each end; 0 to below 0.5. */
  double trimmedFraction = 0.0;
  /** Whether the output is the median instead: the mean of the lower and the upper weighted median. */
  bool isMedian = false;
  /** One float per voxel; NaN where all images are excluded. */
  float * output = nullptr;
};

/** The weighted trimmed mean, or median, of images at each voxel. Images at the ends of the kept range may be excluded
 * with a part of their weight, so that an image of weight 2 counts as two images of weight 1. The bits of the result do
 * not depend on the images' order. On a CUDA device it is enqueued on the compute stream.
 * \throws InvalidParameterError, OutOfMemoryError */
CUDANEURO_DISPATCHED(void RobustMean(Context & context, const RobustMeanArguments & arguments));

/** RobustMean of one voxel or more, and of what has been checked. */

} // namespace cudaneuro

#endif
