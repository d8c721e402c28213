// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_LinearWarpKernel_cuh
#define cudaneuro_fields_warp_LinearWarpKernel_cuh

#include "fields/warp/WarpKernel.cuh"

#include <cfloat>

namespace cudaneuro::gpu
{

/** With this number, an H200 is 2 % faster than with the blocks of other kernels that gather. */
constexpr int residentLinearBlocks = ResidentBlocks(6, tileThreads);

/** Returns whether a grid has cells of eight voxels. */
inline bool
HasCells(const Extent & extent)
{
  return extent.x > 1 && extent.y > 1 && extent.z > 1;
}

/** Returns whether tiles can be blocks of a three-dimensional grid, which needs no division to find a block's tile. */
inline bool
IsGridOfBlocks(const VoxelTiles & tiles)
{
  constexpr unsigned int most = 65535;
  return tiles.alongY <= most && tiles.alongZ <= most;
}

/** Finds the two voxels beside voxel + rest, and the weight of the upper one.
 * \returns whether both are on the grid; otherwise the results are undefined */
__device__ inline bool
FindInnerPair(int voxel, float rest, int length, int & lower, float & fraction)
{
  float     whole = 0.0f;
  const int floor = Floor<std::uint32_t>(rest, whole);
  lower = voxel + floor;
  fraction = rest - whole;
  // Positions too far for Floor, and NaN, also give a result outside, because floats are ordered as their bits are.
  return static_cast<unsigned int>(lower) < static_cast<unsigned int>(length - 1);
}

/** Interpolates in cells of eight voxels with finite values, without the clamping and the guards of SampleAt. Its
 * result is the same, except for the sign of a 0.
 * \returns whether the position is in such a cell; otherwise \p value is undefined */
__device__ inline bool
SampleInside(const WarpSource & source, const SplitPosition & position, float & value)
{
  const Extent &      extent = source.extent;
  int                 x = 0;
  int                 y = 0;
  int                 z = 0;
  float               fractionX = 0.0f;
  float               fractionY = 0.0f;
  float               fractionZ = 0.0f;
  const bool          isInnerX = FindInnerPair(position.x, position.restX, extent.x, x, fractionX);
  const bool          isInnerY = FindInnerPair(position.y, position.restY, extent.y, y, fractionY);
  const bool          isInnerZ = FindInnerPair(position.z, position.restZ, extent.z, z, fractionZ);
  const bool          isInner = isInnerX & isInnerY & isInnerZ;
  const std::uint32_t cell = (static_cast<std::uint32_t>(z) * extent.y + y) * extent.x + x;
  const std::uint32_t stepZ = static_cast<std::uint32_t>(extent.x) * extent.y;
  // Loads are unconditional, so that they need not wait for a branch.
  const std::uint32_t index = isInner ? cell : 0;
  const float * const row00 = source.volume + index;
  const float * const row10 = source.volume + (index + extent.x);
  const float * const row01 = source.volume + (index + stepZ);
  const float * const row11 = source.volume + (index + extent.x + stepZ);
  const auto          along = SampleCell::Along;
  const float         v00 = along(fractionX, row00[0], row00[1]);
  const float         v10 = along(fractionX, row10[0], row10[1]);
  const float         v01 = along(fractionX, row01[0], row01[1]);
  const float         v11 = along(fractionX, row11[0], row11[1]);
  value = along(fractionZ, along(fractionY, v00, v10), along(fractionY, v01, v11));
  const bool isFinite = fabsf(value) <= FLT_MAX;
  return isInner & isFinite;
}

template <bool VVectors>
__device__ Displacement
LoadDisplacement(const WarpMap & map, std::uint32_t index)
{
  if constexpr (VVectors)
  {
    const float * const vector = map.vectors.data + std::size_t{ index } * 3;
    return { __ldg(vector), __ldg(vector + 1), __ldg(vector + 2) };
  }
  return { __ldcs(map.field.x + index), __ldcs(map.field.y + index), __ldcs(map.field.z + index) };
}

template <bool VVectors>
__device__ SplitPosition
PositionOf(const WarpMap & map, const SplitPosition & base, const Displacement & displacement, int plane)
{
  if constexpr (VVectors)
  {
    return MovedByVector(map, base, displacement, plane);
  }
  return MovedByVoxels(map, base, displacement, plane);
}

/** WarpKernel for linear interpolation in small grids with cells, without a mask. Reads the field, planes or vectors of
 * three components, at each voxel of the output, and the source around the voxel's mapped position; writes the output,
 * which must not overlap with any input. */
template <bool VVectors>
__global__ void
__launch_bounds__(tileThreads, residentLinearBlocks) LinearWarpKernel(const __grid_constant__ WarpArguments arguments)
{
  const Extent &  extent = arguments.tiles.extent;
  const TileVoxel voxel(tilePlanes);
  if (!voxel.IsOnGrid(extent))
  {
    return;
  }
  const WarpMap &     map = arguments.map;
  const bool          isMoved = VVectors || map.field.x != nullptr;
  const std::uint32_t planeVoxels = static_cast<std::uint32_t>(extent.x) * extent.y;
  const auto          begin = voxel.Index<std::uint32_t>(extent);
  const int           planes = min(tilePlanes, extent.z - voxel.z);
  // All loads are issued before their first use, to hide their latency.
  Displacement displacements[tilePlanes];
#pragma unroll
  for (int plane = 0; plane < tilePlanes; ++plane)
  {
    if (isMoved && plane < planes)
    {
      displacements[plane] = LoadDisplacement<VVectors>(map, begin + plane * planeVoxels);
    }
  }
  const auto   base = MapVoxel<std::uint32_t>(map.transform, voxel.x, voxel.y, voxel.z);
  float        values[tilePlanes];
  unsigned int left = 0; // planes that SampleInside does not cover
#pragma unroll
  for (int plane = 0; plane < tilePlanes; ++plane)
  {
    const SplitPosition position = PositionOf<VVectors>(map, base, displacements[plane], plane);
    const bool          isDone = SampleInside(arguments.source, position, values[plane]);
    left |= static_cast<unsigned int>(!isDone) << plane;
  }
#pragma unroll
  for (int plane = 0; plane < tilePlanes; ++plane)
  {
    if (plane < planes && (left >> plane & 1u) == 0)
    {
      __stcs(arguments.output + begin + plane * planeVoxels, values[plane]);
    }
  }
  if (left == 0)
  {
    return;
  }
  // Displacements are read again, because few threads get here, and registers are scarce.
#pragma unroll 1
  for (int plane = 0; plane < planes; ++plane)
  {
    if ((left >> plane & 1u) != 0)
    {
      const std::uint32_t index = begin + plane * planeVoxels;
      const Displacement  displacement = isMoved ? LoadDisplacement<VVectors>(map, index) : Displacement{};
      const SplitPosition position = PositionOf<VVectors>(map, base, displacement, plane);
      float               value = 0.0f;
      const bool hasValue = SampleAt<Interpolation::Linear, false, std::uint32_t>(arguments.source, position, value);
      arguments.output[index] = hasValue ? value : arguments.defaultValue;
    }
  }
}

} // namespace cudaneuro::gpu

#endif
