// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoisyVolume_h
#define NoisyVolume_h

#include "cudaneuro/Context.h"

namespace cudaneuro::benchmark
{

/** Standard deviation of the noise of FillNoisyVolume. */
constexpr double noiseSigma = 30.0;

/** Fills host memory with what looks like a head in MR: shells of 0 to 1000 with noise. The same on every machine and
 * for every number of threads; another \p seed is other noise on the same head. */
void
FillNoisyVolume(const Grid & grid, unsigned int seed, float * values);

} // namespace cudaneuro::benchmark

#endif
