// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePrimitives_h
#define cudaneuro_images_ImagePrimitives_h

#include "core/SoAField.h"
#include "cudaneuro/ImageOperations.h"
#include "cudaneuro/ImageStatistics.h"

/** Operations on volumes of float in the memory of the context's device. On a GPU they are only enqueued on the compute
 * stream, unless they return a value; the device must be current. None reports progress. */
namespace cudaneuro
{

/** Convolution of volumes with a Gaussian of sigma voxels along each axis; input and output may be the same. \p scratch
 * is a volume of its own. */
void
SmoothVolume(Context &                     context,
             const Extent &                extent,
             const std::array<double, 3> & sigma,
             Boundary                      boundary,
             const float *                 input,
             float *                       output,
             float *                       scratch);

/** Statistics of volumes of float; \p mask may be null. */
ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask);

} // namespace cudaneuro

#endif
