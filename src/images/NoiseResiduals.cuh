// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_NoiseResiduals_cuh
#define cudaneuro_images_NoiseResiduals_cuh

#include "core/IntegerMath.h"
#include "images/NoiseEstimateFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>

/** How the passes of the noise estimate visit the residuals a(i) of NoiseEstimateFormulas.h. */
namespace cudaneuro::gpu
{

/** The planes of a slab that a pass reads, from slab plane zBegin on. */
struct NoisePlanes
{
  const float *         input;
  const unsigned char * mask; // null: all take part
  float                 limit;
  std::int64_t          size[3];
  std::int64_t          zBegin;
  std::int64_t          zEnd;
};

/** A block has a tile of columns along z, VWidth adjacent ones for each thread, and goes from tile to tile. */
constexpr int residualThreads = 512;
constexpr int residualWarps = residualThreads / 32;
constexpr int residualPlanes = 16;

/** Whether a volume has several voxels along x, and how many of them a thread reads at once: 4 where rows are whole,
 * aligned quads. */
template <bool VIsWide, int VWidth>
struct ResidualShape
{
  static constexpr bool isWide = VIsWide;
  static constexpr int  width = VWidth;
  /** Planes whose voxels a thread reads before it looks at any, so that it waits once for all. */
  static constexpr int planesAtOnce = VWidth == 1 ? 4 : 2;
  static constexpr int voxels = VWidth * planesAtOnce;
  /** Threads of a tile. */
  static constexpr int columns = VWidth == 1 ? 32 : 16;
  static constexpr int rows = residualThreads / columns;
  static constexpr int tileX = columns * VWidth;
  static_assert(residualPlanes % planesAtOnce == 0);
};

/** Takes the place of order bits where a voxel does not count; in no range. */
constexpr std::uint32_t noResidual = 0xffffffffu;

/** Adjacent voxels of a row. */
template <int VWidth>
struct alignas(VWidth * sizeof(float)) NoiseVoxels
{
  float values[VWidth];
};

/** A thread's voxels in some planes, with their neighbors. */
template <bool VHasMask, typename TShape>
struct NoiseColumn
{
  using Voxels = NoiseVoxels<TShape::width>;

  const NoisePlanes & planes;
  float               threshold;
  /** Voxels of a neighborhood. */
  float neighborhood;
  /** Whether the first and the last voxel of a row are among these, which lack a neighbor along x. */
  bool hasFirst;
  bool hasLast;
  /** The first voxel in plane 0, and from it to its neighbors along y. */
  std::int64_t inPlane;
  std::int64_t offsetY;
  std::int64_t plane;

  /** Calls visit(order bits of a(i), or noResidual) once for all of the voxels of planesAtOnce planes from \p begin on.
   * \param at the first voxel in the plane before, where that exists
   * \tparam VIsInside whether all of them are before \p end and have neighbors along z */
  template <bool VIsInside, typename TVisit>
  __device__ __forceinline__ void
  Visit(const float * at, int begin, int end, const TVisit & visit) const
  {
    constexpr int width = TShape::width;
    constexpr int count = TShape::planesAtOnce;
    const auto    nz = static_cast<int>(planes.size[2]);
    const auto    placeOf = [&](int k) {
      const int z = begin + k - 1;
      return (VIsInside ? z : min(max(z, 0), nz - 1)) * plane + inPlane;
    };
    // Where there is no neighbor, the voxel itself is read. Along an axis of one voxel it adds nothing to the sum.
    const int toLeft = TShape::isWide && !hasFirst ? -1 : 0;
    const int toRight = TShape::isWide && !hasLast ? width : width - 1;
    Voxels    column[count + 2];
    Voxels    lower[count];
    Voxels    upper[count];
    float     left[count];
    float     right[count];
    if (!VIsInside)
    {
      at = planes.input + placeOf(0);
    }
#pragma unroll
    for (int k = 0; k < count + 2; ++k)
    {
      column[k] = Load(at);
      if (k > 0 && k <= count)
      {
        lower[k - 1] = Load(at - offsetY);
        upper[k - 1] = Load(at + offsetY);
        left[k - 1] = at[toLeft];
        right[k - 1] = at[toRight];
      }
      at = VIsInside ? at + plane : planes.input + placeOf(k + 1);
    }
    std::uint32_t bits[TShape::voxels];
#pragma unroll
    for (int k = 0; k < count; ++k)
    {
#pragma unroll
      for (int i = 0; i < width; ++i)
      {
        const float value = column[k + 1].values[i];
        const float ends[3][2] = { { i > 0 ? column[k + 1].values[i - 1] : left[k],
                                     i + 1 < width ? column[k + 1].values[i + 1] : right[k] },
                                   { lower[k].values[i], upper[k].values[i] },
                                   { column[k].values[i], column[k + 2].values[i] } };
        // Without branches.
        bool  counts = IsWithinNoiseLimit(value, planes.limit);
        float sum = 0.0f;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis)
        {
          counts =
            counts & IsWithinNoiseLimit(ends[axis][0], planes.limit) & IsWithinNoiseLimit(ends[axis][1], planes.limit);
          // What AddNoiseDifferences does; without an addition of 0, which could change the sign of 0 alone.
          const float differences = (value - ends[axis][0]) + (value - ends[axis][1]);
          sum = axis == 0 ? differences : sum + differences;
        }
        counts = counts & IsBrightForNoise(value, sum, threshold, neighborhood);
        if (TShape::isWide && width > 1)
        {
          counts = counts & (i > 0 || !hasFirst) & (i + 1 < width || !hasLast);
        }
        if constexpr (!VIsInside)
        {
          const int z = begin + k;
          counts = counts && z < end && (nz == 1 || (z > 0 && z < nz - 1));
        }
        if (VHasMask && counts)
        {
          const unsigned char * const inside = planes.mask + placeOf(k + 1) + i;
          constexpr int               offsetX = TShape::isWide ? 1 : 0;
          counts = inside[0] != 0 && inside[-offsetX] != 0 && inside[offsetX] != 0 && inside[-offsetY] != 0 &&
                   inside[offsetY] != 0 && planes.mask[placeOf(k) + i] != 0 && planes.mask[placeOf(k + 2) + i] != 0;
        }
        bits[k * width + i] = counts ? NoiseOrderBits(sum) : noResidual;
      }
    }
    visit(bits);
  }

private:
  __device__ static __forceinline__ Voxels
  Load(const float * at)
  {
    return *reinterpret_cast<const Voxels *>(at);
  }
};

