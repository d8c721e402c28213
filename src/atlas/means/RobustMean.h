// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_RobustMean_h
#define cudaneuro_atlas_means_RobustMean_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"

#include <cstdint>

namespace cudaneuro
{

/** What a robust mean is made of; all pointers are to memory of the context's device. */
struct RobustMeanArguments
{
  std::int64_t voxels = 0;
  int          images = 0;
  /** Value of voxel i in image k: values[k * stride + i]. What is infinite or NaN takes no part. */
  const float * values = nullptr;
  std::int64_t  stride = 0;
  /** One for each image, finite and not negative; an image of weight 0 takes no part. Weights are rounded to
   * multiples of the largest one's 2^-29 / images or less. */
  const float * weights = nullptr;
  /** The fraction of the weight of the values at a voxel that is left out at each end; 0 to below 0.5. */
  double trimmedFraction = 0.0;
  /** The median instead: the mean of the lower and the upper weighted median. */
  bool isMedian = false;
  /** One float for each voxel; NaN where no image takes part. */
  float * output = nullptr;
};

/** The weighted trimmed mean, or median, of images at each voxel. Of the images at the ends of what is kept, part of
 * the weight may be left out, so that an image of weight 2 counts as two images of weight 1. The result has the same
 * bits in whatever order the images are. On a CUDA device it is enqueued on the compute stream.
 * \throws InvalidParameterError, OutOfMemoryError */
CUDANEURO_DISPATCHED(void RobustMean(Context & context, const RobustMeanArguments & arguments));

/** RobustMean of one voxel or more, and of what has been checked. */

} // namespace cudaneuro

#endif
