// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairKernel_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairKernel_cuh

#include "denoising/nonlocalmeans/NonLocalMeansKernel.cuh"
#include "denoising/nonlocalmeans/NonLocalMeansPairColumn.cuh"

namespace cudaneuro::gpu
{

/** The total of the sums that the tiles within a window of a voxel hold for it. */
template <typename TColumn, int VWindow>
struct CombinedPairSums
{
  using Tile = typename TColumn::Tile;
  using Sums = typename TColumn::Sums;

  float weightedSum = 0.0f;
  float weightSum = 0.0f;
  float largestWeight = 0.0f;

  /** Returns the neighboring tile, -1 or 1 away, that has sums for place \p x of a tile, or 0 if there is none. */
  __device__ static __forceinline__ int
  OtherTile(int x, int size)
  {
    return x < VWindow ? -1 : x >= size - VWindow ? 1 : 0;
  }

  /** Adds the sums of tile (\p tileX, \p tileY), if it exists, for voxel (x, y, z). */
  __device__ __forceinline__ void
  AddTile(const NonLocalMeansArguments & a, int tileX, int tileY, int x, int y, int z)
  {
    if (tileX < 0 || tileX >= a.tilesX || tileY < 0 || tileY >= a.tilesY)
    {
      return;
    }
    const std::int64_t tile = static_cast<std::int64_t>(tileY) * a.tilesX + tileX;
    const std::int64_t plane = tile * (a.zEnd - a.zBegin) + z - a.zBegin;
    const int          column = x - tileX * Tile::tileX + VWindow;
    const int          row = y - tileY * Tile::tileY + VWindow;
    const float *      from = a.scratch + plane * (Sums::sums * Sums::floatsPerPlane) + row * 32 + column;
    weightedSum += from[0];
    weightSum += from[Sums::floatsPerPlane];
    if constexpr (Sums::sums == 3)
    {
      largestWeight = fmaxf(largestWeight, from[2 * Sums::floatsPerPlane]);
    }
  }

  __device__ __forceinline__ void
  AddTiles(const NonLocalMeansArguments & a, int x, int y, int z)
  {
    const int tileX = x / Tile::tileX;
    const int tileY = y / Tile::tileY;
    const int otherX = OtherTile(x - tileX * Tile::tileX, Tile::tileX);
    const int otherY = OtherTile(y - tileY * Tile::tileY, Tile::tileY);
    this->AddTile(a, tileX, tileY, x, y, z);
    if (otherX != 0)
    {
      this->AddTile(a, tileX + otherX, tileY, x, y, z);
    }
    if (otherY != 0)
    {
      this->AddTile(a, tileX, tileY + otherY, x, y, z);
    }
    if (otherX != 0 && otherY != 0)
    {
      this->AddTile(a, tileX + otherX, tileY + otherY, x, y, z);
    }
  }
};

constexpr int combinedColumns = 32;
constexpr int combinedRows = 8;

/** Reads the input and the sums of all tiles; writes the output of planes [zBegin, zEnd), which includes each voxel's
 * own weight. Each thread computes one voxel. Thread blocks are ordered by x, y and z. */
template <typename TColumn, int VWindow, bool VRician>
static __global__ void
__launch_bounds__(combinedColumns * combinedRows) CombinePairSumsKernel(NonLocalMeansArguments a)
{
  const int blocksX = DivideUp(a.size.x, combinedColumns);
  const int blocksY = DivideUp(a.size.y, combinedRows);
  const int row = static_cast<int>(blockIdx.x / blocksX);
  const int x = static_cast<int>(blockIdx.x % blocksX) * combinedColumns + static_cast<int>(threadIdx.x);
  const int y = row % blocksY * combinedRows + static_cast<int>(threadIdx.y);
  const int z = row / blocksY + a.zBegin;
  if (x >= a.size.x || y >= a.size.y)
  {
    return;
  }
  const std::int64_t voxel = (static_cast<std::int64_t>(z) * a.size.y + y) * a.size.x + x;
  const float        value = LoadNonLocalMeansVoxel<false>(a, x, y, z);
  if (!IsDenoised(value))
  {
    a.output[voxel] = KeptIntensity<VRician>(value, a.input[voxel]);
    return;
  }
  CombinedPairSums<TColumn, VWindow> sums;
  sums.AddTiles(a, x, y, z);
  const float center = a.maximumCenterWeight ? MaximumCenterWeight(sums.largestWeight) : 1.0f;
  const float weightedSum = fmaf(center, ValueToAverage<VRician>(a, value), sums.weightedSum);
  a.output[voxel] = NonLocalMeansResult<VRician, false>(a, weightedSum, center + sums.weightSum, 1.0f);
}

/** Launches both kernels on planes [zBegin, zEnd). */
template <typename TColumn, int VWindow, bool VRician>
void
LaunchNonLocalMeansPairs(NonLocalMeansArguments a, int multiprocessors, cudaStream_t stream)
{
  using Tile = typename TColumn::Tile;
  const auto kernel = NonLocalMeansKernel<TColumn>;
  const int  planes = a.zEnd - a.zBegin;
  AllowAllSharedMemory(kernel);
  const unsigned int blocks = ShareStrips<TColumn>(a, TColumn::Shape::blocks * multiprocessors);
  kernel<<<blocks, Tile::threads, TColumn::SharedBytes(a), stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("NonLocalMeansKernel");
  const std::int64_t combined =
    std::int64_t{ DivideUp(a.size.x, combinedColumns) } * DivideUp(a.size.y, combinedRows) * planes;
  CombinePairSumsKernel<TColumn, VWindow, VRician>
    <<<static_cast<unsigned int>(combined), dim3(combinedColumns, combinedRows), 0, stream>>>(a);
  CUDANEURO_CUDA_LAUNCHED("CombinePairSumsKernel");
}

} // namespace cudaneuro::gpu

#endif