/** Returns a number that looks random. */
__device__ __forceinline__ std::uint32_t
                           HashOf(std::uint32_t value)
{
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

/** Calls visit(TShape::voxels order bits of a(i), or noResidual for some) for the voxels of the block's tiles, or for a
 * sample of them. The calls are more than needed where tiles reach beyond the volume. Reads the planes and the plane on
 * either side.
 * \param oneOf a power of 2: of so many warps' shares of planesAtOnce planes, one is looked at */
template <bool VHasMask, typename TShape, typename TVisit>
__device__ __forceinline__ void
ForEachResidual(const NoisePlanes & planes, float threshold, int oneOf, const TVisit & visit)
{
  constexpr int      planesAtOnce = TShape::planesAtOnce;
  constexpr unsigned warpsOfTile = residualWarps * (residualPlanes / planesAtOnce);
  const auto         nx = static_cast<int>(planes.size[0]);
  const auto         ny = static_cast<int>(planes.size[1]);
  const auto         nz = static_cast<int>(planes.size[2]);
  const auto         tilesX = DivideUp(static_cast<unsigned int>(nx), static_cast<unsigned int>(TShape::tileX));
  const auto         tilesY = DivideUp(static_cast<unsigned int>(ny), static_cast<unsigned int>(TShape::rows));
  const auto         zCount = static_cast<unsigned int>(planes.zEnd - planes.zBegin);
  const unsigned int tiles = tilesX * tilesY * DivideUp(zCount, static_cast<unsigned int>(residualPlanes));
  const auto         neighborhood = static_cast<float>(1 + 2 * ((nx > 1) + (ny > 1) + (nz > 1)));
  const bool         isSample = oneOf > 1;
  const auto         warp = static_cast<unsigned int>(threadIdx.x / 32);
  // Steps are tiles, or groups of warps' shares of which one is looked at.
  const std::int64_t steps = isSample ? DivideUp(std::int64_t{ tiles } * warpsOfTile, oneOf) : tiles;
  const std::int64_t stride = isSample ? std::int64_t{ gridDim.x } * residualWarps : gridDim.x;
  for (std::int64_t step = isSample ? std::int64_t{ blockIdx.x } * residualWarps + warp : blockIdx.x; step < steps;
       step += stride)
  {
    auto         tile = static_cast<unsigned int>(step);
    unsigned int warpOfTile = warp;
    int          begin = 0;
    int          end = residualPlanes;
    if (isSample)
    {
      const std::int64_t share = step * oneOf + (HashOf(tile) & static_cast<unsigned int>(oneOf - 1));
      const auto         inTile = static_cast<unsigned int>(share % warpsOfTile);
      tile = static_cast<unsigned int>(share / warpsOfTile);
      if (tile >= tiles)
      {
        continue;
      }
      warpOfTile = inTile % residualWarps;
      begin = static_cast<int>(inTile / residualWarps) * planesAtOnce;
      end = begin + planesAtOnce;
    }
    const unsigned int row = tile / tilesX;
    const unsigned int layer = row / tilesY;
    const unsigned int thread = warpOfTile * 32 + threadIdx.x % 32;
    const auto x = static_cast<int>((tile - row * tilesX) * TShape::tileX + thread % TShape::columns * TShape::width);
    const auto y = static_cast<int>((row - layer * tilesY) * TShape::rows + thread / TShape::columns);
    const bool hasFirst = x == 0 && TShape::isWide;
    const bool hasLast = x + TShape::width >= nx && TShape::isWide;
    if (x >= nx || y >= ny || (ny > 1 && (y == 0 || y == ny - 1)) || (TShape::width == 1 && (hasFirst || hasLast)))
    {
      continue;
    }
    const std::int64_t                  plane = std::int64_t{ nx } * ny;
    const NoiseColumn<VHasMask, TShape> column{ planes,          threshold, neighborhood,
                                                hasFirst,        hasLast,   std::int64_t{ y } * nx + x,
                                                ny > 1 ? nx : 0, plane };
    const int     first = static_cast<int>(planes.zBegin) + static_cast<int>(layer * residualPlanes);
    const int     last = min(static_cast<int>(planes.zEnd), first + end);
    const float * at = planes.input + (first + begin - 1) * plane + column.inPlane;
    for (int z = first + begin; z < last; z += planesAtOnce, at += planesAtOnce * plane)
    {
      if (z > 0 && z + planesAtOnce <= last && z + planesAtOnce < nz)
      {
        column.template Visit<true>(at, z, last, visit);
      }
      else
      {
        column.template Visit<false>(at, z, last, visit);
      }
    }
  }
}

} // namespace cudaneuro::gpu

#endif
