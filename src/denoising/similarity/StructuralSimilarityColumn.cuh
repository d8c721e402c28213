// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh

#include "denoising/similarity/StructuralSimilarityAverages.cuh"
#include "denoising/similarity/StructuralSimilarityTile.cuh"

namespace cudaneuro::gpu
{

/** SSIM for one block: a column of tiles along z, a pair of planes after the other.
 *
 * The window is separable: a pass along x, then y, then z. In float, E[s^2] - E[s]^2 loses the variance where the image
 * is bright and smooth. Therefore each pass computes a mean and a variance of s = x + y and of d = x - y, from
 * differences from a nearby intensity, and combines variances by Var = E[v + e^2] - E[e]^2, with v the variance and e
 * the mean difference of a part of the window. An offset is subtracted from either image, so that d is near 0, too.
 * Along z, a thread adds each plane's share to the sums of the 11 outputs whose windows contain it.
 *
 * A voxel that is not finite, or whose square overflows, makes every output whose window has it NaN, and the sum of
 * squared differences of its block not finite. Outputs too near to a step of intensities above largestStep are NaN,
 * too. StructuralSimilarityFallbackKernel recomputes all these. */
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
  static constexpr int planes = Tile::planes;
  static constexpr int averageSize = Tile::inputRows * tileX;

  static std::size_t
  SharedBytes()
  {
    return 2 * planes * (sizeof(float) * Tile::inputSize + sizeof(float4) * averageSize);
  }

  __device__ __forceinline__
  StructuralSimilarityColumn(const StructuralSimilarityArguments & arguments, float * shared, int column)
    : a(arguments)
    , m_Tile(arguments, shared, column)
    , m_Averages(reinterpret_cast<float4 *>(shared + 2 * planes * Tile::inputSize))
    , m_Column(column)
    , m_X(column % arguments.tilesX * tileX + static_cast<int>(threadIdx.x) % tileX)
    , m_Y(column / arguments.tilesX * tileY + static_cast<int>(threadIdx.x) / tileX * rows)
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

  /** Computes planes [zBegin, zEnd). Starts so early that reference intensities do not depend on zBegin. There is one
   * barrier per pair of planes: while a pair is summed along y and z, the next is averaged along x, and the one after
   * that is copied. */
  __device__ __forceinline__ void
  Run(int zBegin, int zEnd)
  {
    constexpr int ahead = 2 * planes;
    const int     zFirst = zBegin - similarityReach;
    const int     count = zEnd + radius - zFirst;
#pragma unroll 1
    for (int n = -ahead; n < count; n += planes)
    {
      if (n + ahead < count)
      {
#pragma unroll 1
        for (int i = n + ahead; i < n + ahead + planes; ++i)
        {
          m_Tile.StartReading(zFirst + i, i);
        }
      }
      Tile::CommitReading();
      if (n + planes >= 0 && n + planes < count)
      {
        AverageAlongX(a, m_Tile, n + planes, this->Averages(n + planes));
        this->AddSquaredDifferences(n + planes, zFirst, zBegin, zEnd);
      }
      if (n >= 0)
      {
        this->SumPair(n, zFirst, zBegin, zEnd);
      }
      Tile::FinishReading();
    }
  }

private:
  /** Returns averages along x in the \p n th plane: mean of s, variance of s, mean of d, variance of d. */
  __device__ __forceinline__ float4 *
  Averages(int n) const
  {
    return m_Averages + (n & (2 * planes - 1)) * averageSize;
  }

  /** Returns a bit for each of this thread's rows, which is 1 if the row's voxel is inside the mask. */
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

