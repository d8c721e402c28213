// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_ZeroLevelDistanceKernel_cuh
#define cudaneuro_surface_ZeroLevelDistanceKernel_cuh

#include "cuda/VoxelTiles.cuh"
#include "surface/SquaredDistance.cuh"
#include "surface/ZeroLevelFormulas.h"

namespace cudaneuro::gpu
{

/** Number of planes of a tile in the search for cells. */
constexpr int cellPlanes = 4;
/** Number of warps in a block; each processes cells. */
constexpr int cellWarps = 4;
/** Number of voxels in a column along z that a lane processes at once, loading each triangle once for all of them. */
constexpr int columnVoxels = 4;

/** Eight voxels around corner 0 of a cell. */
struct CellCorner
{
  std::int64_t index;
  std::int64_t planeVoxels;
  int          sizeX;

  /** The index of corner \p i. */
  __device__ std::int64_t
             operator()(int i) const
  {
    return index + (i & 1) + (i & 2 ? sizeX : 0) + (i & 4 ? planeVoxels : 0);
  }
};

struct CellCounts
{
  unsigned long long cells;
  unsigned long long valuesNotFinite;
};

/** Finds the cells that the zero level crosses; counts them, and values that are not finite. Reads the field, and
 * writes the indices of the cells' corners 0, unless \p cells is null, in an order that differs between runs. That
 * does not matter for the distances, because they are minima over the cells. Each block visits tiles in a strided
 * loop. */
__global__ void
__launch_bounds__(tileThreads) FindCellsKernel(const __grid_constant__ VoxelTiles tiles,
                                               std::int64_t                       numberOfTiles,
                                               const float *                      field,
                                               std::int64_t *                     cells,
                                               CellCounts *                       counts)
{
  const Extent &     extent = tiles.extent;
  const std::int64_t planeVoxels = std::int64_t{ extent.x } * extent.y;
  const auto         lane = threadIdx.x;
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), cellPlanes);
    const int       end = min(voxel.z + cellPlanes, extent.z);
    for (int z = voxel.z; z < end; ++z)
    {
      const CellCorner corner{ (std::int64_t{ z } * extent.y + voxel.y) * extent.x + voxel.x, planeVoxels, extent.x };
      bool             isCrossed = false;
      bool             isFinite = true;
      if (voxel.IsOnGrid(extent))
      {
        const float value = field[corner.index];
        isFinite = isfinite(value);
        if (voxel.x + 1 < extent.x && voxel.y + 1 < extent.y && z + 1 < extent.z)
        {
#pragma unroll
          for (int i = 1; i < 8; ++i)
          {
            isCrossed |= IsInside(field[corner(i)]) != IsInside(value);
          }
        }
      }
      const unsigned int crossed = __ballot_sync(0xffffffffu, isCrossed);
      const unsigned int notFinite = __ballot_sync(0xffffffffu, !isFinite);
      unsigned long long first = 0;
      if (lane == 0 && crossed != 0)
      {
        first = atomicAdd(&counts->cells, static_cast<unsigned long long>(__popc(crossed)));
      }
      if (lane == 0 && notFinite != 0)
      {
        atomicAdd(&counts->valuesNotFinite, static_cast<unsigned long long>(__popc(notFinite)));
      }
      first = __shfl_sync(0xffffffffu, first, 0);
      if (isCrossed && cells)
      {
        cells[first + __popc(crossed & ((1U << lane) - 1U))] = corner.index;
      }
    }
  }
}

struct ZeroLevelArguments
{
  Extent               extent;
  SpaceVector<double>  spacing;
  float                reach;
  int                  voxelsInReach[3];
  const float *        field;
  const std::int64_t * cells;
  std::int64_t         numberOfCells;
  float *              squared;
};

/** The triangles or points of a cell, in shared memory. */
template <typename TElements>
struct CellElements
{
  struct alignas(16) Aligned
  {
    typename TElements::Shape shape;
  };

  float   values[8];
  Aligned shapes[TElements::perCell];

  /** Computes the elements. Called by all lanes of a warp.
   * \returns the number of elements */
  __device__ int
  Make(const float * field, const CellCorner & corner, const SpaceVector<double> & spacing)
  {
    const auto lane = static_cast<int>(threadIdx.x);
    if (lane < 8)
    {
      values[lane] = field[corner(lane)];
    }
    __syncwarp();
    typename TElements::Shape shape;
    const bool                exists = lane < TElements::perCell && TElements::Make(values, spacing, lane, shape);
    const unsigned int        existing = __ballot_sync(0xffffffffu, exists);
    if (exists)
    {
      shapes[__popc(existing & ((1U << lane) - 1U))].shape = shape;
    }
    __syncwarp();
    return __popc(existing);
  }
};

