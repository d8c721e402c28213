// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoiseResiduals_cuh
#define cudaneuro_images_noise_NoiseResiduals_cuh

#include "core/IntegerMath.h"
#include "images/noise/NoiseEstimateFormulas.h"

#include <cuda_runtime.h>

#include <cstdint>

/** The traversal of the residuals a(i) of NoiseEstimateFormulas.h by the passes of the noise estimate. */
namespace cudaneuro::gpu
{

/** The planes of a slab that a pass reads, starting at slab plane zBegin. */
struct NoisePlanes
{
  const float *         input;
  const unsigned char * mask; // null: all voxels are inside
  float                 limit;
  std::int64_t          size[3];
  std::int64_t          zBegin;
  std::int64_t          zEnd;
  /** The number of planes from zBegin to the first plane whose cubes are used. */
  std::int64_t skipped;
};

/** NoiseCubeChoice with a brightness in device memory, which the host does not know. */
struct NoiseCubeChoiceOnDevice
{
  const float * brightness;
  float         edges;

  __device__ __forceinline__ NoiseCubeChoice
  Get() const
  {
    return { *brightness, edges };
  }
};

/** A block processes tiles of columns along z, with VWidth adjacent columns for each thread. */
constexpr int residualThreads = 512;
constexpr int residualWarps = residualThreads / 32;
constexpr int residualPlanes = 16;

/** The axes of a volume, and how many voxels along x a thread reads at once: 4 if rows are whole, aligned quads. The
 * cubes of every VPlaneStep-th plane are used. */
template <int VAxes, int VWidth, int VPlaneStep>
struct ResidualShape
{
  static constexpr int axes = VAxes;
  static constexpr int width = VWidth;
  /** Planes of cubes whose voxels a thread loads before it uses any, so that it waits once for all. */
  static constexpr int planesAtOnce = VAxes < 3 || VPlaneStep > 1 ? 1 : VWidth == 1 ? 4 : 2;
  /** The distance in planes from one visit to the next. */
  static constexpr int planesOfLook = planesAtOnce * VPlaneStep;
  static constexpr int cubes = VWidth * planesAtOnce;
  /** The shape of a tile in threads. */
  static constexpr int columns = VWidth == 1 ? 32 : 16;
  static constexpr int rows = residualThreads / columns;
  static constexpr int tileX = columns * VWidth;
  static_assert(residualPlanes % planesOfLook == 0);
};

/** Replaces the order bits of a cube that is not selected; it is in no range. */
constexpr std::uint32_t noResidual = 0xffffffffu;

/** Adjacent voxels of a row. */
template <int VWidth>
struct alignas(VWidth * sizeof(float)) NoiseVoxels
{
  float values[VWidth];
};

/** The cubes that begin at a thread's voxels in some planes. */
template <bool VHasMask, typename TShape>
struct NoiseColumn
{
  static constexpr int axes = TShape::axes;
  static constexpr int width = TShape::width;
  /** The rows and planes of voxels of a cube. */
  static constexpr int rows = axes > 1 ? 2 : 1;
  static constexpr int layers = axes > 2 ? 2 : 1;

  using Voxels = NoiseVoxels<width>;

  const NoisePlanes & planes;
  NoiseCubeChoice     choice;
  /** Whether the thread's voxels include the last one of a row, at which no cube begins. */
  bool hasLast;
  /** The index of the first voxel in plane 0. */
  std::int64_t inPlane;
  std::int64_t nx;
  std::int64_t plane;

  /** The voxels of a row that the cubes of a thread contain. */
  struct Row
  {
    Voxels voxels;
    float  next;

    __device__ __forceinline__ float
    operator[](int i) const
    {
      return i < width ? voxels.values[i < width ? i : 0] : next;
    }
  };
  /** The squares of a plane, or pairs if there is no second row. */
  struct Squares
  {
    NoiseSquare values[width];
    /** Whether all of their voxels are within the limit; the mask is checked separately. */
    bool takePart[width];
  };

