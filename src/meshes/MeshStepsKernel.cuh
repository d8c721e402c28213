// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshStepsKernel_cuh
#define cudaneuro_meshes_MeshStepsKernel_cuh

#include "meshes/DeviceCells.cuh"

/** Kernels that smooth: a thread has one version of a vertex or triangle. */
namespace cudaneuro::gpu
{

/** All versions are the noisy mesh. */
__global__ void
__launch_bounds__(meshThreads) StartVerticesKernel(const __grid_constant__ DeviceMesh mesh, float4 * noisy)
{
  const VersionItem item;
  if (item.element < mesh.numberOfVertices)
  {
    noisy[item.Own()] = WithNumber(mesh.Position(item.element), 0.0f);
  }
}

/** Versions are the mesh with moves, three coordinates for each version of the vertices in the input's order. */
__global__ void
__launch_bounds__(meshThreads) TakeVersionsKernel(const __grid_constant__ DeviceMesh mesh,
                                                  const std::int32_t *               inputVertices,
                                                  const float *                      moves,
                                                  float4 *                           noisy)
{
  const VersionItem item;
  if (item.element < mesh.numberOfVertices)
  {
    const float * const move = moves + 3 * item.Of(inputVertices[item.element]);
    const Vector3       step{ move[0], move[1], move[2] };
    noisy[item.Own()] = WithNumber(mesh.Position(item.element) + step, 0.0f);
  }
}

/** Writes how far the vertices of versions are from the mesh, in the same order. */
__global__ void
__launch_bounds__(meshThreads) GetMovesKernel(const __grid_constant__ DeviceMesh mesh,
                                              const std::int32_t *               inputVertices,
                                              const float4 *                     vertices,
                                              float *                            moves)
{
  const VersionItem item;
  if (item.element < mesh.numberOfVertices)
  {
    const Vector3 step = VectorOf(vertices[item.Own()]) - mesh.Position(item.element);
    float * const move = moves + 3 * item.Of(inputVertices[item.element]);
    move[0] = step.x;
    move[1] = step.y;
    move[2] = step.z;
  }
}

/** The mean over the neighbors that low-pass filters take of their vectors less the vertex's. */
__device__ __forceinline__ Vector3
MeanOfNeighbors(const DeviceMesh & mesh, const float4 * vectors, const VersionItem & item, const Vector3 & own)
{
  const int first = mesh.firstNeighbor[item.element];
  const int count = mesh.meanNeighbors[item.element];
  Vector3   sum{ 0.0f, 0.0f, 0.0f };
  for (int i = first; i < first + count; ++i)
  {
    sum = sum + (VectorOf(vectors[item.Of(mesh.neighborsOf[i])]) - own);
  }
  return (1.0f / static_cast<float>(max(count, 1))) * sum;
}

/** Sums of Chebyshev's polynomials, and their coefficients in one step. */
struct BandSums
{
  float4 * sums[numberOfBands];
  float    coefficients[numberOfBands];
};

/** The first step: writes the bends, and half of them as displacements. */
__global__ void
__launch_bounds__(meshThreads) FirstSmoothingKernel(const __grid_constant__ DeviceMesh mesh,
                                                    const float4 *                     noisy,
                                                    float4 *                           bends,
                                                    float4 *                           displacements,
                                                    const __grid_constant__ BandSums   bands)
{
  const VersionItem item;
  if (item.element >= mesh.numberOfVertices)
  {
    return;
  }
  const Vector3 bend = MeanOfNeighbors(mesh, noisy, item, VectorOf(noisy[item.Own()]));
  const Vector3 moved = 0.5f * bend;
  bends[item.Own()] = WithNumber(bend, 0.0f);
  displacements[item.Own()] = WithNumber(moved, 0.0f);
  for (int band = 0; band < numberOfBands; ++band)
  {
    bands.sums[band][item.Own()] = WithNumber(bands.coefficients[band] * moved, 0.0f);
  }
}

/** A further step: reads the displacements of the last one, and replaces those of the one before it. */
__global__ void
__launch_bounds__(meshThreads) SmoothingKernel(const __grid_constant__ DeviceMesh mesh,
                                               const float4 *                     bends,
                                               const float4 *                     last,
                                               float4 *                           before,
                                               const __grid_constant__ BandSums   bands)
{
  const VersionItem item;
  if (item.element >= mesh.numberOfVertices)
  {
    return;
  }
  const Vector3 own = VectorOf(last[item.Own()]);
  const Vector3 mean = MeanOfNeighbors(mesh, last, item, own);
  const Vector3 moved = NextChebyshev(own, own + mean, VectorOf(before[item.Own()]), VectorOf(bends[item.Own()]));
  before[item.Own()] = WithNumber(moved, 0.0f);
  for (int band = 0; band < numberOfBands; ++band)
  {
    float4 & sum = bands.sums[band][item.Own()];
    sum = WithNumber(VectorOf(sum) + bands.coefficients[band] * moved, 0.0f);
  }
}

/** Writes area vectors and the pilots' normals, the areas of the first pilot's triangles beside the area vectors of
 * all versions, and that pilot's centers. */
__global__ void
__launch_bounds__(meshThreads) StartGuideKernel(const __grid_constant__ DeviceMesh mesh,
                                                const float4 *                     noisy,
                                                const float4 *                     pilot,
                                                float4 *                           areaVectors,
                                                float4 *                           guides,
                                                float4 *                           centers)
{
  const VersionItem item;
  if (item.element >= mesh.numberOfTriangles)
  {
    return;
  }
  Vector3 noisyCorners[3];
  Vector3 smoothCorners[3];
  Vector3 firstCorners[3];
  for (int k = 0; k < 3; ++k)
  {
    const std::int64_t corner = mesh.corners[3 * item.element + k];
    noisyCorners[k] = VectorOf(noisy[item.Of(corner)]);
    smoothCorners[k] = noisyCorners[k] + VectorOf(pilot[item.Of(corner)]);
    firstCorners[k] = VectorOf(noisy[corner * versions]) + VectorOf(pilot[corner * versions]);
  }
  const Vector3 area = AreaVector(smoothCorners[0], smoothCorners[1], smoothCorners[2]);
  const Vector3 firstArea = AreaVector(firstCorners[0], firstCorners[1], firstCorners[2]);
  const float   size = sqrtf(Dot(firstArea, firstArea));
  areaVectors[item.Own()] = WithNumber(AreaVector(noisyCorners[0], noisyCorners[1], noisyCorners[2]), size);
  guides[item.Own()] = WithNumber(Normalized(area, { 0.0f, 0.0f, 0.0f }), 0.0f);
  if (item.version == 0)
  {
    centers[item.element] = WithNumber((1.0f / 3.0f) * (firstCorners[0] + firstCorners[1] + firstCorners[2]), 0.0f);
  }
}

/** Blocks of a pass on a multiprocessor: 64 registers a thread. */
constexpr int passBlocks = 4;

/** Arrays of a pass over the neighbors of triangles. */
struct PassArguments
{
  std::int32_t   numberOfTriangles;
  DevicePairs    pairs;
  float          exponent;
  const float4 * guides;
  const float4 * areaVectors;
  /** Area vectors less what is in the means already, with the areas; the area vectors themselves in the first pass. */
  const float4 * residuals;
  float4 *       means;
  float4 *       nextResiduals;
  float4 *       nextGuides;
};

/** Adds the weighted means of the residuals to the mean normals; writes new residuals, and in the last pass of a
 * round guides. */
template <bool VIsFirst, bool VIsLast>
__global__ void
__launch_bounds__(meshThreads, passBlocks) PassKernel(const __grid_constant__ PassArguments arguments)
{
  const VersionItem item;
  if (item.element >= arguments.numberOfTriangles)
  {
    return;
  }
  const Vector3      guide = VectorOf(arguments.guides[item.Own()]);
  const int2 * const neighbors = arguments.pairs.neighbors + arguments.pairs.first[item.element];
  const int          count = arguments.pairs.counts[item.element];
  NeighborSum        sum{ 0.0f, 0.0f, 0.0f, 0.0f };
#pragma unroll 4
  for (int i = 0; i < count; ++i)
  {
    const int2         neighbor = neighbors[i];
    const std::int64_t other = item.Of(neighbor.x);
    const float        cosine = Dot(guide, VectorOf(arguments.guides[other]));
    const float4       residual = arguments.residuals[other];
    const float        weight = __int_as_float(neighbor.y) * GuideWeight(cosine, arguments.exponent);
    AddNeighbor(weight, VectorOf(residual), residual.w, sum);
  }
  const Vector3 before = VIsFirst ? Vector3{ 0.0f, 0.0f, 0.0f } : VectorOf(arguments.means[item.Own()]);
  const Vector3 mean = WithMean(before, sum);
  if constexpr (VIsLast)
  {
    arguments.nextGuides[item.Own()] = WithNumber(Normalized(mean, guide), 0.0f);
  }
  else
  {
    const float4 area = arguments.areaVectors[item.Own()];
    arguments.means[item.Own()] = WithNumber(mean, 0.0f);
    arguments.nextResiduals[item.Own()] = WithNumber(ResidualOf(VectorOf(area), area.w, mean), area.w);
  }
}

/** Writes the offsets of the triangles' planes beside their normals. */
__global__ void
__launch_bounds__(meshThreads)
  OffsetKernel(const __grid_constant__ DeviceMesh mesh, const float4 * vertices, float4 * normals)
{
  const VersionItem item;
  if (item.element >= mesh.numberOfTriangles)
  {
    return;
  }
  const std::int32_t * const corners = mesh.corners + 3 * item.element;
  normals[item.Own()].w = PlaneOffset(VectorOf(normals[item.Own()]),
                                      VectorOf(vertices[item.Of(corners[0])]),
                                      VectorOf(vertices[item.Of(corners[1])]),
                                      VectorOf(vertices[item.Of(corners[2])]));
}

/** Moves the vertices to the planes of their triangles. \p vertices may be \p moved. */
__global__ void
__launch_bounds__(meshThreads)
  PullKernel(const __grid_constant__ DeviceMesh mesh, const float4 * normals, const float4 * vertices, float4 * moved)
{
  const VersionItem item;
  if (item.element >= mesh.numberOfVertices)
  {
    return;
  }
  const Vector3 own = VectorOf(vertices[item.Own()]);
  const int     first = mesh.firstTriangle[item.element];
  const int     end = mesh.firstTriangle[item.element + 1];
  Vector3       sum{ 0.0f, 0.0f, 0.0f };
  for (int i = first; i < end; ++i)
  {
    const float4 normal = normals[item.Of(mesh.trianglesOf[i])];
    sum = sum + PullOf(VectorOf(normal), normal.w, own);
  }
  moved[item.Own()] = WithNumber(own + (1.0f / static_cast<float>(max(end - first, 1))) * sum, 0.0f);
}

} // namespace cudaneuro::gpu

#endif
