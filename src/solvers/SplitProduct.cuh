// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_SplitProduct_cuh
#define cudaneuro_solvers_SplitProduct_cuh

#include <cuda_runtime.h>

/** Products of matrices of floats by a warp, in tensor cores if the device has some for floats with mantissas of
 * 11 bits.
 *
 * A float a is the sum of a1, which is a rounded to 11 bits, and a2, the first 11 bits of the remainder, up to 2^-21
 * |a|. Then a b = a1 b1 + a1 b2 + a2 b1 up to 2^-20 |a b|, and sums are in floats: the result is nearly as exact as
 * one in floats, and several times as fast. */
namespace cudaneuro::gpu
{

/** The tile of a product: 16 rows, 8 columns, and 8 products that are added for each of its elements. */
constexpr int splitRows = 16;
constexpr int splitColumns = 8;
constexpr int splitDepth = 8;

/** The elements of the result's tile that a lane holds: rows g and g + 8, columns 2 t and 2 t + 1, one row after the
 * other, where g = lane / 4, t = lane % 4. */
struct SplitSums
{
  float values[4] = {};
};

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

/** Both parts of VCount floats, of whose bits the tensor cores use the first 19. */
template <int VCount>
struct SplitValues
{
  unsigned int first[VCount];
  unsigned int second[VCount];

  /** Sets both parts of a value. The second part of NaN is NaN, even if the first part is not. */
  __device__ __forceinline__ void
  Set(int i, float value)
  {
    constexpr unsigned int half = 0x1000u;
    constexpr unsigned int taken = 0xffffe000u;
    first[i] = (__float_as_uint(value) + half) & taken;
    second[i] = __float_as_uint(value - __uint_as_float(first[i]));
  }
};

/** c += left right for one tile; sums are truncated, not rounded. */
__device__ __forceinline__ void
AddTensorProduct(const unsigned int (&left)[4], const unsigned int (&right)[2], float (&c)[4])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
}

/** sums += left right for VRowTiles x VColumnTiles adjacent tiles. Element (row, k) of the left matrix is
 * left[k * leftPitch + row], element (k, column) of the right one right[k * rightPitch + column]. Reads have no bank
 * conflicts if both pitches are 8 modulo 32. Called by a whole warp. */
template <int VRowTiles, int VColumnTiles>
__device__ __forceinline__ void
AddSplitProduct(
  const float * left, int leftPitch, const float * right, int rightPitch, SplitSums (&sums)[VRowTiles][VColumnTiles])
{
  const int      group = static_cast<int>(threadIdx.x) % 32 / 4;
  const int      k = static_cast<int>(threadIdx.x) % 4;
  SplitValues<2> columns[VColumnTiles];
#  pragma unroll
  for (int tile = 0; tile < VColumnTiles; ++tile)
  {
    const float * const column = right + tile * splitColumns + group;
    columns[tile].Set(0, column[k * rightPitch]);
    columns[tile].Set(1, column[(k + 4) * rightPitch]);
  }
#  pragma unroll
  for (int rowTile = 0; rowTile < VRowTiles; ++rowTile)
  {
    const float * const row = left + rowTile * splitRows + group;
    SplitValues<4>      rows;
    rows.Set(0, row[k * leftPitch]);
    rows.Set(1, row[k * leftPitch + 8]);
    rows.Set(2, row[(k + 4) * leftPitch]);
    rows.Set(3, row[(k + 4) * leftPitch + 8]);
#  pragma unroll
    for (int tile = 0; tile < VColumnTiles; ++tile)
    {
      // Small products come first. A tile's sum is added separately, because truncation errors grow in long sums.
      float product[4] = {};
      AddTensorProduct(rows.first, columns[tile].second, product);
      AddTensorProduct(rows.second, columns[tile].first, product);
      AddTensorProduct(rows.first, columns[tile].first, product);
#  pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        sums[rowTile][tile].values[i] += product[i];
      }
    }
  }
}

#else

/** Computes the same without tensor cores. */
template <int VRowTiles, int VColumnTiles>
__device__ __forceinline__ void
AddSplitProduct(
  const float * left, int leftPitch, const float * right, int rightPitch, SplitSums (&sums)[VRowTiles][VColumnTiles])
{
  const int row = static_cast<int>(threadIdx.x) % 32 / 4;
  const int column = static_cast<int>(threadIdx.x) % 4 * 2;
#  pragma unroll
  for (int k = 0; k < splitDepth; ++k)
  {
#  pragma unroll
    for (int i = 0; i < VRowTiles * VColumnTiles * 4; ++i)
    {
      const int rowTile = i / 4 / VColumnTiles;
      const int tile = i / 4 % VColumnTiles;
      float &   sum = sums[rowTile][tile].values[i % 4];
      sum = fmaf(left[k * leftPitch + rowTile * splitRows + row + i % 4 / 2 * 8],
                 right[k * rightPitch + tile * splitColumns + column + i % 2],
                 sum);
    }
  }
}

#endif

} // namespace cudaneuro::gpu

#endif
