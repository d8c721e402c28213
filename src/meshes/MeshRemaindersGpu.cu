// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshRemaindersGpu.cuh"

#include "meshes/MeshPooling.cuh"
#include "meshes/MeshRemainderFormulas.h"

#include <array>

namespace cudaneuro::gpu
{
namespace
{

/** Writes the moves that the mixture has removed, and initializes the bands with them. A thread per vertex. */
__global__ void
__launch_bounds__(meshThreads) RemainderKernel(const __grid_constant__ DeviceMesh       mesh,
                                               const NormalMoves *                      moves,
                                               float                                    probeLength,
                                               const __grid_constant__ PartCoefficients coefficients,
                                               const __grid_constant__ RemainderBands   bands,
                                               NormalMoves *                            remainders)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex < mesh.numberOfVertices)
  {
    const NormalMoves remainder = Plus(MovesOfNoisy(mesh.signs[vertex], probeLength), -1.0f, moves[vertex]);
    remainders[vertex] = remainder;
    bands.Set(coefficients, remainder, vertex);
  }
}

/** Adds the next Chebyshev polynomial to the bands: reads the last one, and replaces the one before it. */
__global__ void
__launch_bounds__(meshThreads) PartsKernel(const __grid_constant__ DeviceMesh       mesh,
                                           const NormalMoves *                      last,
                                           bool                                     isFirst,
                                           const __grid_constant__ PartCoefficients coefficients,
                                           NormalMoves *                            before,
                                           const __grid_constant__ RemainderBands   bands)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex < mesh.numberOfVertices)
  {
    const NormalMoves next = NextPolynomial(MeanOfMoves(mesh, last, vertex), before[vertex], isFirst);
    before[vertex] = next;
    bands.Add(coefficients, next, vertex);
  }
}

/** Writes the risks of the parts' shares. */
__global__ void
__launch_bounds__(meshThreads) SharesKernel(const __grid_constant__ DeviceMesh     mesh,
                                            const NormalMoves *                    moves,
                                            const __grid_constant__ RemainderBands bands,
                                            float                                  divergenceScale,
                                            ShareRisks *                           risks)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex < mesh.numberOfVertices)
  {
    risks[vertex] = ShareRisksAt(mesh, moves, bands, mesh.signs, divergenceScale, vertex);
  }
}

/** Adds the returned moves to the displacements. */
__global__ void
__launch_bounds__(meshThreads) ReturnKernel(const __grid_constant__ DeviceMesh     mesh,
                                            const ShareRisks *                     pooled,
                                            const __grid_constant__ RemainderBands bands,
                                            const float4 *                         normals,
                                            Vector3 *                              displacements)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex < mesh.numberOfVertices)
  {
    displacements[vertex] =
      displacements[vertex] + ReturnedAt(pooled[vertex], bands, vertex) * VectorOf(normals[vertex]);
  }
}

} // namespace

void
ReturnRemainders(const GpuContext &  gpu,
                 const DeviceMesh &  mesh,
                 const NormalMoves * moves,
                 const RiskNoise &   noise,
                 const float4 *      normals,
                 Vector3 *           displacements)
{
  const cudaStream_t                                    stream = gpu.ComputeStream();
  const unsigned int                                    blocks = MeshBlocks(mesh.numberOfVertices);
  const auto                                            vertices = static_cast<std::size_t>(mesh.numberOfVertices);
  const std::vector<PartCoefficients>                   coefficients = CoefficientsOfParts();
  std::array<DeviceBuffer<NormalMoves>, remainderParts> results;
  RemainderBands                                        bands{};
  for (int part = 0; part < remainderParts; ++part)
  {
    results[part] = gpu.AllocateArray<NormalMoves>(vertices);
    bands.bands[part] = results[part].Data();
  }
  auto last = gpu.AllocateArray<NormalMoves>(vertices);
  auto before = gpu.AllocateArray<NormalMoves>(vertices);
  RemainderKernel<<<blocks, meshThreads, 0, stream>>>(mesh, moves, noise.probe, coefficients[0], bands, last.Data());
  CUDANEURO_CUDA_LAUNCHED("RemainderKernel");
  for (int step = 1; step <= sincSteps; ++step)
  {
    PartsKernel<<<blocks, meshThreads, 0, stream>>>(
      mesh, last.Data(), step == 1, coefficients[step], before.Data(), bands);
    CUDANEURO_CUDA_LAUNCHED("PartsKernel");
    std::swap(last, before);
  }
  constexpr int numbers = 2 * remainderParts;
  auto          shares = gpu.AllocateArray<float>(numbers * vertices);
  SharesKernel<<<blocks, meshThreads, 0, stream>>>(
    mesh, moves, bands, noise.divergenceScale, reinterpret_cast<ShareRisks *>(shares.Data()));
  CUDANEURO_CUDA_LAUNCHED("SharesKernel");
  PoolNumbers<numbers>(gpu, mesh, shares);
  ReturnKernel<<<blocks, meshThreads, 0, stream>>>(
    mesh, reinterpret_cast<const ShareRisks *>(shares.Data()), bands, normals, displacements);
  CUDANEURO_CUDA_LAUNCHED("ReturnKernel");
}

} // namespace cudaneuro::gpu
