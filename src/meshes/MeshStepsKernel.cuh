// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshStepsKernel_cuh
#define cudaneuro_meshes_MeshStepsKernel_cuh

#include "meshes/DeviceCells.cuh"

/** Kernels that smooth. A thread has one version of a vertex or triangle. */
namespace cudaneuro::gpu
{

/** Sets all versions to the noisy mesh. */
__global__ void
__launch_bounds__(meshThreads) StartVerticesKernel(const __grid_constant__ DeviceMesh mesh, float4 * noisy)
{
  const VersionItem item;
  if (item.element < mesh.numberOfVertices)
  {
    noisy[item.Own()] = WithNumber(mesh.Position(item.element), 0.0f);
  }
}

/** Sets the versions to the mesh plus moves, three coordinates for each version of the input's vertices in order. */
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

/** Writes the moves from the mesh to the versions' vertices, in the same order. */
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

/** The mean over the neighbors that low-pass filters use of their vectors minus the vertex's vector. */
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

/** Sums of Chebyshev polynomials, and their coefficients in one step. */
struct BandSums
{
  float4 * sums[numberOfBands];
  float    coefficients[numberOfBands];
};

/** The first step: writes the bends, and half of each as the displacement. */
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

/** A further step: reads the displacements of the last step, and replaces those of the step before it. */
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

/** Writes area vectors and the pilots' normals, the areas of the first pilot's triangles as fourth component of all
 * versions' area vectors, and that pilot's centers. */
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

/** Blocks of a pass per multiprocessor, which allows 80 registers per thread. */
constexpr int passBlocks = 3;

/** Number of parts of a tile's neighbors, each summed by its own threads, one for each version. Finally, part k has the
 * sums of the tile's triangle k. */
constexpr int partsPerTile = trianglesPerTile;
constexpr int threadsPerTile = partsPerTile * versions;

/** Arrays of a pass over the neighbors of triangles. */
struct PassArguments
{
  std::int32_t   numberOfTriangles;
  std::int32_t   numberOfTiles;
  DeviceTiles    tiles;
  float          cosineFactor;
  const float4 * guides;
  const float4 * areaVectors;
  /** Area vectors minus the means so far, with the areas; the area vectors themselves in the first pass. */
  const float4 * residuals;
  float4 *       means;
  float4 *       nextResiduals;
  float4 *       nextGuides;
};

/** A tile's sums of one version, over a part of its neighbors. */
struct TileSums
{
  NeighborSum sums[trianglesPerTile];

  /** A step of a butterfly reduction: sends one triangle's sum to the lane that keeps it, and adds the one received. */
  __device__ __forceinline__ static NeighborSum
  Exchange(const NeighborSum & kept, const NeighborSum & given, int lanes)
  {
    constexpr unsigned int all = 0xffffffffu;
    return { kept.x + __shfl_xor_sync(all, given.x, lanes),
             kept.y + __shfl_xor_sync(all, given.y, lanes),
             kept.z + __shfl_xor_sync(all, given.z, lanes),
             kept.area + __shfl_xor_sync(all, given.area, lanes) };
  }