  /** Calls visit(order bits of a(i), or noResidual) once for all cubes that begin in planesAtOnce planes, starting at
   * \p begin.
   * \param at address of the first voxel in plane \p begin
   * \tparam VIsInside whether all these planes are before \p end and have another plane above them */
  template <bool VIsInside, typename TVisit>
  __device__ __forceinline__ void
  Visit(const float * at, int begin, int end, const TVisit & visit) const
  {
    constexpr int count = TShape::planesAtOnce;
    constexpr int loaded = count + layers - 1;
    const auto    nz = static_cast<int>(planes.size[2]);
    Row           voxels[loaded][rows];
#pragma unroll
    for (int k = 0; k < loaded; ++k)
    {
      // Beyond the last plane, the last plane is read again.
      const float * const from = VIsInside ? at + k * plane : at + (min(begin + k, nz - 1) - begin) * plane;
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        voxels[k][row] = LoadRow(from + row * nx);
      }
    }
    std::uint32_t bits[TShape::cubes];
    Squares       lower;
#pragma unroll
    for (int k = 0; k < loaded; ++k)
    {
      const Squares squares = MakeSquares(voxels[k]);
      if (k >= layers - 1)
      {
        const int  index = k - (layers - 1);
        const int  z = begin + index;
        const bool hasCubes = VIsInside || (z < end && z + layers <= nz);
#pragma unroll
        for (int i = 0; i < width; ++i)
        {
          // There are no branches.
          const NoiseResidual cube = MakeCube(lower, squares, i);
          bool counts = hasCubes & squares.takePart[i] & (layers == 1 || lower.takePart[i]) & IsNoiseCube(cube, choice);
          counts = counts & (i + 1 < width || !hasLast);
          if (VHasMask && counts)
          {
            counts = IsInsideMask(static_cast<std::int64_t>(z) * plane + inPlane + i);
          }
          bits[index * width + i] = counts ? NoiseOrderBits(cube.residual) : noResidual;
        }
      }
      lower = squares;
    }
    visit(bits);
  }

private:
  __device__ __forceinline__ Row
  LoadRow(const float * from) const
  {
    return { *reinterpret_cast<const Voxels *>(from), from[hasLast ? width - 1 : width] };
  }

  /** Returns the squares. Without a second row, pairs along x give the sums and alternating sums. */
  __device__ __forceinline__ Squares
  MakeSquares(const Row (&voxels)[rows]) const
  {
    NoisePair pairs[width + 1];
    bool      takePart[width + 1];
#pragma unroll
    for (int i = 0; i <= width; ++i)
    {
      const float upper = voxels[rows - 1][i];
      takePart[i] =
        IsWithinNoiseLimit(voxels[0][i], planes.limit) & (rows == 1 || IsWithinNoiseLimit(upper, planes.limit));
      pairs[i] = MakeNoisePair(voxels[0][i], upper);
    }
    Squares squares;
#pragma unroll
    for (int i = 0; i < width; ++i)
    {
      squares.takePart[i] = takePart[i] & takePart[i + 1];
      if constexpr (rows == 1)
      {
        const NoisePair pair = MakeNoisePair(voxels[0][i], voxels[0][i + 1]);
        squares.values[i] = { pair.sum, 0.0f, 0.0f, pair.difference };
      }
      else
      {
        squares.values[i] = MakeNoiseSquare(pairs[i], pairs[i + 1]);
      }
    }
    return squares;
  }

  __device__ static __forceinline__ NoiseResidual
  MakeCube(const Squares & lower, const Squares & upper, int i)
  {
    if constexpr (layers == 1)
    {
      return MakeNoiseResidual(upper.values[i]);
    }
    else
    {
      return MakeNoiseResidual(lower.values[i], upper.values[i]);
    }
  }

