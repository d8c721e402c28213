// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_SineProductKernel_cuh
#define cudaneuro_solvers_SineProductKernel_cuh

#include "cuda/DeviceGate.h"
#include "solvers/SineProductFormulas.h"

#include <cstdint>

/** Sine transforms along an axis of three volumes as products with the matrices of FoldedSineMatrix. A block of four
 * warps computes rows 2 m + p of both parities p for 32 values of m, that is, 64 successive coefficients of 128 lines;
 * two warps have one parity, and a thread has 8 rows of 8 lines. */
namespace cudaneuro::gpu
{

constexpr int productThreads = 128;
/** Lines whose results are turned at a time in shared memory. */
constexpr int productTurned = 32;
/** Rows are padded against bank conflicts, and begin at multiples of 16 bytes. */
constexpr int productPitch = productLines + 4;
constexpr int productCoefficients = 2 * productRows;

struct ProductArguments
{
  const float * from[3];
  float *       to[3];
  int           n;
  std::int64_t  lines;
  /** Value j of line i is at (i % inner) + (i / inner) * outer + j * stride. */
  std::int64_t inner;
  std::int64_t outer;
  int          stride;
  /** Both matrices, and their sizes. */
  const float * matrix;
  int           rows;
  int           columns;
  /** Set if the results are to be divided by the operator's eigenvalues: those along the axis, and along the two axes
   * that number the lines, a line's number modulo linesInner, and divided by it. */
  const float * eigenvalues[3];
  int           linesInner;
  float         alpha;
  float         gamma;
  DeviceGate    gate;
};

struct ProductOperands
{
  float matrix[2][productDepth][productRows];
  float values[2][productDepth][productPitch];
};

union ProductTiles
{
  ProductOperands operands;
  float           results[productCoefficients][productTurned + 1];
};

__device__ __forceinline__ std::int64_t
                           BeginOfLine(const ProductArguments & arguments, std::int64_t line)
{
  return line % arguments.inner + line / arguments.inner * arguments.outer;
}

__device__ __forceinline__ void
LoadMatrix(const ProductArguments & arguments, int beginColumn, int beginRow, ProductOperands & tile)
{
  const int row = static_cast<int>(threadIdx.x) % productRows;
#pragma unroll
  for (int i = static_cast<int>(threadIdx.x) / productRows; i < 2 * productDepth; i += productThreads / productRows)
  {
    const int parity = i / productDepth;
    const int column = i % productDepth;
    tile.matrix[parity][column][row] =
      arguments.matrix[(parity * arguments.columns + beginColumn + column) * arguments.rows + beginRow + row];
  }
}

/** Loads the sums and differences of value \p j and its mirror image of the line that begins at \p line, or zeros. */
__device__ __forceinline__ void
LoadPair(const ProductArguments & arguments,
         const float *            line,
         bool                     isLine,
         int                      j,
         int                      column,
         int                      index,
         ProductOperands &        tile)
{
  const bool  isInside = isLine && 2 * j < arguments.n;
  const float value = isInside ? line[std::int64_t{ j } * arguments.stride] : 0.0f;
  const float mirrored = isInside ? line[std::int64_t{ arguments.n - 1 - j } * arguments.stride] : 0.0f;
  tile.values[0][column][index] = value + mirrored;
  tile.values[1][column][index] = value - mirrored;
}

/** Neighboring threads read neighboring values: along the lines if these lie along x, across them otherwise. Then
 * \p ownLine is where the line of the thread's number in the tile begins. */
template <bool VAlongX>
__device__ __forceinline__ void
LoadValues(const ProductArguments & arguments,
           const float *            from,
           int                      beginColumn,
           std::int64_t             beginLine,
           std::int64_t             ownLine,
           ProductOperands &        tile)
{
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (VAlongX)
  {
    const int           column = thread % productDepth;
    const float * const begin = from + beginLine * arguments.outer;
#pragma unroll 8
    for (int index = thread / productDepth; index < productLines; index += productThreads / productDepth)
    {
      LoadPair(arguments,
               begin + index * arguments.outer,
               beginLine + index < arguments.lines,
               beginColumn + column,
               column,
               index,
               tile);
    }
  }
  else
  {
    const bool isLine = beginLine + thread < arguments.lines;
#pragma unroll 8
    for (int column = 0; column < productDepth; ++column)
    {
      LoadPair(arguments, from + ownLine, isLine, beginColumn + column, column, thread, tile);
    }
  }
}

/** Adds the products of the tile to a thread's sums, always in the order of the columns. */
__device__ __forceinline__ void
Accumulate(const ProductOperands & tile, int parity, int firstRow, int firstLine, float (&sums)[8][8])
{
#pragma unroll 2
  for (int column = 0; column < productDepth; ++column)
  {
    const float * const rows = &tile.matrix[parity][column][firstRow];
    const float * const lines = &tile.values[parity][column][firstLine];
    const float4        a[2] = { *reinterpret_cast<const float4 *>(rows), *reinterpret_cast<const float4 *>(rows + 4) };
    const float4        b[2] = { *reinterpret_cast<const float4 *>(lines),
                                 *reinterpret_cast<const float4 *>(lines + productLines / 2) };
    const float         left[8] = { a[0].x, a[0].y, a[0].z, a[0].w, a[1].x, a[1].y, a[1].z, a[1].w };
    const float         right[8] = { b[0].x, b[0].y, b[0].z, b[0].w, b[1].x, b[1].y, b[1].z, b[1].w };
#pragma unroll
    for (int r = 0; r < 8; ++r)
    {
#pragma unroll
      for (int l = 0; l < 8; ++l)
      {
        sums[r][l] = fmaf(left[r], right[l], sums[r][l]);
      }
    }
  }
}

/** Writes the results of 32 lines along x: neighboring threads write neighboring values of a line. */
__device__ __forceinline__ void
StoreAlong(const ProductArguments & arguments,
           float *                  to,
           int                      beginCoefficient,
           std::int64_t             beginLine,
           const ProductTiles &     tiles)
{
  const int column = static_cast<int>(threadIdx.x) % productCoefficients;
  const int k = beginCoefficient + column;
  for (int index = static_cast<int>(threadIdx.x) / productCoefficients; index < productTurned;
       index += productThreads / productCoefficients)
  {
    const std::int64_t line = beginLine + index;
    if (k < arguments.n && line < arguments.lines)
    {
      to[line * arguments.outer + k] = tiles.results[column][index];
    }
  }
}

/** Writes the results of 32 lines across x: neighboring threads write neighboring lines. Divides them by their
 * eigenvalues if \p VDivide. */
template <bool VDivide>
__device__ __forceinline__ void
StoreAcross(const ProductArguments & arguments,
            float *                  to,
            int                      beginCoefficient,
            std::int64_t             beginLine,
            const ProductTiles &     tiles)
{
  const int          index = static_cast<int>(threadIdx.x) % productTurned;
  const std::int64_t line = beginLine + index;
  if (line >= arguments.lines)
  {
    return;
  }
  float * const begin = to + BeginOfLine(arguments, line);
  float         others = 0.0f;
  if constexpr (VDivide)
  {
    others =
      arguments.eigenvalues[1][line % arguments.linesInner] + arguments.eigenvalues[2][line / arguments.linesInner];
  }
  // Few registers are left besides the sums.
#pragma unroll 2
  for (int row = static_cast<int>(threadIdx.x) / productTurned; row < productCoefficients;
       row += productThreads / productTurned)
  {
    const int k = beginCoefficient + row;
    if (k < arguments.n)
    {
      const float value = tiles.results[row][index];
      if constexpr (VDivide)
      {
        begin[std::int64_t{ k } * arguments.stride] =
          value / (arguments.alpha * (arguments.eigenvalues[0][k] + others) + arguments.gamma);
      }
      else
      {
        begin[std::int64_t{ k } * arguments.stride] = value;
      }
    }
  }
}

/** blockIdx.x numbers tiles of rows, and tiles of lines more slowly, so that blocks which read the same lines run
 * together; .y is the component. The output must not be the input. */
template <bool VAlongX, bool VDivide>
static __global__ void
__launch_bounds__(productThreads, 4) SineProductKernel(const ProductArguments arguments)
{
  __shared__ __align__(16) ProductTiles tiles;
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const int          rowTiles = arguments.rows / productRows;
  const int          beginRow = static_cast<int>(blockIdx.x) % rowTiles * productRows;
  const std::int64_t beginLine = std::int64_t{ static_cast<int>(blockIdx.x) / rowTiles } * productLines;
  const int          thread = static_cast<int>(threadIdx.x);
  const int          parity = thread / 64;
  const int          firstRow = thread % 64 / 16 * 8;
  const int          firstLine = thread % 16 * 4;
  const std::int64_t ownLine = VAlongX ? 0 : BeginOfLine(arguments, beginLine + thread);
  float              sums[8][8] = {};
  for (int column = 0; column < arguments.columns; column += productDepth)
  {
    LoadMatrix(arguments, column, beginRow, tiles.operands);
    LoadValues<VAlongX>(arguments, arguments.from[blockIdx.y], column, beginLine, ownLine, tiles.operands);
    __syncthreads();
    Accumulate(tiles.operands, parity, firstRow, firstLine, sums);
    __syncthreads();
  }
#pragma unroll
  for (int part = 0; part < productLines / productTurned; ++part)
  {
    // A thread has lines firstLine to firstLine + 3 of both halves of the tile, which have two parts each.
    if (firstLine / productTurned == part % 2)
    {
#pragma unroll
      for (int i = 0; i < 32; ++i)
      {
        tiles.results[2 * (firstRow + i / 4) + parity][firstLine % productTurned + i % 4] =
          sums[i / 4][part / 2 * 4 + i % 4];
      }
    }
    __syncthreads();
    float * const      to = arguments.to[blockIdx.y];
    const std::int64_t turned = beginLine + part * productTurned;
    if constexpr (VAlongX)
    {
      StoreAlong(arguments, to, 2 * beginRow, turned, tiles);
    }
    else
    {
      StoreAcross<VDivide>(arguments, to, 2 * beginRow, turned, tiles);
    }
    __syncthreads();
  }
}

} // namespace cudaneuro::gpu

#endif