  /** Adds the squared differences of the pair of planes from the \p n th on, for those planes that are outputs. */
  __device__ __forceinline__ void
  AddSquaredDifferences(int n, int zFirst, int zBegin, int zEnd)
  {
    const int first =
      (m_Y % tileY + radius) * Tile::inputPitch + Tile::inputBorder + static_cast<int>(threadIdx.x) % tileX;
#pragma unroll 1
    for (int z = max(zFirst + n, zBegin); z < min(zFirst + n + planes, zEnd); ++z)
    {
      const unsigned int  counted = a.mask == nullptr ? m_Inside : this->MaskBits(z);
      const float * const reference = m_Tile.Input(z - zFirst, 0) + first;
      const float * const image = m_Tile.Input(z - zFirst, 1) + first;
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        const float d = reference[row * Tile::inputPitch] - image[row * Tile::inputPitch];
        if ((counted >> row & 1u) != 0)
        {
          m_SquaredDifferences = fmaf(d, d, m_SquaredDifferences);
        }
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

  /** Sets the references for the next planes from averages of two earlier planes, which are near the means of the
   * outputs that already have most of their weight. */
  __device__ __forceinline__ void
  RenewReferences(float nearS, float nearD)
  {
    const float near[2] = { nearS, nearD };
#pragma unroll
    for (int which = 0; which < 2; ++which)
    {
      // A reference that is not finite is replaced by 0: the previous one would depend on where the block began.
      const float next = IsFinite(m_NextReferences[which]) ? m_NextReferences[which] : 0.0f;
      const bool  moves = next != m_References[which] || fabsf(next) > a.largestReference;
      if (__any_sync(0xffffffffu, moves)) // by warps, whose lanes would not converge again before the next barrier
      {
        this->MoveReference(which, next);
      }
      m_NextReferences[which] = rintf(near[which] * a.inverseQuantum[which]) * a.quantum[which];
    }
  }

  /** Sums the pair of planes from the \p n th on along y, adds it to the outputs whose windows contain it, and finishes
   * outputs that it completes. */
  __device__ __forceinline__ void
  SumPair(int n, int zFirst, int zBegin, int zEnd)
  {
    constexpr int values = rows + 2 * radius;
    const int     column = static_cast<int>(threadIdx.x) % tileX;
    const int     firstRow = m_Y % tileY;
    // The columns in even and in odd rows.
    const int    columns[2] = { AverageOrder::PlaceInRow(firstRow, column),
                                AverageOrder::PlaceInRow(firstRow + 1, column) };
    const float4 near = this->Averages(n)[(firstRow + values / 2) * tileX + columns[values / 2 % 2]];
    this->RenewReferences(near.x, near.z);
#pragma unroll 1
    for (int z = zFirst + n; z < min(zFirst + n + planes, zEnd + radius); ++z)
    {
      const float4 * const averages = this->Averages(z - zFirst) + firstRow * tileX;
      SimilarityMoments    sums[rows];
#pragma unroll
      for (int i = 0; i < values; ++i)
      {
        const float4 average = averages[i * tileX + columns[i % 2]];
        const float  s = average.x - m_References[0];
        const float  d = average.z - m_References[1];
        AddToWindows(a, i, { s, fmaf(s, s, average.y), d, fmaf(d, d, average.w) }, sums);
      }
      float mean[2][rows];
      float square[2][rows];
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        mean[0][row] = this->Push(sums[row].s, m_MeanSums[0][row]);
        square[0][row] = this->Push(sums[row].ss, m_VarianceSums[0][row]);
        mean[1][row] = this->Push(sums[row].d, m_MeanSums[1][row]);
        square[1][row] = this->Push(sums[row].dd, m_VarianceSums[1][row]);
      }
      if (z - radius >= zBegin)
      {
        this->Finish(z - radius, mean, square);
      }
    }
  }

  /** Adds a plane to the pending sums and returns the sum that it completes. Sum i is for the output i - 5 planes
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

  /** Computes the similarity of output plane z from window averages of s and d, relative to their references, and of
   * their squares. */
  __device__ __forceinline__ void
  Finish(int z, const float (&mean)[2][rows], const float (&square)[2][rows])
  {
    unsigned int counted = z >= a.averagedBegin[2] && z < a.averagedEnd[2] ? m_Averaged : 0u;
    if (a.mask != nullptr)
    {
      counted &= this->MaskBits(z);
    }
    const float nearS = m_References[0] + a.sumOffset;
    const float nearD = m_References[1] + a.differenceOffset;
    float       similarity[rows];
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      similarity[row] = SimilarityFromVariances(nearS + mean[0][row],
                                                nearD + mean[1][row],
                                                fmaf(-mean[0][row], mean[0][row], square[0][row]),
                                                fmaf(-mean[1][row], mean[1][row], square[1][row]),
                                                a.constants);
    }
    constexpr unsigned int all = (1u << rows) - 1u;
    float                  checked = 0.0f;
    if (__all_sync(0xffffffffu, counted == all)) // by warps, as in RenewReferences
    {
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        checked += similarity[row];
      }
      m_Similarities += checked;
    }
    else
    {
      float sum = 0.0f;
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        checked += (m_Inside >> row & 1u) != 0 ? similarity[row] : 0.0f;
        sum += (counted >> row & 1u) != 0 ? similarity[row] : 0.0f;
      }
      m_Similarities += sum;
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
  float4 *                              m_Averages;
  int                                   m_Column;
  int                                   m_X;
  int                                   m_Y;
  /** Bits for each of this thread's rows: whether it is in the image, and whether its similarity is averaged. */
  unsigned int m_Inside = 0;
  unsigned int m_Averaged = 0;
  /** The intensities to which the sums of s and d along y and z are relative, and the next such intensities. */
  float m_References[2] = { 0.0f, 0.0f };
  float m_NextReferences[2] = { 0.0f, 0.0f };
  /** Pending sums of s and d, for the outputs whose windows are incomplete. */
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
