// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_SineProductKernel_cuh
#define cudaneuro_solvers_SineProductKernel_cuh

#include "cuda/DeviceGate.h"
#include "cuda/ResidentBlocks.cuh"
#include "solvers/SineProductFormulas.h"
#include "solvers/SplitProduct.cuh"

#include <cuda_pipeline.h>

#include <cstdint>

/** Sine transforms along an axis of three volumes as products with the matrices of FoldedSineMatrix. A block of eight
 * warps computes rows 2 m + p of both parities p for some successive m, for 64 lines. Four warps have one parity,
 * and each of them has half of the rows of half of the lines. */
namespace cudaneuro::gpu
{

constexpr int productThreads = 256;
/** The number of blocks per multiprocessor, which limits the registers. */
constexpr int productBlocks = 2;
/** The number of lines of a warp, and of those whose results are transposed at a time in shared memory. */
constexpr int productTurned = productLines / 2;
/** Row pitch in shared memory: a multiple of 16 bytes, and 8 modulo 32 for AddSplitProduct. */
constexpr int productPitch = productLines + 8;
/** An even pitch, for which few threads of a warp that write or read columns use the same bank. */
constexpr int turnedPitch = productTurned + 2;

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
  /** Both matrices, and their dimensions. */
  const float * matrix;
  int           rows;
  int           columns;
  /** Set if the results are to be divided by the operator's eigenvalues: those along the axis, and along the two axes
   * that number the lines, which are indexed by a line's number modulo linesInner, and divided by it. */
  const float * eigenvalues[3];
  int           linesInner;
  float         alpha;
  float         gamma;
  DeviceGate    gate;
};

/** The operands of a product in shared memory. VRows is the number of rows of either parity. */
template <int VRows>
struct ProductOperands
{
  static constexpr int rowPitch = VRows + 8;

  float matrix[2][productDepth][rowPitch];
  float values[2][productDepth][productPitch];
};

/** Two operands: one is read while the other one is filled. */
template <int VRows>
union ProductTiles
{
  ProductOperands<VRows> operands[2];
  float                  results[2 * VRows][turnedPitch];
};

__device__ __forceinline__ std::int64_t
                           BeginOfLine(const ProductArguments & arguments, std::int64_t line)
{
  return line % arguments.inner + line / arguments.inner * arguments.outer;
}

/** The pairs of values that a thread loads for the next operands while it computes with the last ones. */
struct ProductPairs
{
  static constexpr int count = productDepth * productLines / productThreads;

  float values[count];
  float mirrored[count];
};

/** Starts to copy rows of both matrices. Eight threads copy a column, four rows of it at a time. */
template <int VRows>
__device__ __forceinline__ void
CopyMatrix(const ProductArguments & arguments, int beginColumn, int beginRow, ProductOperands<VRows> & tile)
{
  static_assert(productThreads == 8 * 2 * productDepth);
  const int           row = static_cast<int>(threadIdx.x) % 8 * 4;
  const int           column = static_cast<int>(threadIdx.x) / 8 % productDepth;
  const int           parity = static_cast<int>(threadIdx.x) / 8 / productDepth;
  const float * const from =
    arguments.matrix + ((parity * arguments.columns + beginColumn + column) * arguments.rows + beginRow + row);
  float * const to = &tile.matrix[parity][column][row];
#pragma unroll
  for (int i = 0; i < VRows; i += 32)
  {
    __pipeline_memcpy_async(to + i, from + i, sizeof(float4));
  }
  __pipeline_commit();
}

/** Loads the pairs of a thread, step by step along the columns. Neighboring threads read neighboring values: along
 * the lines if the lines run along x, otherwise across them. */
template <bool VAlongX>
class PairLoader
{
public:
  __device__ __forceinline__
  PairLoader(const ProductArguments & arguments, const float * from, int lineTile)
    : m_Arguments(arguments)
    , m_Column(OwnColumn())
  {
    const std::int64_t  line = std::int64_t{ lineTile } * productLines + OwnLine();
    const float * const begin = from + BeginOfLine(arguments, line);
    m_LinesLeft = static_cast<int>(min(arguments.lines - line, std::int64_t{ productLines }));
    m_Values = begin + std::int64_t{ m_Column } * arguments.stride;
  }

