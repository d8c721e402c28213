// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_members_MemberStepKernel_cuh
#define cudaneuro_atlas_members_MemberStepKernel_cuh

#include "atlas/members/MemberStepFormulas.h"
#include "cuda/ResidentBlocks.cuh"
#include "cuda/WarpReduce.cuh"

namespace cudaneuro::gpu
{
namespace
{

constexpr int deformThreadsX = 32;
constexpr int deformThreadsY = 8;
constexpr int deformPlanes = 8;
/** Blocks per multiprocessor. */
constexpr int deformBlocks = 4;
constexpr int settleThreads = 256;

struct DeformArguments
{
  Extent        extent;
  CellGrid      grid;
  const float * moving;
  ConstSoAField map;
  /** The new map, for reading and for writing. */
  ConstSoAField candidate;
  SoAField      next;
  float *       deformed;
  /** One for each block. */
  MapExtremes * extremes;
  int           numberOfExtremes;
  MemberState * state;
};

/** The extremes over a warp's 32 lanes. */
__device__ __forceinline__ MapExtremes
ReduceWarp(MapExtremes extremes)
{
  extremes.minimumJacobian = WarpReduce(extremes.minimumJacobian, [](float a, float b) { return fminf(a, b); });
  for (float & largest : extremes.largest)
  {
    largest = WarpReduce(largest, [](float a, float b) { return fmaxf(a, b); });
  }
  return extremes;
}

/** The extremes over a block of VWarps warps, valid in its first thread. */
template <int VWarps>
__device__ __forceinline__ MapExtremes
ReduceWarps(MapExtremes extremes, int thread)
{
  __shared__ MapExtremes perWarp[VWarps];
  extremes = ReduceWarp(extremes);
  if (thread % 32 == 0)
  {
    perWarp[thread / 32] = extremes;
  }
  __syncthreads();
  if (thread == 0)
  {
    for (const MapExtremes & ofWarp : perWarp)
    {
      extremes.Include(ofWarp);
    }
  }
  return extremes;
}

struct Displacement
{
  float x;
  float y;
  float z;

