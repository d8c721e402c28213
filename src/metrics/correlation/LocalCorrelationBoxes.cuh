// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_correlation_LocalCorrelationBoxes_cuh
#define cudaneuro_metrics_correlation_LocalCorrelationBoxes_cuh

#include "core/HostDevice.h"
#include "metrics/correlation/LocalCorrelationArguments.cuh"

#include <cstddef>
#include <cstdint>

/** Sums over the boxes around voxels: a block of threads processes a tile of columns of voxels, and marches along z. */
namespace cudaneuro
{
namespace
{

/** Columns of voxels whose terms a block computes while it marches along z. */
constexpr int boxTileX = 32;
constexpr int boxTileY = 24;
constexpr int boxThreads = 384;
/** Neighbors along x, and along y, whose boxes a thread sums one after another. */
constexpr int boxRunX = 8;
constexpr int boxRunY = boxTileX * boxTileY / boxThreads;
/** The number of columns of the tile and its margin that a thread sums, for half-widths up to 3, and for larger
 * ones. */
constexpr int fewBoxColumns = 3;
constexpr int manyBoxColumns = 5;
/** The half-width for which kernels are specialized, because most registrations use it. */
constexpr int usualRadius = 3;

/** The template parameters of a kernel: VRadius is the half-width of the boxes, or 0 to take it from the arguments. */
template <int VRadius, int VColumns>
struct BoxKernel
{
  static constexpr int columns = VColumns;

  CUDANEURO_HOST_DEVICE static constexpr int
  Radius(int radiusOfArguments)
  {
    return VRadius > 0 ? VRadius : radiusOfArguments;
  }
};

using UsualBoxes = BoxKernel<usualRadius, fewBoxColumns>;
using SmallBoxes = BoxKernel<0, fewBoxColumns>;
using LargeBoxes = BoxKernel<0, manyBoxColumns>;
/** Returns the number of blocks per multiprocessor, which limits the registers. */
constexpr int
BoxBlocks(bool hasFewColumns)
{
  return hasFewColumns ? 3 : 2;
}
/** The largest half-width of boxes. */
constexpr int largestRadius = 8;

/** A block's tile with its margin in shared memory: sums of columns over the box along z, and from them sums over
 * the box along x. Row pitches are odd, so that threads which process one row each use different banks. */
struct BoxTile
{
  static constexpr int rowPitch = boxTileX | 1;

  int rows;
  int width;
  int columnPitch;

  CUDANEURO_HOST_DEVICE explicit BoxTile(int radius)
    : rows(boxTileY + 2 * radius)
    , width(boxTileX + 2 * radius)
    , columnPitch(width | 1)
  {}

  std::size_t
  SharedBytes(int channels) const
  {
    return sizeof(float) * channels * rows * (columnPitch + rowPitch);
  }
  /** Returns the number of columns that a thread sums. */
  int
  ColumnsOfThread() const
  {
    return (rows * width + boxThreads - 1) / boxThreads;
  }
};

/** Sums over the boxes along z in shared memory; a thread sums some columns of the tile. From plane to plane, a box
 * gains a voxel and loses one. The next such voxels are loaded ahead. */
template <typename TLoad, typename TKernel>
class BoxColumns
{
public:
  static constexpr int channels = TLoad::count;
  static constexpr int columns = TKernel::columns;

  __device__ __forceinline__
  BoxColumns(const CorrelationArguments & arguments, const BoxTile & tile, int firstX, int firstY, float * sums)
    : m_Arguments(arguments)
    , m_Tile(tile)
    , m_Radius(TKernel::Radius(arguments.radius))
    , m_Sums(sums)
  {
    const Extent & extent = arguments.extent;
#pragma unroll
    for (int k = 0; k < columns; ++k)
    {
      // The first 32 columns of each row come first, with one warp for each row, because warps that continue in the
      // next row have bank conflicts.
      const int  index = threadIdx.x + k * boxThreads;
      const int  rest = index - boxTileX * tile.rows;
      const int  row = rest < 0 ? index / boxTileX : rest / (2 * m_Radius);
      const int  column = rest < 0 ? index % boxTileX : boxTileX + rest % (2 * m_Radius);
      const int  x = firstX + column - m_Radius;
      const int  y = firstY + row - m_Radius;
      const bool isOnGrid = row < tile.rows && x >= 0 && x < extent.x && y >= 0 && y < extent.y;
      m_Offsets[k] = isOnGrid ? y * extent.x + x : -1;
      m_Slots[k] = row < tile.rows ? row * tile.columnPitch + column : -1;
      for (int channel = 0; channel < channels; ++channel)
      {
        if (m_Slots[k] >= 0)
        {
          m_Sums[channel * tile.rows * tile.columnPitch + m_Slots[k]] = 0.0f;
        }
      }
    }
  }

  /** Sums the planes of the box of plane z but the last, which the next Advance adds. */
  __device__ __forceinline__ void
  Start(int z)
  {
    this->Load(-1, m_Leaving);
    for (int plane = z - m_Radius; plane < z + m_Radius; ++plane)
    {
      this->Load(plane, m_Entering);
      this->Advance();
    }
    this->Load(z + m_Radius, m_Entering);
  }