  /** The sum over all parts for the triangle with the same number as this part. Called by whole warps. */
  __device__ __forceinline__ NeighborSum
  OfAllParts(int part) const
  {
    static_assert(partsPerTile == 4, "two exchanges");
    const bool        isOdd = (part & 1) != 0;
    const bool        isUpper = (part & 2) != 0;
    const NeighborSum low = Exchange(isOdd ? sums[1] : sums[0], isOdd ? sums[0] : sums[1], versions);
    const NeighborSum high = Exchange(isOdd ? sums[3] : sums[2], isOdd ? sums[2] : sums[3], versions);
    return Exchange(isUpper ? high : low, isUpper ? low : high, 2 * versions);
  }
};

/** The sum over every fourth neighbor of a tile, beginning with the one of the part's number. */
__device__ __forceinline__ TileSums
SumOfPart(const PassArguments & arguments, std::int64_t tile, int part, int version)
{
  Vector3  scaled[trianglesPerTile];
  TileSums result{};
#pragma unroll
  for (int k = 0; k < trianglesPerTile; ++k)
  {
    const std::int64_t triangle = min(tile * trianglesPerTile + k, std::int64_t{ arguments.numberOfTriangles } - 1);
    scaled[k] = arguments.cosineFactor * VectorOf(arguments.guides[triangle * versions + version]);
  }
  const std::int64_t   first = FirstOfTile(arguments.tiles, tile);
  const int * const    neighbors = arguments.tiles.neighbors + first;
  const float4 * const exponents = arguments.tiles.exponents + first;
  const int            count = arguments.tiles.counts[tile];
#pragma unroll 2
  for (int i = part; i < count; i += partsPerTile)
  {
    const std::int64_t other = std::int64_t{ __ldcs(neighbors + i) } * versions + version;
    const float4       ofTile = __ldcs(exponents + i);
    const Vector3      guide = VectorOf(arguments.guides[other]);
    const float4       residual = arguments.residuals[other];
    const float        exponent[trianglesPerTile] = { ofTile.x, ofTile.y, ofTile.z, ofTile.w };
#pragma unroll
    for (int k = 0; k < trianglesPerTile; ++k)
    {
      AddNeighbor(Exp2(exponent[k] + Dot(scaled[k], guide)), VectorOf(residual), residual.w, result.sums[k]);
    }
  }
  return result;
}

/** Adds the weighted means of the residuals to the mean normals; writes new residuals, or guides in the last pass of a
 * round. A thread has one version of a part of a tile's neighbors. */
template <bool VIsFirst, bool VIsLast>
__global__ void
__launch_bounds__(meshThreads, passBlocks) PassKernel(const __grid_constant__ PassArguments arguments)
{
  const std::int64_t tile = ThreadItem() / threadsPerTile;
  const int          part = static_cast<int>(threadIdx.x / versions % partsPerTile);
  const int          version = static_cast<int>(threadIdx.x % versions);
  // Whole warps must exchange sums, even if one of their two tiles does not exist.
  const TileSums     sums = tile < arguments.numberOfTiles ? SumOfPart(arguments, tile, part, version) : TileSums{};
  const NeighborSum  sum = sums.OfAllParts(part);
  const std::int64_t triangle = tile * trianglesPerTile + part;
  if (triangle >= arguments.numberOfTriangles)
  {
    return;
  }
  const std::int64_t own = triangle * versions + version;
  const Vector3      before = VIsFirst ? Vector3{ 0.0f, 0.0f, 0.0f } : VectorOf(arguments.means[own]);
  const Vector3      mean = WithMean(before, sum);
  if constexpr (VIsLast)
  {
    arguments.nextGuides[own] = WithNumber(Normalized(mean, VectorOf(arguments.guides[own])), 0.0f);
  }
  else
  {
    const float4 area = arguments.areaVectors[own];
    arguments.means[own] = WithNumber(mean, 0.0f);
    arguments.nextResiduals[own] = WithNumber(ResidualOf(VectorOf(area), area.w, mean), area.w);
  }
}

/** Moves the vertices towards the planes of their triangles, which have these normals. */
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
#pragma unroll 2
  for (int i = first; i < end; ++i)
  {
    const std::int64_t         triangle = mesh.trianglesOf[i];
    const std::int32_t * const corners = mesh.corners + 3 * triangle;
    const Vector3              normal = VectorOf(normals[item.Of(triangle)]);
    const float                offset = PlaneOffset(normal,
                                     VectorOf(vertices[item.Of(corners[0])]),
                                     VectorOf(vertices[item.Of(corners[1])]),
                                     VectorOf(vertices[item.Of(corners[2])]));
    sum = sum + PullOf(normal, offset, own);
  }
  moved[item.Own()] = WithNumber(own + (1.0f / static_cast<float>(max(end - first, 1))) * sum, 0.0f);
}

} // namespace cudaneuro::gpu

#endif
