// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_GaussianSmoothingCpu_h
#define cudaneuro_images_GaussianSmoothingCpu_h

#include "core/SoAField.h"
#include "images/GaussianWeights.h"

namespace cudaneuro::cpu
{

/** Convolution of a volume with a Gaussian; \p input may be \p output, \p scratch is a volume of its own.
 * \throws Aborted, OutOfMemoryError */
void
SmoothVolume(Context &               context,
             const Extent &          extent,
             const GaussianWeights & weights,
             Boundary                boundary,
             const float *           input,
             float *                 scratch,
             float *                 output);

/** The same for the components of a field. */
void
SmoothField(Context &               context,
            const Extent &          extent,
            const GaussianWeights & weights,
            Boundary                boundary,
            const ConstSoAField &   input,
            const SoAField &        scratch,
            const SoAField &        output);

} // namespace cudaneuro::cpu

#endif