  __device__ __forceinline__
  Displacement(const ConstSoAField & field, int i)
    : x(__ldg(field.x + i))
    , y(__ldg(field.y + i))
    , z(__ldg(field.z + i))
  {}
};

/** GradientAt of a voxel whose neighbors along z are given. */
__device__ __forceinline__ FieldGradient
GradientBetween(const ConstSoAField &  field,
                int                    i,
                const DifferencePair & alongX,
                const DifferencePair & alongY,
                float                  scaleZ,
                const Displacement &   below,
                const Displacement &   above)
{
  const Displacement left(field, i + alongX.lower);
  const Displacement right(field, i + alongX.upper);
  const Displacement back(field, i + alongY.lower);
  const Displacement front(field, i + alongY.upper);
  return { alongX.scale * (right.x - left.x), alongY.scale * (front.x - back.x), scaleZ * (above.x - below.x),
           alongX.scale * (right.y - left.y), alongY.scale * (front.y - back.y), scaleZ * (above.y - below.y),
           alongX.scale * (right.z - left.z), alongY.scale * (front.z - back.z), scaleZ * (above.z - below.z) };
}

/** DifferencePairAt with the distances to the neighbors in memory instead of their coordinates. */
__device__ __forceinline__ DifferencePair
NeighborsAt(int coordinate, int length, int step)
{
  const DifferencePair pair = DifferencePairAt(coordinate, length);
  return { (pair.lower - coordinate) * step, (pair.upper - coordinate) * step, pair.scale };
}

/** Writes the deformed image, and the extremes of the next map. Reads the displacement (12 bytes per voxel) and the
 * image around the deformed position (4); writes the deformed image (4). Each thread marches through 8 planes with the
 * displacements of three in registers. */
__global__ void
__launch_bounds__(deformThreadsX * deformThreadsY, ResidentBlocks(deformBlocks, deformThreadsX * deformThreadsY))
  DeformKernel(const __grid_constant__ DeformArguments arguments)
{
  const Extent &        extent = arguments.extent;
  const CellGrid &      grid = arguments.grid;
  const int             x = blockIdx.x * deformThreadsX + threadIdx.x;
  const int             y = blockIdx.y * deformThreadsY + threadIdx.y;
  const ConstSoAField & map = arguments.candidate;
  MapExtremes           extremes = MapExtremes::Empty();
  if (x < extent.x && y < extent.y)
  {
    const DifferencePair alongX = NeighborsAt(x, extent.x, 1);
    const DifferencePair alongY = NeighborsAt(y, extent.y, grid.row);
    const int            begin = blockIdx.z * deformPlanes;
    const int            end = min(begin + deformPlanes, extent.z);
    int                  i = begin * grid.plane + y * grid.row + x;
    Displacement         below(map, begin > 0 ? i - grid.plane : i);
    Displacement         own(map, i);
    for (int z = begin; z < end; ++z, i += grid.plane)
    {
      const DifferencePair alongZ = DifferencePairAt(z, extent.z);
      const Displacement   above(map, alongZ.upper > z ? i + grid.plane : i);
      const FieldGradient  gradient = GradientBetween(map, i, alongX, alongY, alongZ.scale, below, above);
      extremes.Add(Determinant(IdentityPlus(gradient)), own.x, own.y, own.z);
      arguments.deformed[i] = DeformedValue(grid,
                                            arguments.moving,
                                            static_cast<float>(x) + own.x,
                                            static_cast<float>(y) + own.y,
                                            static_cast<float>(z) + own.z);
      below = own;
      own = above;
    }
  }
  const int thread = static_cast<int>(threadIdx.y * deformThreadsX + threadIdx.x);
  extremes = ReduceWarps<deformThreadsX * deformThreadsY / 32>(extremes, thread);
  if (thread == 0)
  {
    arguments.extremes[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = extremes;
  }
}

/** SettleStep for all blocks' extremes; one block. */
__global__ void
__launch_bounds__(settleThreads) SettleKernel(const __grid_constant__ DeformArguments arguments)
{
  MapExtremes extremes = MapExtremes::Empty();
  for (int i = threadIdx.x; i < arguments.numberOfExtremes; i += settleThreads)
  {
    extremes.Include(arguments.extremes[i]);
  }
  extremes = ReduceWarps<settleThreads / 32>(extremes, threadIdx.x);
  if (threadIdx.x == 0)
  {
    SettleStep(extremes, *arguments.state);
  }
}

/** If the next map folds, replaces it by the old one, and deforms the image by that. Reads 16 bytes per voxel and
 * writes 16 then; otherwise returns at once. */
__global__ void
__launch_bounds__(deformThreadsX * deformThreadsY) RestoreKernel(const __grid_constant__ DeformArguments arguments)
{
  const Extent &   extent = arguments.extent;
  const CellGrid & grid = arguments.grid;
  const int        x = blockIdx.x * deformThreadsX + threadIdx.x;
  const int        y = blockIdx.y * deformThreadsY + threadIdx.y;
  if (arguments.state->record.hasFolded == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const int begin = blockIdx.z * deformPlanes;
  const int end = min(begin + deformPlanes, extent.z);
  int       i = begin * grid.plane + y * grid.row + x;
  for (int z = begin; z < end; ++z, i += grid.plane)
  {
    const float dx = arguments.map.x[i];
    const float dy = arguments.map.y[i];
    const float dz = arguments.map.z[i];
    arguments.next.x[i] = dx;
    arguments.next.y[i] = dy;
    arguments.next.z[i] = dz;
    arguments.deformed[i] = DeformedValue(
      grid, arguments.moving, static_cast<float>(x) + dx, static_cast<float>(y) + dy, static_cast<float>(z) + dz);
  }
}

/** Deforms the image of a channel after the first one by the next map. Reads 16 bytes per voxel and writes 4. */
__global__ void
__launch_bounds__(deformThreadsX * deformThreadsY) FollowKernel(const __grid_constant__ DeformArguments arguments)
{
  const Extent &   extent = arguments.extent;
  const CellGrid & grid = arguments.grid;
  const int        x = blockIdx.x * deformThreadsX + threadIdx.x;
  const int        y = blockIdx.y * deformThreadsY + threadIdx.y;
  if (x >= extent.x || y >= extent.y)
  {
    return;
  }
  const int begin = blockIdx.z * deformPlanes;
  const int end = min(begin + deformPlanes, extent.z);
  int       i = begin * grid.plane + y * grid.row + x;
  for (int z = begin; z < end; ++z, i += grid.plane)
  {
    const Displacement own(arguments.candidate, i);
    arguments.deformed[i] = DeformedValue(grid,
                                          arguments.moving,
                                          static_cast<float>(x) + own.x,
                                          static_cast<float>(y) + own.y,
                                          static_cast<float>(z) + own.z);
  }
}

} // namespace
} // namespace cudaneuro::gpu

#endif
