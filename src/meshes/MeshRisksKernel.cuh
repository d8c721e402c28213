// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshRisksKernel_cuh
#define cudaneuro_meshes_MeshRisksKernel_cuh

#include "meshes/MeshNoiseFormulas.h"
#include "cuda/WarpReduce.cuh"
#include "meshes/DeviceCells.cuh"

/** Kernels that measure the noise and the risk, and mix the candidates. */
namespace cudaneuro::gpu
{

/** Writes area-weighted normals of the vertices of a mesh's first version, with displacements, if given. If heights are
 * given, too, they receive the heights of the noisy vertices over the displaced ones, and positions the displaced
 * vertices. */
__global__ void
__launch_bounds__(meshThreads) NormalKernel(const __grid_constant__ DeviceMesh mesh,
                                            const float4 *                     vertices,
                                            const float4 *                     displacements,
                                            float4 *                           normals,
                                            float4 *                           positions)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  const auto at = [&](std::int64_t i) {
    const Vector3 own = VectorOf(vertices[i * versions]);
    return displacements != nullptr ? own + VectorOf(displacements[i * versions]) : own;
  };
  Vector3 sum{ 0.0f, 0.0f, 0.0f };
  for (int i = mesh.firstTriangle[vertex]; i < mesh.firstTriangle[vertex + 1]; ++i)
  {
    const std::int32_t * const corners = mesh.corners + 3 * std::int64_t{ mesh.trianglesOf[i] };
    sum = sum + AreaVector(at(corners[0]), at(corners[1]), at(corners[2]));
  }
  const Vector3 normal = Normalized(sum, { 0.0f, 0.0f, 0.0f });
  const float   height = displacements != nullptr ? -Dot(VectorOf(displacements[vertex * versions]), normal) : 0.0f;
  normals[vertex] = WithNumber(normal, height);
  if (positions != nullptr)
  {
    positions[vertex] = WithNumber(at(vertex), 0.0f);
  }
}

constexpr int noiseThreads = 64;

/** Writes the residual of a cubic surface at each vertex of the pilot; 0 if it has too few neighbors. Normals contain
 * the heights as their fourth component. */
__global__ void
__launch_bounds__(noiseThreads) NoiseKernel(const __grid_constant__ DeviceCells cells,
                                            std::int32_t                        count,
                                            const float4 *                      positions,
                                            const float4 *                      normals,
                                            float *                             residuals)
{
  const int vertex = static_cast<int>(blockIdx.x * noiseThreads + threadIdx.x);
  if (vertex >= count)
  {
    return;
  }
  const Vector3 position = VectorOf(positions[vertex]);
  const Vector3 normal = VectorOf(normals[vertex]);
  CubicFit      fit;
  fit.Start(normal);
  fit.Add({ 0.0f, 0.0f, 0.0f });
  cells.ForEachNear(position, noiseRadius * noiseRadius, [&](int other, const Vector3 &, const Vector3 & offset) {
    if (other != vertex && Dot(normal, VectorOf(normals[other])) > leastNoiseCosine)
    {
      fit.Add(offset);
    }
    return fit.count < mostNeighbors;
  });
  if (fit.count < leastNoiseNeighbors)
  {
    residuals[vertex] = 0.0f;
    return;
  }
  fit.Solve();
  FitResidual residual;
  residual.Add(1.0f - fit.ShareOf({ 0.0f, 0.0f, 0.0f }), normals[vertex].w);
  int added = 1;
  cells.ForEachNear(position, noiseRadius * noiseRadius, [&](int other, const Vector3 &, const Vector3 & offset) {
    const float4 ofOther = normals[other];
    if (other != vertex && Dot(normal, VectorOf(ofOther)) > leastNoiseCosine)
    {
      residual.Add(-fit.ShareOf(offset), ofOther.w);
      ++added;
    }
    return added < fit.count;
  });
  residuals[vertex] = residual.Normalized();
}

/** Counts the edges whose residuals have equal signs in signs[0], and unequal signs in signs[1], each at both ends. */
__global__ void
__launch_bounds__(meshThreads)
  SignsKernel(const __grid_constant__ DeviceMesh mesh, const float * residuals, unsigned long long * signs)
{
  const std::int64_t vertex = ThreadItem();
  unsigned int       equal = 0;
  unsigned int       unequal = 0;
  if (vertex < mesh.numberOfVertices)
  {
    const float own = SignOf(residuals[vertex]);
    for (int i = mesh.firstNeighbor[vertex]; i < mesh.firstNeighbor[vertex + 1]; ++i)
    {
      const float product = own * SignOf(residuals[mesh.neighborsOf[i]]);
      equal += product > 0.0f ? 1 : 0;
      unequal += product < 0.0f ? 1 : 0;
    }
  }
  const auto add = [](unsigned int a, unsigned int b) { return a + b; };
  equal = WarpReduce(equal, add);
  unequal = WarpReduce(unequal, add);
  if (threadIdx.x % 32 == 0)
  {
    atomicAdd(signs, static_cast<unsigned long long>(equal));
    atomicAdd(signs + 1, static_cast<unsigned long long>(unequal));
  }
}

