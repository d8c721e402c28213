// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImageStatistics_h
#define cudaneuro_images_ImageStatistics_h

#include "cudaneuro/ImageStatistics.h"
#include "core/Dispatch.h"

namespace cudaneuro
{

/** Computes statistics of a volume in memory of the context's device. \p mask may be null. */
CUDANEURO_DISPATCHED(ImageStatistics VolumeStatistics(
  Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask));

} // namespace cudaneuro

#endif
