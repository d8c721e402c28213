// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairTerms_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairTerms_cuh

#include "denoising/nonlocalmeans/NonLocalMeansColumn.cuh"

#include <limits>

namespace cudaneuro::gpu
{

/** The position of a strip's voxels and of all voxels that they are compared with: all inside the image and none
 * excluded; some outside the image; or some inside the image excluded. */
enum class PairRegion
{
  Inside,
  Border,
  Masked
};

/** Returns whether both voxels of a pair lie in the image along an axis. */
__device__ __forceinline__ bool
IsPairInside(int x, int offset, int size)
{
  return x >= 0 && x < size && x + offset >= 0 && x + offset < size;
}

/** Returns how many terms of a patch distance lie in the image along an axis, or 1 where none does. */
template <int VPatch>
__device__ __forceinline__ float
TermsInside(int x, int offset, int size)
{
  const int begin = max(-VPatch, max(-x, -x - offset));
  const int end = min(VPatch, min(size - 1 - x, size - 1 - x - offset));
  return static_cast<float>(max(end - begin + 1, 1));
}

/** The terms of patch distances for the rows and planes of one thread: squared differences of its voxels ("base") and
 * of their neighbors at one offset. */
template <int VPatch, typename TShape>
struct NonLocalMeansPairTerms
{
  static constexpr int   rows = TShape::rows;
  static constexpr int   planes = TShape::planes;
  static constexpr int   termRows = rows + 2 * VPatch;
  static constexpr int   termPlanes = planes + 2 * VPatch;
  static constexpr float countUnit = 1024.0f;
  /** The squared difference from a voxel outside the image; all other squared differences are finite. */
  static constexpr float squareOfExcluded = std::numeric_limits<float>::infinity();

  static_assert(planes == 2, "a number holds the counts of two planes, which share all terms but two");

  /** Computes, for each row and plane, the sum of squared differences along z and y. Rows of \p neighbor are a ring,
   * the lowest at \p step. */
  template <PairRegion VRegion>
  __device__ static __forceinline__ void
  SumSquares(const float (&base)[termRows][termPlanes],
             const float (&neighbor)[termRows][termPlanes],
             int step,
             float (&squares)[planes][rows])
  {
    float rowSquares[planes][termRows];
#pragma unroll
    for (int row = 0; row < termRows; ++row)
    {
      float differences[termPlanes];
#pragma unroll
      for (int plane = 0; plane < termPlanes; ++plane)
      {
        differences[plane] = base[row][plane] - neighbor[(row + step) % termRows][plane];
        const bool takesPart = VRegion != PairRegion::Masked || TakesPart(differences[plane]);
        differences[plane] = takesPart ? differences[plane] : 0.0f;
      }
      // Both sums share all terms but the outermost.
      float common = differences[1] * differences[1];
#pragma unroll
      for (int plane = 2; plane < termPlanes - 1; ++plane)
      {
        common = fmaf(differences[plane], differences[plane], common);
      }
#pragma unroll
      for (int plane = 0; plane < planes; ++plane)
      {
        const float outermost = differences[plane == 0 ? 0 : termPlanes - 1];
        const float sum = fmaf(outermost, outermost, common);
        const bool  isInside = VRegion != PairRegion::Border || sum < squareOfExcluded;
        rowSquares[plane][row] = isInside ? sum : 0.0f;
      }
    }
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
    {
      BoxSums<rows, VPatch>(rowSquares[plane], squares[plane]);
    }
  }

  /** Computes, for each row, how many terms along z and y are not excluded: the count of the first plane plus countUnit
   * times the count of the second plane. Sums of such numbers are exact. */
  __device__ static __forceinline__ void
  Count(const float (&base)[termRows][termPlanes],
        const float (&neighbor)[termRows][termPlanes],
        int step,
        float (&counts)[rows])
  {
    float rowCounts[termRows];
#pragma unroll
    for (int row = 0; row < termRows; ++row)
    {
      rowCounts[row] = 0.0f;
#pragma unroll
      for (int plane = 0; plane < termPlanes; ++plane)
      {
        const float unit = (plane < termPlanes - 1 ? 1.0f : 0.0f) + (plane > 0 ? countUnit : 0.0f);
        const float difference = base[row][plane] - neighbor[(row + step) % termRows][plane];
        rowCounts[row] += TakesPart(difference) ? unit : 0.0f;
      }
    }
    BoxSums<rows, VPatch>(rowCounts, counts);
  }

  /** Returns the number of terms of a plane from the result of Count() for both planes. */
  __device__ static __forceinline__ float
  CountOfPlane(float counts, int plane)
  {
    const float second = truncf(counts / countUnit);
    return plane == 1 ? second : counts - countUnit * second;
  }
};

} // namespace cudaneuro::gpu

#endif
