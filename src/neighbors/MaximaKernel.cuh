// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_MaximaKernel_cuh
#define cudaneuro_neighbors_MaximaKernel_cuh

#include "neighbors/ProductTile.cuh"

namespace cudaneuro::gpu
{

/** Number of groups of columns that a block of this shape has for each row. */
template <typename TShape>
constexpr int groupsOfBlock = 8 * TShape::columnTiles;

/** Largest products in groups of columns. Groups are disjoint, so that at least k columns reach the k-th largest of the
 * maxima. Block (x, y) reads its rows and the columns from y * columnsOfBlock on, and writes the maxima of
 * groupsOfBlock groups for each row, from maxima[row * gridDim.y * groupsOfBlock + y * groupsOfBlock] on. The maximum
 * of a group that has only dummy columns is below leastProductOfPoint. */
template <typename TShape>
__global__ void
__launch_bounds__(TShape::threads, TShape::residentBlocks)
  MaximaKernel(ProductOperands operands, int numberOfColumns, float * maxima)
{
  extern __shared__ int4 sharedTiles[];
  const int              firstRow = static_cast<int>(blockIdx.x * TShape::rows + threadIdx.x / 32 * TShape::warpRows);
  const WarpRows<TShape> rows(operands, firstRow);
  float                  largest[TShape::rowTiles][TShape::columnTiles][4];
#pragma unroll
  for (int row = 0; row < TShape::rowTiles; ++row)
  {
#pragma unroll
    for (int column = 0; column < TShape::columnTiles; ++column)
    {
#pragma unroll
      for (float & value : largest[row][column])
      {
        value = 2.0f * leastProductOfPoint;
      }
    }
  }
  const int begin = static_cast<int>(blockIdx.y) * operands.columnsOfBlock;
  const int end = min(begin + operands.columnsOfBlock, numberOfColumns);
  MultiplyColumns<TShape>(operands, rows, sharedTiles, begin, end, [&](const auto & sums, int) {
#pragma unroll
    for (int row = 0; row < TShape::rowTiles; ++row)
    {
#pragma unroll
      for (int column = 0; column < TShape::columnTiles; ++column)
      {
#pragma unroll
        for (int i = 0; i < 4; ++i)
        {
          largest[row][column][i] = fmaxf(largest[row][column][i], sums[row][column][i]);
        }
      }
    }
  });
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int row = 0; row < TShape::rowTiles; ++row)
  {
#pragma unroll
    for (int half = 0; half < 2; ++half)
    {
      const std::int64_t to = firstRow + row * 16 + half * 8 + lane / 4;
      if (to < operands.numberOfRows)
      {
        float * const groups =
          maxima + (to * gridDim.y + blockIdx.y) * groupsOfBlock<TShape> + lane % 4 * (2 * TShape::columnTiles);
#pragma unroll
        for (int column = 0; column < TShape::columnTiles; column += 2)
        {
          *reinterpret_cast<float4 *>(groups + 2 * column) = make_float4(largest[row][column][2 * half],
                                                                         largest[row][column][2 * half + 1],
                                                                         largest[row][column + 1][2 * half],
                                                                         largest[row][column + 1][2 * half + 1]);
        }
      }
    }
  }
}

} // namespace cudaneuro::gpu

#endif
