// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshRemaindersGpu_cuh
#define cudaneuro_meshes_MeshRemaindersGpu_cuh

#include "cuda/GpuContext.h"
#include "meshes/DeviceMesh.cuh"
#include "meshes/MeshDenoising.h"

namespace cudaneuro::gpu
{

/** Returns to the mesh the shape that the mixture has removed (MeshRemainderFormulas.h).
 * \param moves of the mixture along the normals
 * \param displacements of the mixture, to which the returned moves are added */
void
ReturnRemainders(const GpuContext &  gpu,
                 const DeviceMesh &  mesh,
                 const NormalMoves * moves,
                 const RiskNoise &   noise,
                 const float4 *      normals,
                 Vector3 *           displacements);

} // namespace cudaneuro::gpu

#endif