  /** Loads values j and their mirror images, or zeros, and advances to the next step. */
  __device__ __forceinline__ void
  Fetch(ProductPairs & pairs)
  {
    const std::int64_t apart =
      VAlongX ? linesApart * m_Arguments.outer : std::int64_t{ columnsApart } * m_Arguments.stride;
    const float * const mirrored = m_Values + std::int64_t{ m_Arguments.n - 1 - 2 * m_Column } * m_Arguments.stride;
#pragma unroll
    for (int i = 0; i < ProductPairs::count; ++i)
    {
      const int  column = VAlongX ? m_Column : m_Column + i * columnsApart;
      const bool isInside = m_LinesLeft > (VAlongX ? i * linesApart : 0) && 2 * column < m_Arguments.n;
      pairs.values[i] = isInside ? m_Values[i * apart] : 0.0f;
      pairs.mirrored[i] = isInside ? mirrored[VAlongX ? i * apart : -i * apart] : 0.0f;
    }
    m_Column += productDepth;
    m_Values += std::int64_t{ productDepth } * m_Arguments.stride;
  }

  /** Stores sums and differences of the pairs in shared memory. */
  template <int VRows>
  __device__ __forceinline__ static void
  Put(const ProductPairs & pairs, ProductOperands<VRows> & tile)
  {
#pragma unroll
    for (int i = 0; i < ProductPairs::count; ++i)
    {
      const int column = VAlongX ? OwnColumn() : OwnColumn() + i * columnsApart;
      const int line = VAlongX ? OwnLine() + i * linesApart : OwnLine();
      tile.values[0][column][line] = pairs.values[i] + pairs.mirrored[i];
      tile.values[1][column][line] = pairs.values[i] - pairs.mirrored[i];
    }
  }

private:
  /** The distances between a thread's pairs, in lines and in columns. */
  static constexpr int linesApart = productThreads / productDepth;
  static constexpr int columnsApart = productThreads / productLines;

  /** Return the column and the line of the thread's first pair. */
  __device__ __forceinline__ static int
  OwnColumn()
  {
    return VAlongX ? static_cast<int>(threadIdx.x) % productDepth : static_cast<int>(threadIdx.x) / productLines;
  }
  __device__ __forceinline__ static int
  OwnLine()
  {
    return VAlongX ? static_cast<int>(threadIdx.x) / productDepth : static_cast<int>(threadIdx.x) % productLines;
  }

  const ProductArguments & m_Arguments;
  int                      m_Column;
  /** The number of lines from that of the first pair on. */
  int           m_LinesLeft;
  const float * m_Values;
};

/** Writes the results of 32 lines along x: neighboring threads write neighboring values of a line. */
template <int VRows>
__device__ __forceinline__ void
StoreAlong(const ProductArguments &    arguments,
           float *                     to,
           int                         beginCoefficient,
           std::int64_t                beginLine,
           const ProductTiles<VRows> & tiles)
{
  constexpr int coefficients = 2 * VRows;
  for (int i = static_cast<int>(threadIdx.x); i < coefficients * productTurned; i += productThreads)
  {
    const int          column = i % coefficients;
    const int          index = i / coefficients;
    const int          k = beginCoefficient + column;
    const std::int64_t line = beginLine + index;
    if (k < arguments.n && line < arguments.lines)
    {
      to[line * arguments.outer + k] = tiles.results[column][index];
    }
  }
}

/** Writes the results of 32 lines across x: neighboring threads write neighboring lines. Divides them by their
 * eigenvalues if \p VDivide. */
