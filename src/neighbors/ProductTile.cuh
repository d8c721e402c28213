// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_ProductTile_cuh
#define cudaneuro_neighbors_ProductTile_cuh

#include "core/IntegerMath.h"
#include "cuda/AsyncCopy.cuh"
#include "neighbors/Fp16Vectors.cuh"
#include "neighbors/MatrixUnit.cuh"

namespace cudaneuro::gpu
{

/** The shape in which a block computes products of queries (rows) with points (columns). A warp keeps its rows in
 * registers; columns pass through shared memory in tiles, which are copied while earlier ones are multiplied. */
template <int VDepth,
          int VRowTiles,
          int VColumnTiles,
          int VWarps,
          int VTileColumns,
          int VStages,
          int VResidentBlocks = 1>
struct ProductShape
{
  static_assert(VDepth % 16 == 0 && VColumnTiles % 2 == 0 && VTileColumns % (8 * VColumnTiles) == 0 &&
                VTileColumns <= halfPadding && VStages >= 2);

  /** Number of halves of a vector. */
  static constexpr int depth = VDepth;
  /** Number of tiles of 16 rows that a warp has, and of tiles of 8 columns by which it multiplies them at a time. */
  static constexpr int rowTiles = VRowTiles;
  static constexpr int columnTiles = VColumnTiles;
  static constexpr int warps = VWarps;
  static constexpr int threads = 32 * VWarps;
  static constexpr int warpRows = 16 * VRowTiles;
  static constexpr int rows = warpRows * VWarps;
  /** Number of columns of a tile in shared memory, and of tiles there. */
  static constexpr int tileColumns = VTileColumns;
  static constexpr int stages = VStages;
  static constexpr int residentBlocks = VResidentBlocks;

  /** Pieces have 16 bytes. A vector in shared memory has an odd number of them, which puts 8 vectors into different
   * banks. */
  static constexpr int pieces = VDepth / 8;
  static constexpr int pitch = pieces + 1;
  static constexpr int tileBytes = 16 * pitch * VTileColumns;
  static constexpr int sharedBytes = tileBytes * VStages;
};

/** Rows and columns of a product. */
struct ProductOperands
{
  /** Queries, or points in their place, whose tails are replaced. */
  Fp16Vectors rows;
  int         numberOfRows;
  int         dimension;
  /** Followed by halfPadding dummy vectors. */
  const __half * columns;
  int            numberOfPoints;
  /** Number of columns that a block processes; a multiple of the columns of a tile. */
  int columnsOfBlock;
};

/** A warp's rows, in the layout of MultiplyAdd. */
template <typename TShape>
struct WarpRows
{
  unsigned int a[TShape::rowTiles][TShape::depth / 16][4];

  /** Rows beyond the last one are copies of it. */
  __device__
  WarpRows(const ProductOperands & operands, int firstRow)
  {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int tile = 0; tile < TShape::rowTiles; ++tile)
    {
#pragma unroll
      for (int half = 0; half < 2; ++half)
      {
        const int            row = min(firstRow + tile * 16 + half * 8 + lane / 4, operands.numberOfRows - 1);
        const unsigned int * from =
          reinterpret_cast<const unsigned int *>(operands.rows.data + operands.rows.PositionOf(row) * TShape::depth);
#pragma unroll
        for (int step = 0; step < TShape::depth / 16; ++step)
        {
          a[tile][step][half] = Load(from, step * 16 + lane % 4 * 2, operands.dimension);
          a[tile][step][half + 2] = Load(from, step * 16 + 8 + lane % 4 * 2, operands.dimension);
        }
      }
    }
  }

private:
  /** Two halves from an even component on, with the tail of a query. */
  static __device__ unsigned int
  Load(const unsigned int * from, int component, int dimension)
  {
    unsigned int pair = from[component / 2];
    if (component + 1 >= dimension && component < dimension + halfTail)
    {
      constexpr unsigned int factor = 0x6800; // halfTailFactor
      const bool             isFirst = component >= dimension;
      const bool             isSecond = component + 1 < dimension + halfTail;
      pair = (isFirst ? factor : pair & 0xffffu) | (isSecond ? factor << 16 : pair & 0xffff0000u);
    }
    return pair;
  }
};

