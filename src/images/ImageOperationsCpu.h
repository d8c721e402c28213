// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageOperationsCpu_h
#define cudaneuro_images_ImageOperationsCpu_h

#include "images/ImageOperationsFormulas.h"

/** On the CPU; volumes are in host memory. */
namespace cudaneuro::cpu
{

/** WriteGradient at every voxel; \p components is 2 or 3, those of a voxel side by side. */
void
ImageGradient(Context &            context,
              const Extent &       extent,
              const VectorMatrix & matrix,
              const float *        input,
              unsigned int         components,
              float *              output);

/** Shrinking::ValueAt at every voxel of the output. */
void
ShrinkVolume(Context & context, const Shrinking & shrinking, const float * input, float * output);

/** VolumeStatistics of images/ImagePrimitives.h. */
ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask);

} // namespace cudaneuro::cpu

#endif
