// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageOperations_h
#define cudaneuro_images_ImageOperations_h

#include "core/Dispatch.h"
#include "images/ImageOperationsFormulas.h"

/** Operations on volumes in memory of the context's device. On a GPU, they are enqueued on the compute stream. */
namespace cudaneuro
{

/** Arguments of the gradient of a volume at every voxel, in the directions of WriteGradient's matrix. */
struct VolumeGradient
{
  Extent        extent;
  VectorMatrix  matrix{};
  const float * input = nullptr;
  /** The number of components of a gradient, 2 or 3, which are stored interleaved. */
  unsigned int components = 3;
  float *      output = nullptr;
};

CUDANEURO_ON_BOTH(void ComputeGradient(Context & context, const VolumeGradient & gradient));

CUDANEURO_ON_BOTH(
  void ShrinkVolume(Context & context, const Shrinking & shrinking, const float * input, float * output));

} // namespace cudaneuro

#endif
