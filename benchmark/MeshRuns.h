// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MeshRuns_h
#define MeshRuns_h

#include "Benchmark.h"
#include "Limits.h"

namespace cudaneuro::benchmark
{

/** Times the wanted rows of the denoising of meshes, whose names begin with "mesh": the whole, from host memory to host
 * memory, and its memory. The limit is that of the multiply-adds of the means of normals. Their sizes are vertices x
 * triangles x 1.
 * \throws exceptions of the engine */
void
RunMeshes(const Settings & settings, const Limits & limits);

} // namespace cudaneuro::benchmark

#endif