  /** Adds the voxels that enter the box, and subtracts those that leave. */
  __device__ __forceinline__ void
  Advance()
  {
#pragma unroll
    for (int k = 0; k < columns; ++k)
    {
      float entering[channels];
      float leaving[channels];
      TLoad::Compute(m_Entering[k], entering);
      TLoad::Compute(m_Leaving[k], leaving);
      if (m_Slots[k] >= 0)
      {
        for (int channel = 0; channel < channels; ++channel)
        {
          m_Sums[channel * m_Tile.rows * m_Tile.columnPitch + m_Slots[k]] += entering[channel] - leaving[channel];
        }
      }
    }
  }

  /** Loads the voxels by which the box of plane z differs from that of the plane below. */
  __device__ __forceinline__ void
  LoadAhead(int z)
  {
    this->Load(z - m_Radius - 1, m_Leaving);
    this->Load(z + m_Radius, m_Entering);
  }

private:
  using Values = float[columns][TLoad::inputs];

  __device__ __forceinline__ void
  Load(int z, Values & values) const
  {
    const Extent &     extent = m_Arguments.extent;
    const std::int64_t plane = std::int64_t{ z } * extent.y * extent.x;
    const bool         isOnGrid = z >= 0 && z < extent.z;
#pragma unroll
    for (int k = 0; k < columns; ++k)
    {
      for (float & value : values[k])
      {
        value = TLoad::Outside();
      }
      if (isOnGrid && m_Offsets[k] >= 0)
      {
        TLoad::Load(m_Arguments, plane + m_Offsets[k], values[k]);
      }
    }
  }

  const CorrelationArguments & m_Arguments;
  const BoxTile &              m_Tile;
  int                          m_Radius;
  float *                      m_Sums;
  /** Offsets of the columns in a plane of the grid, and in the tile; -1 outside. */
  int    m_Offsets[columns];
  int    m_Slots[columns];
  Values m_Entering;
  Values m_Leaving;
};

/** Sums the columns' sums over the boxes along x. A thread sums runs of neighbors in a row. Called by a whole block. */
template <int VChannels>
__device__ __forceinline__ void
SumBoxRows(const BoxTile & tile, int radius, const float * columnSums, float * rowSums)
{
  const int rows = VChannels * tile.rows;
  for (int run = threadIdx.x; run < rows * (boxTileX / boxRunX); run += boxThreads)
  {
    const int           row = run % rows;
    const int           first = run / rows * boxRunX;
    const float * const from = columnSums + row * tile.columnPitch + first;
    float * const       to = rowSums + row * BoxTile::rowPitch + first;
    float               sum = 0.0f;
    for (int tap = 0; tap < 2 * radius; ++tap)
    {
      sum += from[tap];
    }
#pragma unroll
    for (int k = 0; k < boxRunX; ++k)
    {
      sum += from[k + 2 * radius];
      to[k] = sum;
      sum -= from[k];
    }
  }
}

/** Calls body(k, i, sums) for the voxels of a block's columns from plane to plane, with the sums over the box of
 * the quantities that TLoad computes for a voxel; voxels outside the grid add nothing. Before the sums are complete,
 * prepare(k, i) can load values that body needs; k numbers a thread's voxels of a plane. Called by a whole block, with
 * BoxTile::SharedBytes of shared memory. A voxel is read once for its own tile, and again for the margins of other
 * tiles and when a box loses it. */
template <typename TLoad, typename TKernel, typename TPrepare, typename TBody>
__device__ __forceinline__ void
ForBoxes(const CorrelationArguments & arguments, float * shared, const TPrepare & prepare, const TBody & body)
{
  constexpr int  channels = TLoad::count;
  const Extent & extent = arguments.extent;
  const int      radius = TKernel::Radius(arguments.radius);
  const BoxTile  tile(radius);
  const int      firstX = blockIdx.x * boxTileX;
  const int      firstY = blockIdx.y * boxTileY;
  const int      begin = blockIdx.z * arguments.planes;
  const int      end = min(begin + arguments.planes, extent.z);
  float * const  rowSums = shared + channels * tile.rows * tile.columnPitch;
  const int      x = firstX + threadIdx.x % boxTileX;
  const int      ownRow = threadIdx.x / boxTileX * boxRunY;
  const int      y = firstY + ownRow;
  const float *  own = rowSums + ownRow * BoxTile::rowPitch + threadIdx.x % boxTileX;

  BoxColumns<TLoad, TKernel> columns(arguments, tile, firstX, firstY, shared);
  columns.Start(begin);
  for (int z = begin; z < end; ++z)
  {
    columns.Advance();
    if (z + 1 < end)
    {
      columns.LoadAhead(z + 1);
    }
    __syncthreads();
    const auto indexOf = [&](int k) { return (std::int64_t{ z } * extent.y + y + k) * extent.x + x; };
#pragma unroll
    for (int k = 0; k < boxRunY; ++k)
    {
      if (x < extent.x && y + k < extent.y)
      {
        prepare(k, indexOf(k));
      }
    }
    SumBoxRows<channels>(tile, radius, shared, rowSums);
    __syncthreads();
    float      sums[channels] = {};
    const auto add = [&](int row, float sign) {
      for (int channel = 0; channel < channels; ++channel)
      {
        sums[channel] += sign * own[(channel * tile.rows + row) * BoxTile::rowPitch];
      }
    };
    for (int tap = 0; tap < 2 * radius; ++tap)
    {
      add(tap, 1.0f);
    }
#pragma unroll
    for (int k = 0; k < boxRunY; ++k)
    {
      add(k + 2 * radius, 1.0f);
      if (x < extent.x && y + k < extent.y)
      {
        body(k, indexOf(k), sums);
      }
      add(k, -1.0f);
    }
  }
}

} // namespace
} // namespace cudaneuro

#endif