/** Queue of the columns near a warp's cell that have not been processed yet, in shared memory. */
struct ColumnQueue
{
  /** Twice the number that a warp processes at once: if fewer than that number wait, each lane may add one. */
  uint2 columns[2 * warpThreads];
};

/** The voxels within reach of a cell, in columns of columnVoxels along z. */
struct CellSurroundings
{
  const ZeroLevelArguments & arguments;
  SpaceVector<float>         spacing;
  std::int64_t               planeVoxels;
  int                        cell[3];
  int                        begin[3];
  int                        end[3];

  __device__
  CellSurroundings(const ZeroLevelArguments & all, std::int64_t index)
    : arguments(all)
    , spacing(ToFloat(all.spacing))
    , planeVoxels(std::int64_t{ all.extent.x } * all.extent.y)
  {
    const auto inPlane = static_cast<int>(index % planeVoxels);
    cell[0] = inPlane % all.extent.x;
    cell[1] = inPlane / all.extent.x;
    cell[2] = static_cast<int>(index / planeVoxels);
    const int sizes[3] = { all.extent.x, all.extent.y, all.extent.z };
#pragma unroll
    for (int axis = 0; axis < 3; ++axis)
    {
      begin[axis] = max(cell[axis] - all.voxelsInReach[axis], 0);
      end[axis] = min(cell[axis] + 2 + all.voxelsInReach[axis], sizes[axis]);
    }
  }

  /** The number of columns at one position along z. A column is given by its number in the plane and its part. */
  __device__ unsigned int
  ColumnsInPlane() const
  {
    return static_cast<unsigned int>(end[0] - begin[0]) * static_cast<unsigned int>(end[1] - begin[1]);
  }
  __device__ unsigned int
  PartsAlongZ() const
  {
    return static_cast<unsigned int>(DivideUp(end[2] - begin[2], columnVoxels));
  }
};

/** Voxels in a column near a cell. Coordinates are in mm from the cell's corner 0. Their products are rounded
 * explicitly, never fused with a later subtraction: the kernel has two copies of this code, and the order of the cells
 * determines which copy processes a column. */
struct VoxelColumn
{
  SpaceVector<float> start;
  SpaceVector<float> spacing;
  float *            squared;
  std::int64_t       planeVoxels;
  int                count;

  __device__
  VoxelColumn(const CellSurroundings & around, unsigned int inPlane, unsigned int part)
    : spacing(around.spacing)
    , planeVoxels(around.planeVoxels)
  {
    const auto sizeX = static_cast<unsigned int>(around.end[0] - around.begin[0]);
    const int  x = around.begin[0] + static_cast<int>(inPlane % sizeX);
    const int  y = around.begin[1] + static_cast<int>(inPlane / sizeX);
    const int  z = around.begin[2] + static_cast<int>(part) * columnVoxels;
    start = { __fmul_rn(static_cast<float>(x - around.cell[0]), spacing.x),
              __fmul_rn(static_cast<float>(y - around.cell[1]), spacing.y),
              __fmul_rn(static_cast<float>(z - around.cell[2]), spacing.z) };
    squared = around.arguments.squared + z * planeVoxels + std::int64_t{ y } * around.arguments.extent.x + x;
    count = around.end[2] - z;
  }

  /** The coordinate z of voxel \p i. */
  __device__ float
  Z(int i) const
  {
    return MultiplyAdd(static_cast<float>(i), spacing.z, start.z);
  }

  /** Whether the cell may be nearer to a voxel than its value so far. */
  __device__ bool
  IsNear() const
  {
    const float inPlane = SquaredBeyond(start.x, spacing.x) + SquaredBeyond(start.y, spacing.y);
    bool        isNear = false;
#pragma unroll
    for (int i = 0; i < columnVoxels; ++i)
    {
      const float bound = inPlane + SquaredBeyond(this->Z(i), spacing.z);
      // The factor keeps rounding errors from excluding a voxel.
      isNear |= i < count && 0.999f * bound < __ldcg(squared + i * planeVoxels);
    }
    return isNear;
  }

  /** Lowers the squared distances to those of \p numberOfShapes shapes, where these are below \p squaredReach. */
  template <typename TAligned>
  __device__ void
  Lower(const TAligned * shapes, int numberOfShapes, float squaredReach) const
  {
    float least[columnVoxels];
#pragma unroll
    for (int i = 0; i < columnVoxels; ++i)
    {
      least[i] = squaredReach;
    }
    for (int s = 0; s < numberOfShapes; ++s)
    {
      const auto shape = shapes[s].shape;
#pragma unroll
      for (int i = 0; i < columnVoxels; ++i)
      {
        least[i] = fminf(least[i], SquaredDistance(shape, { start.x, start.y, this->Z(i) }));
      }
    }
#pragma unroll
    for (int i = 0; i < columnVoxels; ++i)
    {
      if (i < count && least[i] < squaredReach)
      {
        LowerTo(squared + i * planeVoxels, least[i]);
      }
    }
  }
};

