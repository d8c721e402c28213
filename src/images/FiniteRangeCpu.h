// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_FiniteRangeCpu_h
#define cudaneuro_images_FiniteRangeCpu_h

#include "cudaneuro/Context.h"

#include <array>

namespace cudaneuro::cpu
{

/** Smallest and largest finite value of \p count floats in host memory; {0, 0} where there is none.
 * \throws Aborted */
std::array<double, 2>
ComputeFiniteRange(Context & context, std::int64_t count, const float * input);

} // namespace cudaneuro::cpu

#endif
