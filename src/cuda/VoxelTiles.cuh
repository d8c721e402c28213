// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_VoxelTiles_cuh
#define cudaneuro_cuda_VoxelTiles_cuh

#include "core/IntegerMath.h"
#include "core/SoAField.h"
#include "cuda/ResidentBlocks.cuh"

#include <algorithm>

/** The division of voxels among blocks for kernels that gather: a block has a tile of 32 x 8 x planes voxels, so that
 * the data that its threads gather overlap in the cache; a thread has one voxel of each plane. */
namespace cudaneuro
{

constexpr int tileThreadsX = 32;
constexpr int tileThreadsY = 8;
constexpr int tileThreads = tileThreadsX * tileThreadsY;

/** The minimum number of blocks on a multiprocessor for kernels that gather: on an H200, this is 5 % to 10 % faster
 * than with as many registers as the compiler would use. */
constexpr int residentGatherBlocks = ResidentBlocks(5, tileThreads);

inline dim3
TileBlock()
{
  return { tileThreadsX, tileThreadsY, 1 };
}

struct VoxelTiles
{
  Extent       extent;
  unsigned int alongX;
  unsigned int alongY;
  unsigned int alongZ;

  VoxelTiles(const Extent & voxels, int planes)
    : extent(voxels)
    , alongX(DivideUp(static_cast<unsigned int>(voxels.x), tileThreadsX))
    , alongY(DivideUp(static_cast<unsigned int>(voxels.y), tileThreadsY))
    , alongZ(DivideUp(static_cast<unsigned int>(voxels.z), planes))
  {}

  std::int64_t
  Count() const
  {
    return std::int64_t{ alongX } * alongY * alongZ;
  }
};

/** The first voxel of a thread in a tile. Along x and y it may be outside the grid. */
struct TileVoxel
{
  int x;
  int y;
  int z;

  __device__
  TileVoxel(const VoxelTiles & tiles, unsigned int tile, int planes)
  {
    const unsigned int row = tile / tiles.alongX;
    x = static_cast<int>((tile - row * tiles.alongX) * tileThreadsX + threadIdx.x);
    y = static_cast<int>(row % tiles.alongY * tileThreadsY + threadIdx.y);
    z = static_cast<int>(row / tiles.alongY) * planes;
  }

  /** For tiles that are blocks of a three-dimensional grid. */
  __device__ explicit TileVoxel(int planes)
    : x(static_cast<int>(blockIdx.x * tileThreadsX + threadIdx.x))
    , y(static_cast<int>(blockIdx.y * tileThreadsY + threadIdx.y))
    , z(static_cast<int>(blockIdx.z) * planes)
  {}

  __device__ bool
  IsOnGrid(const Extent & extent) const
  {
    return x < extent.x && y < extent.y;
  }

  template <typename TIndex>
  __device__ TIndex
  Index(const Extent & extent) const
  {
    return (static_cast<TIndex>(z) * extent.y + y) * extent.x + x;
  }
};

} // namespace cudaneuro

#endif
