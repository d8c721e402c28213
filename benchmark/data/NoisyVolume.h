// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoisyVolume_h
#define NoisyVolume_h

#include "cudaneuro/Context.h"

namespace cudaneuro::benchmark
{

/** Standard deviation of the noise of FillNoisyVolume. */
constexpr double noiseSigma = 30.0;

/** Fills host memory with a phantom of a head: shells of intensity 0 to 1000 with noise. The result is the same on
 * every machine and for every number of threads; another \p seed gives other noise on the same head. */
void
FillNoisyVolume(const Grid & grid, unsigned int seed, float * values);

} // namespace cudaneuro::benchmark

#endif
