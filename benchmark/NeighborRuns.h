// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NeighborRuns_h
#define NeighborRuns_h

#include "Benchmark.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of the search for nearest neighbors, whose names begin with "neighbors". The limit is the
 * product of the vectors' matrix with itself, at the rate that cuBLAS has for half precision.
 * \throws exceptions of the engine */
void
RunNeighbors(const Settings & settings);

} // namespace cudaneuro::benchmark

#endif