  /** Returns whether all voxels of the cube at a voxel are inside the mask. */
  __device__ __forceinline__ bool
  IsInsideMask(std::int64_t voxel) const
  {
    bool isInside = true;
#pragma unroll
    for (int layer = 0; layer < layers; ++layer)
    {
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        const unsigned char * const at = planes.mask + voxel + layer * plane + row * nx;
        isInside = isInside && at[0] != 0 && at[1] != 0;
      }
    }
    return isInside;
  }
};

/** Returns a hash, which serves as a pseudorandom number. */
__device__ __forceinline__ std::uint32_t
                           HashOf(std::uint32_t value)
{
  value = (value ^ value >> 16) * 0x7feb352du;
  value = (value ^ value >> 15) * 0x846ca68bu;
  return value ^ value >> 16;
}

/** Calls visit(TShape::cubes order bits of a(i), or noResidual for some) for the cubes of the block's tiles, or for a
 * sample of them. There are more calls than needed where tiles extend beyond the volume. Reads the planes and the one
 * above them.
 * \param oneOf a power of 2: one of this many warps' shares of planesOfLook planes is used; 1 for all */
template <bool VHasMask, typename TShape, typename TVisit>
__device__ __forceinline__ void
ForEachResidual(const NoisePlanes & planes, const NoiseCubeChoice & choice, int oneOf, const TVisit & visit)
{
  constexpr int      planesOfLook = TShape::planesOfLook;
  constexpr unsigned warpsOfTile = residualWarps * (residualPlanes / planesOfLook);
  const auto         nx = static_cast<int>(planes.size[0]);
  const auto         ny = static_cast<int>(planes.size[1]);
  const auto         nz = static_cast<int>(planes.size[2]);
  const auto         tilesX = DivideUp(static_cast<unsigned int>(nx), static_cast<unsigned int>(TShape::tileX));
  const auto         tilesY = DivideUp(static_cast<unsigned int>(ny), static_cast<unsigned int>(TShape::rows));
  const auto         zCount = static_cast<unsigned int>(planes.zEnd - planes.zBegin);
  const unsigned int tiles = tilesX * tilesY * DivideUp(zCount, static_cast<unsigned int>(residualPlanes));
  const bool         isSample = oneOf > 1;
  const auto         warp = static_cast<unsigned int>(threadIdx.x / 32);
  // Steps are tiles, or groups of oneOf shares of warps, of which one is used.
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
      begin = static_cast<int>(inTile / residualWarps) * planesOfLook;
      end = begin + planesOfLook;
    }
    const unsigned int row = tile / tilesX;
    const unsigned int layer = row / tilesY;
    const unsigned int thread = warpOfTile * 32 + threadIdx.x % 32;
    const auto x = static_cast<int>((tile - row * tilesX) * TShape::tileX + thread % TShape::columns * TShape::width);
    const auto y = static_cast<int>((row - layer * tilesY) * TShape::rows + thread / TShape::columns);
    const bool hasLast = x + TShape::width >= nx;
    if (x >= nx || y >= ny || (TShape::axes > 1 && y == ny - 1) || (TShape::width == 1 && hasLast))
    {
      continue;
    }
    const std::int64_t                  plane = std::int64_t{ nx } * ny;
    const NoiseColumn<VHasMask, TShape> column{ planes, choice, hasLast, std::int64_t{ y } * nx + x, nx, plane };
    const int     first = static_cast<int>(planes.zBegin) + static_cast<int>(layer * residualPlanes);
    const int     last = min(static_cast<int>(planes.zEnd), first + end);
    const int     zOfFirst = first + begin + static_cast<int>(planes.skipped);
    const float * at = planes.input + zOfFirst * plane + column.inPlane;
    for (int z = zOfFirst; z < last; z += planesOfLook, at += planesOfLook * plane)
    {
      const int behind = z + TShape::planesAtOnce;
      if (behind <= last && behind + column.layers <= nz + 1)
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