/** Moves the noisy vertices of all versions except the first along the normals, by the signs of their probes. */
__global__ void
__launch_bounds__(meshThreads)
  ProbeKernel(const __grid_constant__ DeviceMesh mesh, const float4 * normals, float length, float4 * noisy)
{
  const VersionItem item;
  if (item.element < mesh.numberOfVertices && item.version > 0)
  {
    const float move = length * SignOf(mesh.signs[item.element], item.version - 1);
    noisy[item.Own()] = WithNumber(mesh.Position(item.element) + move * VectorOf(normals[item.element]), 0.0f);
  }
}

/** Writes the displacements of a candidate, and its moves along the normals. \p displacements, if given, are relative
 * to the vertices. */
__global__ void
__launch_bounds__(meshThreads) MovesKernel(const __grid_constant__ DeviceMesh mesh,
                                           const float4 *                     normals,
                                           const float4 *                     vertices,
                                           const float4 *                     displacements,
                                           Vector3 *                          candidate,
                                           NormalMoves *                      moves)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  const Vector3 noisy = mesh.Position(vertex);
  Vector3       denoised[versions];
  for (int version = 0; version < versions; ++version)
  {
    const std::int64_t at = vertex * versions + version;
    denoised[version] = VectorOf(vertices[at]);
    if (displacements != nullptr)
    {
      denoised[version] = denoised[version] + VectorOf(displacements[at]);
    }
  }
  candidate[vertex] = denoised[0] - noisy;
  moves[vertex] = MovesOf(VectorOf(normals[vertex]), noisy, denoised);
}

/** Writes the risk of a candidate at each vertex, plus the mean risk along its edges. */
__global__ void
__launch_bounds__(meshThreads) RiskKernel(const __grid_constant__ DeviceMesh mesh,
                                          const NormalMoves *                moves,
                                          float                              divergenceScale,
                                          int                                candidate,
                                          float *                            risks)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  const NormalMoves   own = moves[vertex];
  const unsigned char signs = mesh.signs[vertex];
  const int           first = mesh.firstNeighbor[vertex];
  const int           end = mesh.firstNeighbor[vertex + 1];
  float               sum = 0.0f;
  for (int i = first; i < end; ++i)
  {
    const int other = mesh.neighborsOf[i];
    sum += RiskOfEdge(own, signs, moves[other], mesh.signs[other], divergenceScale);
  }
  risks[vertex * numberOfCandidates + candidate] =
    RiskOfVertex(own, signs, divergenceScale) + sum / static_cast<float>(max(end - first, 1));
}

/** The displacements of all candidates, and their moves along the normals. */
struct CandidateArrays
{
  const Vector3 *     displacements[numberOfCandidates];
  const NormalMoves * moves[numberOfCandidates];
};

/** Writes the displacements and moves of the candidates' weighted mean. */
__global__ void
__launch_bounds__(meshThreads) MixKernel(const __grid_constant__ DeviceMesh      mesh,
                                         const float4 *                          normals,
                                         const float *                           risks,
                                         const __grid_constant__ RiskNoise       noise,
                                         const __grid_constant__ CandidateArrays candidates,
                                         Vector3 *                               mixed,
                                         NormalMoves *                           mixedMoves)
{
  const std::int64_t vertex = ThreadItem();
  if (vertex >= mesh.numberOfVertices)
  {
    return;
  }
  float       weights[numberOfCandidates];
  const float ofNoisy = WeightsOf(risks + vertex * numberOfCandidates, noise.riskOfNoisy, noise.exponent, weights);
  Vector3     sum{ 0.0f, 0.0f, 0.0f };
  NormalMoves moves = Plus(NormalMoves{}, ofNoisy, MovesOfNoisy(mesh.signs[vertex], noise.probe));
#pragma unroll
  for (int i = 0; i < numberOfCandidates; ++i)
  {
    sum = sum + weights[i] * candidates.displacements[i][vertex];
    moves = Plus(moves, weights[i], candidates.moves[i][vertex]);
  }
  const Vector3 normal = VectorOf(normals[vertex]);
  mixedMoves[vertex] = moves;
  mixed[vertex] = mesh.isOnBorder[vertex] != 0 ? Dot(sum, normal) * normal : sum;
}

/** Reorders numbers of vertices, \p each for each of them, into the order of the input. A thread has a number.
 * \param stride from the numbers of a vertex to those of the next one in \p values */
__global__ void
__launch_bounds__(meshThreads) InputOrderKernel(
  std::int64_t count, int each, int stride, const std::int32_t * inputs, const float * values, float * ordered)
{
  const std::int64_t i = ThreadItem();
  if (i < count)
  {
    ordered[std::int64_t{ inputs[i / each] } * each + i % each] = values[i / each * stride + i % each];
  }
}

} // namespace cudaneuro::gpu

#endif
