// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh

#include "denoising/similarity/StructuralSimilarityAverages.cuh"
#include "denoising/similarity/StructuralSimilarityTile.cuh"

namespace cudaneuro::gpu
{

/** SSIM for one block: a column of tiles along z, of 32 x (TShape::rows TShape::warps) voxels each, plane by plane.
 *
 * The window is separable: a pass along x, then y, then z. In float, E[s^2] - E[s]^2 loses the variance where the image
 * is bright and smooth. Therefore each pass computes a mean and a variance of s = x + y and of d = x - y, from
 * differences from a nearby intensity, and combines variances by Var = E[v + e^2] - E[e]^2, with v the variance and e
 * the mean difference of a part of the window. An offset is subtracted from either image, so that d is near 0, too.
 * Along z, a thread adds each plane's share to the sums of the 11 outputs whose windows hold it.
 *
 * A voxel that is not finite, or whose square overflows, makes every output whose window holds it NaN, and the sum of
 * squared differences of its block not finite. Outputs too near to a step of intensities above largestStep are NaN,
 * too. StructuralSimilarityFallbackKernel computes all these again. */
template <typename TShape>
class StructuralSimilarityColumn
{
public:
  using Tile = StructuralSimilarityTile<TShape>;
  static constexpr int radius = similarityWindowRadius;
  static constexpr int rows = TShape::rows;
  static constexpr int threads = Tile::threads;
  static constexpr int tileX = Tile::tileX;
  static constexpr int tileY = Tile::tileY;
  static constexpr int averageSize = Tile::inputRows * tileX;

  static std::size_t
  SharedBytes()
  {
    return sizeof(float) * 2 * (2 * Tile::inputSize + 4 * averageSize);
  }

  __device__ __forceinline__
  StructuralSimilarityColumn(const StructuralSimilarityArguments & arguments, float * shared, int column)
    : a(arguments)
    , m_Tile(arguments, shared, column)
    , m_Averages(shared + 4 * Tile::inputSize)
    , m_Column(column)
    , m_X(column % arguments.tilesX * tileX + static_cast<int>(threadIdx.x % 32))
    , m_Y(column / arguments.tilesX * tileY + static_cast<int>(threadIdx.x / 32) * rows)
  {
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const int  y = m_Y + row;
      const bool averaged =
        m_X >= a.averagedBegin[0] && m_X < a.averagedEnd[0] && y >= a.averagedBegin[1] && y < a.averagedEnd[1];
      m_Inside |= m_X < a.size.x && y < a.size.y ? 1u << row : 0u;
      m_Averaged |= averaged ? 1u << row : 0u;
    }
#pragma unroll
    for (int which = 0; which < 2; ++which)
    {
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
#pragma unroll
        for (int i = 0; i < 2 * radius; ++i)
        {
          m_MeanSums[which][row][i] = 0.0f;
          m_VarianceSums[which][row][i] = 0.0f;
        }
      }
    }
  }

  /** Computes planes [zBegin, zEnd). Begins so early that reference intensities do not depend on zBegin. One barrier a
   * plane: while plane z is summed along y and z, plane z + 1 is averaged along x, and plane z + 2 is copied. */
  __device__ __forceinline__ void
  Run(int zBegin, int zEnd)
  {
    const int zFirst = zBegin - similarityReach;
    const int zLast = zEnd - 1 + radius;
    m_Tile.StartReading(zFirst);
    Tile::FinishReading();
    m_Tile.StartReading(zFirst + 1);
    this->AveragePlaneAlongX(zFirst);
    Tile::FinishReading();
    for (int z = zFirst; z <= zLast; ++z)
    {
      if (z + 2 <= zLast)
      {
        m_Tile.StartReading(z + 2);
      }
      if (z + 1 <= zLast)
      {
        this->AveragePlaneAlongX(z + 1);
        if (z + 1 >= zBegin && z + 1 < zEnd)
        {
          this->AddSquaredDifferences(z + 1);
        }
      }
      this->SumAlongYAndZ(z, zBegin);
      Tile::FinishReading();
    }
  }