template <bool VDivide, int VRows>
__device__ __forceinline__ void
StoreAcross(const ProductArguments &    arguments,
            float *                     to,
            int                         beginCoefficient,
            std::int64_t                beginLine,
            const ProductTiles<VRows> & tiles)
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
  for (int row = static_cast<int>(threadIdx.x) / productTurned; row < 2 * VRows; row += productThreads / productTurned)
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

/** Stores the results of the warps that have the lines of a part in shared memory. */
template <int VRows>
__device__ __forceinline__ void
PutResults(const SplitSums (&sums)[VRows / 2 / splitRows][productTurned / splitColumns],
           int                   parity,
           int                   firstRow,
           ProductTiles<VRows> & tiles)
{
  const int row = firstRow + static_cast<int>(threadIdx.x) % 32 / 4;
  const int line = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int rowTile = 0; rowTile < VRows / 2 / splitRows; ++rowTile)
  {
#pragma unroll
    for (int tile = 0; tile < productTurned / splitColumns; ++tile)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        tiles.results[2 * (row + rowTile * splitRows + i / 2 * 8) + parity][line + tile * splitColumns + i % 2] =
          sums[rowTile][tile].values[i];
      }
    }
  }
}

/** Computes the products. blockIdx.x numbers tiles of rows, and tiles of lines more slowly, so that blocks that read
 * the same lines run together; .y is the component. Reads the values once per tile of rows, and writes as many. The
 * output must not be the input. */
template <bool VAlongX, bool VDivide, int VRows>
static __global__ void
__launch_bounds__(productThreads, ResidentBlocks(productBlocks, productThreads))
  SineProductKernel(const __grid_constant__ ProductArguments arguments)
{
  __shared__ __align__(16) ProductTiles<VRows> tiles;
  if (arguments.gate.IsClosed())
  {
    return;
  }
  const int           rowTiles = arguments.rows / VRows;
  const int           beginRow = static_cast<int>(blockIdx.x) % rowTiles * VRows;
  const int           lineTile = static_cast<int>(blockIdx.x) / rowTiles;
  const int           warp = static_cast<int>(threadIdx.x) / 32;
  const int           parity = warp / 4;
  const int           firstRow = warp / 2 % 2 * (VRows / 2);
  const int           part = warp % 2;
  PairLoader<VAlongX> loader(arguments, arguments.from[blockIdx.y], lineTile);
  ProductPairs        pairs;
  CopyMatrix(arguments, 0, beginRow, tiles.operands[0]);
  loader.Fetch(pairs);
  loader.Put(pairs, tiles.operands[0]);
  SplitSums sums[VRows / 2 / splitRows][productTurned / splitColumns];
  int       current = 0;
  for (int column = 0; column < arguments.columns; column += productDepth, current = 1 - current)
  {
    ProductOperands<VRows> & last = tiles.operands[current];
    ProductOperands<VRows> & next = tiles.operands[1 - current];
    const bool               hasNext = column + productDepth < arguments.columns;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (hasNext)
    {
      CopyMatrix(arguments, column + productDepth, beginRow, next);
      loader.Fetch(pairs);
    }
    // Not unrolled, because that would take too many registers.
#pragma unroll 1
    for (int k = 0; k < productDepth; k += splitDepth)
    {
      AddSplitProduct(&last.matrix[parity][k][firstRow],
                      ProductOperands<VRows>::rowPitch,
                      &last.values[parity][k][part * productTurned],
                      productPitch,
                      sums);
    }
    if (hasNext)
    {
      loader.Put(pairs, next);
    }
  }
  for (int turned = 0; turned < 2; ++turned)
  {
    __syncthreads();
    if (part == turned)
    {
      PutResults<VRows>(sums, parity, firstRow, tiles);
    }
    __syncthreads();
    float * const      to = arguments.to[blockIdx.y];
    const std::int64_t line = std::int64_t{ lineTile } * productLines + turned * productTurned;
    if constexpr (VAlongX)
    {
      StoreAlong<VRows>(arguments, to, 2 * beginRow, line, tiles);
    }
    else
    {
      StoreAcross<VDivide, VRows>(arguments, to, 2 * beginRow, line, tiles);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
