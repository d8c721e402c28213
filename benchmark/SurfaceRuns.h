// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceRuns_h
#define SurfaceRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of the denoising of surfaces, whose names begin with "surface": the whole, from distances to
 * distances in device memory, with the search for neighbors as its limit, and its steps. Their sizes are voxels of the
 * band x voxels of a patch x neighbors.
 * \throws exceptions of the engine */
void
RunSurfaces(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
