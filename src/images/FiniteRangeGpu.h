// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_FiniteRangeGpu_h
#define cudaneuro_images_FiniteRangeGpu_h

#include "cudaneuro/ImageStatistics.h"

namespace cudaneuro::gpu
{

/** cudaneuro::ComputeFiniteRange on a CUDA device. */
std::array<double, 2>
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input);

} // namespace cudaneuro::gpu

#endif
