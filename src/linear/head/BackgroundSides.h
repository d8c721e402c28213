// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_head_BackgroundSides_h
#define cudaneuro_linear_head_BackgroundSides_h

#include "cudaneuro/Context.h"
#include "metrics/MetricEvaluator.h"

namespace cudaneuro
{

/** The sides at which an image ends in background: where the mean over the side is at most half of the mean over
 * the image, both measured from \p least. Means are over at most 32 evenly spaced voxels along each axis. Voxels
 * where \p mask, which may be null, is 0 are excluded; a side without other voxels is no background. Inside
 * RunDeviceJob.
 * \param image in memory of the context's device, as the mask is */
GridSides
SidesInBackground(
  Context & context, const Extent & extent, const float * image, const unsigned char * mask, double least);

} // namespace cudaneuro

#endif
