// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef HalfProduct_h
#define HalfProduct_h

#include "cudaneuro/Device.h"

namespace cudaneuro::benchmark
{

/** Returns the rate of fused multiply-adds, per second, of a large matrix product in half precision, summed in float,
 * by cuBLAS; 0 where cuBLAS cannot be opened.
 * \throws Error, OutOfMemoryError */
double
MeasureHalfProductRate(const Device & device);

} // namespace cudaneuro::benchmark

#endif
