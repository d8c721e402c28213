// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_GaussianSmoothingGpu_h
#define cudaneuro_images_GaussianSmoothingGpu_h

#include "core/SoAField.h"
#include "images/GaussianWeights.h"

namespace cudaneuro::gpu
{

/** Enqueues the convolution of a volume with a Gaussian on the compute stream; \p input may be \p output, \p scratch is
 * a volume of its own. */
void
SmoothVolume(Context &               context,
             const Extent &          extent,
             const GaussianWeights & weights,
             Boundary                boundary,
             const float *           input,
             float *                 scratch,
             float *                 output);

} // namespace cudaneuro::gpu

#endif
