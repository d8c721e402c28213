// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparationGpu_h
#define cudaneuro_images_ImagePreparationGpu_h

#include "images/ImagePreparation.h"

/** As in ImagePreparation.h. */
namespace cudaneuro::gpu
{

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image);

void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask);

void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight);

void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float * image);

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume);

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          float                 minimum,
          float                 binsPerUnit,
          int                   bins);

} // namespace cudaneuro::gpu

#endif