/** Lowers the squared distances of all voxels to those of the zero level, where these are below reach^2. Each warp
 * processes a cell: it reads the field at its corners, and the squared distances of the voxels within reach of it.
 * Columns with a voxel nearer to the cell than its value so far are queued, so that all lanes have one to process.
 * Writes the values that become smaller. */
template <typename TElements>
__global__ void
__launch_bounds__(cellWarps * warpThreads) ZeroLevelKernel(const __grid_constant__ ZeroLevelArguments arguments)
{
  __shared__ CellElements<TElements> cellElements[cellWarps];
  __shared__ ColumnQueue             queues[cellWarps];
  CellElements<TElements> &          elements = cellElements[threadIdx.y];
  uint2 * const                      queue = queues[threadIdx.y].columns;
  const auto                         lane = threadIdx.x;
  const float                        squaredReach = arguments.reach * arguments.reach;
  const std::int64_t                 stride = std::int64_t{ gridDim.x } * cellWarps;
  for (std::int64_t item = std::int64_t{ blockIdx.x } * cellWarps + threadIdx.y; item < arguments.numberOfCells;
       item += stride)
  {
    const std::int64_t     index = arguments.cells[item];
    const CellSurroundings around(arguments, index);
    const CellCorner       corner{ index, around.planeVoxels, arguments.extent.x };
    const int              number = elements.Make(arguments.field, corner, arguments.spacing);
    const unsigned int     columns = around.ColumnsInPlane();
    const unsigned int     parts = around.PartsAlongZ();
    unsigned int           waiting = 0;
    const auto             compute = [&](unsigned int count) {
      __syncwarp();
      if (lane < count)
      {
        const VoxelColumn column(around, queue[lane].x, queue[lane].y);
        column.Lower(elements.shapes, number, squaredReach);
      }
      __syncwarp();
    };
    // A cell without elements causes no work.
    for (unsigned int first = 0; number > 0 && first < columns; first += warpThreads)
    {
      const unsigned int inPlane = first + lane;
      for (unsigned int part = 0; part < parts; ++part)
      {
        const bool         isNear = inPlane < columns && VoxelColumn(around, inPlane, part).IsNear();
        const unsigned int near = __ballot_sync(0xffffffffu, isNear);
        if (isNear)
        {
          queue[waiting + __popc(near & ((1U << lane) - 1U))] = make_uint2(inPlane, part);
        }
        waiting += __popc(near);
        if (waiting >= warpThreads)
        {
          compute(warpThreads);
          waiting -= warpThreads;
          if (lane < waiting)
          {
            queue[lane] = queue[warpThreads + lane];
          }
          __syncwarp();
        }
      }
    }
    compute(waiting);
  }
}

/** Writes signed distances. Reads the field and the squared distances, and next to the zero level those of the
 * neighbors. */
__global__ void
__launch_bounds__(tileThreads) FinishKernel(const __grid_constant__ VoxelTiles     tiles,
                                            std::int64_t                           numberOfTiles,
                                            const __grid_constant__ DistanceFinish finish,
                                            float *                                output)
{
  for (std::int64_t tile = blockIdx.x; tile < numberOfTiles; tile += gridDim.x)
  {
    const TileVoxel voxel(tiles, static_cast<unsigned int>(tile), cellPlanes);
    const int       end = min(voxel.z + cellPlanes, tiles.extent.z);
    for (int z = voxel.z; voxel.IsOnGrid(tiles.extent) && z < end; ++z)
    {
      const std::int64_t row = std::int64_t{ z } * tiles.extent.y + voxel.y;
      output[row * tiles.extent.x + voxel.x] = FinishedDistance(finish, voxel.x, voxel.y, z);
    }
  }
}

/** Reads labels and writes levels. */
template <typename TPixel>
__global__ void
__launch_bounds__(fillThreads)
  LabelLevelsKernel(std::int64_t count, const TPixel * labels, double label, float * levels)
{
  const std::int64_t stride = std::int64_t{ gridDim.x } * fillThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * fillThreads + threadIdx.x; i < count; i += stride)
  {
    levels[i] = LevelOf(labels[i], label);
  }
}

} // namespace cudaneuro::gpu

#endif