private:
  /** Returns averages along x in plane \p z: mean of s, variance of s, mean of d, variance of d. */
  __device__ __forceinline__ float *
  Average(int z, int which) const
  {
    return m_Averages + ((z & 1) * 4 + which) * averageSize;
  }

  __device__ __forceinline__ void
  AveragePlaneAlongX(int z)
  {
    AverageAlongX(a, m_Tile, z, [&](int which) { return this->Average(z, which); });
  }

  /** Returns a bit for each of this thread's rows that is inside the mask. */
  __device__ __forceinline__ unsigned int
  MaskBits(int z) const
  {
    unsigned int bits = 0;
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const std::int64_t voxel = (static_cast<std::int64_t>(z) * a.size.y + m_Y + row) * a.size.x + m_X;
      bits |= (m_Inside >> row & 1u) != 0 && a.mask[voxel] != 0 ? 1u << row : 0u;
    }
    return bits;
  }

  __device__ __forceinline__ void
  AddSquaredDifferences(int z)
  {
    const int first =
      (m_Y % tileY + radius) * Tile::inputPitch + Tile::inputBorder + static_cast<int>(threadIdx.x % 32);
    const unsigned int counted = a.mask == nullptr ? m_Inside : this->MaskBits(z);
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const float d =
        m_Tile.Input(z, 0)[first + row * Tile::inputPitch] - m_Tile.Input(z, 1)[first + row * Tile::inputPitch];
      m_SquaredDifferences += (counted >> row & 1u) != 0 ? d * d : 0.0f;
    }
    m_NumberOfDifferences += __popc(counted);
    if (IsLastOfBlock(z))
    {
      const float        sum = WarpSum(m_SquaredDifferences);
      const unsigned int count = WarpSum(m_NumberOfDifferences);
      if (threadIdx.x % 32 == 0)
      {
        this->Partial(z).squaredDifference = sum;
        this->Partial(z).numberOfDifferences = count;
      }
      m_SquaredDifferences = 0.0f;
      m_NumberOfDifferences = 0;
    }
  }

  /** Makes the pending sums of s (\p which is 0) or d (1) relative to \p reference. The reference is replaced, not
   * added to, so that it does not depend on where the block began. After a step above largestStep, or far from 0, the
   * sums are NaN. */
  __device__ __forceinline__ void
  MoveReference(int which, float reference)
  {
    const float change = reference - m_References[which];
    const bool  keepsDigits = fabsf(change) <= a.largestStep && fabsf(reference) <= a.largestReference;
    const float step = keepsDigits ? change : NAN;
    m_References[which] = reference;
#pragma unroll
    for (int i = 0; i < 2 * radius; ++i)
    {
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        float &     mean = m_MeanSums[which][row][i];
        const float moved = fmaf(-step, a.weightsSoFar[i], mean);
        m_VarianceSums[which][row][i] = fmaf(-step, moved + mean, m_VarianceSums[which][row][i]);
        mean = moved;
      }
    }
  }

  /** Sets the references for the next planes to averages of two planes before, which are near the means of the outputs
   * that have most of their weight already. The reference of d is rounded to a multiple of its quantum: where images
   * are alike it stays 0, and no sums need to be changed. */
  __device__ __forceinline__ void
  RenewReferences(float nearS, float nearD)
  {
    // Without a finite one it is 0, since the reference before would depend on where the block began.
    this->MoveReference(0, IsFinite(m_NextReferences[0]) ? m_NextReferences[0] : 0.0f);
    const float next = IsFinite(m_NextReferences[1]) ? m_NextReferences[1] : 0.0f;
    if (next != m_References[1] || fabsf(next) > a.largestReference)
    {
      this->MoveReference(1, next);
    }
    m_NextReferences[0] = nearS;
    m_NextReferences[1] = rintf(nearD * a.inverseDifferenceQuantum) * a.differenceQuantum;
  }

  /** Sums plane z along y, adds it to the outputs whose windows hold it, and finishes output plane z - radius. */
  __device__ __forceinline__ void
  SumAlongYAndZ(int z, int zBegin)
  {
    constexpr int values = rows + 2 * radius;
    const int     lane = threadIdx.x % 32;
    const int     first = (m_Y % tileY) * tileX + lane;
    const bool    renewsReference = (z + a.zPhase) % similarityReferencePlanes == 0;
    float         mean[2][rows];
    float         variance[2][rows];
    if (renewsReference)
    {
      constexpr int middle = values / 2 * tileX;
      this->RenewReferences(this->Average(z, 0)[first + middle], this->Average(z, 2)[first + middle]);
    }
#pragma unroll
    for (int which = 0; which < 2; ++which)
    {
      const float   reference = m_References[which];
      const float * means = this->Average(z, 2 * which) + first;
      const float * variances = this->Average(z, 2 * which + 1) + first;
      float         difference[values];
      float         square[values];
#pragma unroll
      for (int i = 0; i < values; ++i)
      {
        difference[i] = means[i * tileX] - reference;
        square[i] = fmaf(difference[i], difference[i], variances[i * tileX]);
      }
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        const float meanSum = this->Push(SmoothByWindow(a, difference + row), m_MeanSums[which][row]);
        const float varianceSum = this->Push(SmoothByWindow(a, square + row), m_VarianceSums[which][row]);
        mean[which][row] = reference + meanSum;
        variance[which][row] = fmaf(-meanSum, meanSum, varianceSum);
      }
    }
    if (z - radius >= zBegin)
    {
      this->Finish(z - radius, mean, variance);
    }
  }

  /** Adds a plane to the pending sums and returns the sum that it completes. Sum i is of the output i - 5 planes
   * ahead. */
  __device__ __forceinline__ float
  Push(float value, float (&sums)[2 * radius]) const
  {
    const float complete = fmaf(a.taps[radius], value, sums[0]);
#pragma unroll
    for (int i = 0; i + 1 < 2 * radius; ++i)
    {
      sums[i] = fmaf(a.taps[i < radius ? radius - 1 - i : i - radius + 1], value, sums[i + 1]);
    }
    sums[2 * radius - 1] = a.taps[radius] * value;
    return complete;
  }

  __device__ __forceinline__ void
  Finish(int z, const float (&mean)[2][rows], const float (&variance)[2][rows])
  {
    unsigned int counted = z >= a.averagedBegin[2] && z < a.averagedEnd[2] ? m_Averaged : 0u;
    if (a.mask != nullptr)
    {
      counted &= this->MaskBits(z);
    }
    float similarity[rows];
    float checked = 0.0f;
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      similarity[row] = SimilarityFromVariances(
        mean[0][row] + a.sumOffset, mean[1][row] + a.differenceOffset, variance[0][row], variance[1][row], a.constants);
      checked += (m_Inside >> row & 1u) != 0 ? similarity[row] : 0.0f;
      m_Similarities += (counted >> row & 1u) != 0 ? similarity[row] : 0.0f;
    }
    m_NumberOfSimilarities += __popc(counted);
    m_AllFinite = m_AllFinite && IsFinite(checked);
    if (a.map != nullptr)
    {
      float * const target = a.map + (static_cast<std::int64_t>(z) * a.size.y + m_Y) * a.size.x + m_X;
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        if ((m_Inside >> row & 1u) != 0)
        {
          target[static_cast<std::int64_t>(row) * a.size.x] = similarity[row];
        }
      }
    }
    if (IsLastOfBlock(z))
    {
      const float        sum = WarpSum(m_AllFinite ? m_Similarities : NAN);
      const unsigned int count = WarpSum(m_NumberOfSimilarities);
      if (threadIdx.x % 32 == 0)
      {
        this->Partial(z).similarity = sum;
        this->Partial(z).numberOfSimilarities = count;
      }
      m_Similarities = 0.0f;
      m_NumberOfSimilarities = 0;
      m_AllFinite = true;
    }
  }

  __device__ __forceinline__ bool
  IsLastOfBlock(int z) const
  {
    return (z + 1) % similarityBlockPlanes == 0 || z + 1 == a.zEnd;
  }
  __device__ __forceinline__ SimilarityPartial &
  Partial(int z) const
  {
    const std::int64_t block = static_cast<std::int64_t>(z / similarityBlockPlanes) * (a.tilesX * a.tilesY) + m_Column;
    return a.partials[block * TShape::warps + threadIdx.x / 32];
  }

  const StructuralSimilarityArguments & a;
  Tile                                  m_Tile;
  float *                               m_Averages;
  int                                   m_Column;
  int                                   m_X;
  int                                   m_Y;
  /** A bit for each of this thread's rows that is in the image, and that is averaged. */
  unsigned int m_Inside = 0;
  unsigned int m_Averaged = 0;
  /** What the sums of s and d along y and z are relative to, and what they will be relative to. */
  float m_References[2] = { 0.0f, 0.0f };
  float m_NextReferences[2] = { 0.0f, 0.0f };
  /** Pending sums of s and d, for the outputs whose windows are not complete. */
  float m_MeanSums[2][rows][2 * radius];
  float m_VarianceSums[2][rows][2 * radius];

  float        m_Similarities = 0.0f;
  unsigned int m_NumberOfSimilarities = 0;
  bool         m_AllFinite = true;
  float        m_SquaredDifferences = 0.0f;
  unsigned int m_NumberOfDifferences = 0;
};

} // namespace cudaneuro::gpu

#endif