/** Calls consume(sums, column) for the products of a warp's rows with 8 * columnTiles columns from \p column on, for
 * all columns of [begin, end); sums are in the layout of MultiplyAdd. Called by all threads of the block. begin is a
 * multiple of the columns of a tile, and columns beyond the last point are dummies. */
template <typename TShape, typename TConsume>
__device__ __forceinline__ void
MultiplyColumns(const ProductOperands &  operands,
                const WarpRows<TShape> & rows,
                int4 *                   shared,
                int                      begin,
                int                      end,
                const TConsume &         consume)
{
  // The pieces of a tile's columns are contiguous in device memory.
  constexpr int      piecesOfTile = TShape::tileColumns * TShape::pieces;
  const int4 * const from = reinterpret_cast<const int4 *>(operands.columns) + threadIdx.x;
  const auto         startTile = [&](int column, int stage) {
    int4 * const       to = shared + stage * (TShape::tileBytes / 16);
    const int4 * const fromTile = from + std::int64_t{ column } * TShape::pieces;
#pragma unroll
    for (int i = 0; i < DivideUp(piecesOfTile, TShape::threads); ++i)
    {
      const int part = i * TShape::threads + static_cast<int>(threadIdx.x);
      if (piecesOfTile % TShape::threads == 0 || part < piecesOfTile)
      {
        StartCopy(to + part / TShape::pieces * TShape::pitch + part % TShape::pieces, fromTile + i * TShape::threads);
      }
    }
  };

  // The first copies need no barrier, because a block multiplies only once.
#pragma unroll
  for (int stage = 0; stage < TShape::stages - 1; ++stage)
  {
    if (begin + stage * TShape::tileColumns < end)
    {
      startTile(begin + stage * TShape::tileColumns, stage);
    }
    CommitCopies();
  }
  const int          lane = threadIdx.x % 32;
  const unsigned int laneOffset = 16 * ((lane % 8 + lane / 16 * 8) * TShape::pitch + lane / 8 % 2);
  const unsigned int sharedBase = static_cast<unsigned int>(__cvta_generic_to_shared(shared)) + laneOffset;
  int                stage = 0;
  int                free = TShape::stages - 1;
  for (int tile = begin; tile < end; tile += TShape::tileColumns)
  {
    WaitForCopies<TShape::stages - 2>();
    __syncthreads();
    const int ahead = tile + (TShape::stages - 1) * TShape::tileColumns;
    if (ahead < end)
    {
      startTile(ahead, free);
    }
    CommitCopies();
#pragma unroll 1
    for (int group = 0; group < TShape::tileColumns; group += 8 * TShape::columnTiles)
    {
      const unsigned int address = sharedBase + stage * TShape::tileBytes + group * (16 * TShape::pitch);
      float              sums[TShape::rowTiles][TShape::columnTiles][4];
#pragma unroll
      for (int step = 0; step < TShape::depth / 16; ++step)
      {
#pragma unroll
        for (int pair = 0; pair < TShape::columnTiles; pair += 2)
        {
          unsigned int b[4];
          LoadVectors(b, address + pair * (8 * 16 * TShape::pitch) + step * 32);
#pragma unroll
          for (int row = 0; row < TShape::rowTiles; ++row)
          {
#pragma unroll
            for (int i = 0; i < 2; ++i)
            {
              MultiplyAdd(sums[row][pair + i], rows.a[row][step], b[2 * i], b[2 * i + 1], step == 0);
            }
          }
        }
      }
      consume(sums, tile + group);
    }
    stage = stage + 1 == TShape::stages ? 0 : stage + 1;
    free = free + 1 == TShape::stages ? 0 : free + 1;
  }
}

} // namespace cudaneuro::gpu

#endif
