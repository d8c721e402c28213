// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityColumn_cuh

#include "core/IntegerMath.h"
#include "denoising/similarity/StructuralSimilarityArguments.cuh"

#include <cuda_pipeline.h>

namespace cudaneuro
{
namespace gpu
{

/** Launch shape: a block has VWarps warps of 32 voxels along x and VRows along y. */
template <int VRows, int VWarps, int VBlocksPerMultiprocessor>
struct StructuralSimilarityShape
{
  static constexpr int rows = VRows;
  static constexpr int warps = VWarps;
  static constexpr int blocks = VBlocksPerMultiprocessor;
};

/** SSIM for one block: a column of tiles along z, 32 x (VRows VWarps) voxels each, plane by plane.
 *
 * The window is separable. In float32, E[s^2] - E[s]^2 loses the variance where the image is bright and smooth; so
 * every pass hands on a mean and a variance of s = x + y and of d = x - y, passes compute with differences of s from a
 * nearby intensity, and variances are combined by Var = E[v + e^2] - E[e]^2, with v and e the variance and the mean
 * difference of a part of the window. An offset is subtracted from either image, so that d is near 0, too. Along z a
 * thread adds each plane's share to the sums of the 11 outputs whose windows hold it.
 *
 * A voxel that is not finite, or whose square overflows, makes every output whose window holds it NaN; its block's sum
 * of squared differences is then not finite. So are outputs that lie too near to a step of intensities above largestStep.
 * StructuralSimilarityFallbackKernel computes all these again. */
template <typename TShape>
class StructuralSimilarityColumn
{
public:
  static constexpr int radius = similarityWindowRadius;
  static constexpr int rows = TShape::rows;
  static constexpr int threads = 32 * TShape::warps;
  static constexpr int tileX = 32;
  static constexpr int tileY = rows * TShape::warps;
  static constexpr int inputRows = tileY + 2 * radius;
  /** Rows are read from inputBorder before the tile, and in whole groups of 4, for the sake of alignment. */
  static constexpr int inputBorder = 8;
  static constexpr int inputPitch = tileX + 2 * inputBorder;
  static constexpr int inputSize = inputRows * inputPitch;
  static constexpr int groups = inputSize / 4;
  static constexpr int groupsPerThread = DivideUp(groups, threads);
  /** Inputs within the window's reach beyond both ends of the image's rows. */
  static constexpr int beyondPerRow = 2 * radius;
  static constexpr int beyondPerThread = DivideUp(inputRows * beyondPerRow, threads);
  static constexpr int averageSize = inputRows * tileX;

  static std::size_t
  SharedBytes()
  {
    return sizeof(float) * 2 * (2 * inputSize + 4 * averageSize);
  }

  __device__ __forceinline__
  StructuralSimilarityColumn(const StructuralSimilarityArguments & arguments, float * shared, int column)
    : a(arguments)
    , m_Inputs(shared)
    , m_Averages(shared + 4 * inputSize)
    , m_Column(column)
    , m_X(column % arguments.tilesX * tileX + static_cast<int>(threadIdx.x % 32))
    , m_Y(column / arguments.tilesX * tileY + static_cast<int>(threadIdx.x / 32) * rows)
  {
    m_XFirst = column % a.tilesX * tileX - inputBorder;
    m_AtBorder = m_XFirst < 0 || m_XFirst + inputPitch > a.size[0];
#pragma unroll
    for (int i = 0; i < groupsPerThread; ++i)
    {
      const int group = static_cast<int>(threadIdx.x) + i * threads;
      m_GroupOffsets[i] = this->RowOffset(group * 4 / inputPitch) + m_XFirst + group * 4 % inputPitch;
    }
#pragma unroll
    for (int i = 0; i < beyondPerThread; ++i)
    {
      const int  index = static_cast<int>(threadIdx.x) + i * threads;
      const int  x = this->ColumnBeyond(index);
      const bool isInput = index < inputRows * beyondPerRow && x >= m_XFirst && x < m_XFirst + inputPitch;
      m_BeyondOffsets[i] = isInput ? this->RowOffset(index / beyondPerRow) + ReflectIndex(x, a.size[0]) : -1;
    }
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const int  y = m_Y + row;
      const bool averaged =
        m_X >= a.averagedBegin[0] && m_X < a.averagedEnd[0] && y >= a.averagedBegin[1] && y < a.averagedEnd[1];
      m_Inside |= m_X < a.size[0] && y < a.size[1] ? 1u << row : 0u;
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

  /** Outputs of planes [zBegin, zEnd). Begins early enough for the reference intensities not to depend on zBegin. One
   * barrier a plane: while plane z is summed along y and z, plane z + 1 is along x, and z + 2 is on its way. */
  __device__ __forceinline__ void
  Run(int zBegin, int zEnd)
  {
    const int zFirst = zBegin - similarityReach;
    const int zLast = zEnd - 1 + radius;
    this->StartReading(zFirst);
    FinishReading();
    this->StartReading(zFirst + 1);
    this->SumAlongX(zFirst);
    FinishReading();
    for (int z = zFirst; z <= zLast; ++z)
    {
      if (z + 2 <= zLast)
      {
        this->StartReading(z + 2);
      }
      if (z + 1 <= zLast)
      {
        this->SumAlongX(z + 1);
        if (z + 1 >= zBegin && z + 1 < zEnd)
        {
          this->AddSquaredDifferences(z + 1);
        }
      }
      this->SumAlongYAndZ(z, zBegin);
      FinishReading();
    }
  }

private:
  /** Both images' input plane z, in the buffer of its parity. */
  __device__ __forceinline__ float *
  Input(int z, int image) const
  {
    return m_Inputs + ((z & 1) * 2 + image) * inputSize;
  }
  /** Averages along x in plane z: mean of s, variance of s, mean of d, variance of d. */
  __device__ __forceinline__ float *
  Average(int z, int which) const
  {
    return m_Averages + ((z & 1) * 4 + which) * averageSize;
  }

  /** Where row \a i of the input is in a plane of the image, reflected where it is beyond. */
  __device__ __forceinline__ int
  RowOffset(int i) const
  {
    return ReflectIndex(m_Column / a.tilesX * tileY - radius + i, a.size[1]) * a.size[0];
  }
  /** The column, before or after the image, of one of the inputs beyond its rows' ends. */
  __device__ __forceinline__ int
  ColumnBeyond(int index) const
  {
    const int i = index % beyondPerRow;
    return i < radius ? -1 - i : a.size[0] + i - radius;
  }

  /** Begins to copy plane \a z of both images: groups of 4 at once where they are aligned and in the image along x. */
  __device__ __forceinline__ void
  StartReading(int z)
  {
    const long long plane = static_cast<long long>(ReflectIndex(z, a.size[2])) * a.size[1] * a.size[0];
    const float *   reference = a.reference + plane;
    const float *   image = a.image + plane;
#pragma unroll
    for (int i = 0; i < groupsPerThread; ++i)
    {
      const int     group = static_cast<int>(threadIdx.x) + i * threads;
      const int     x = m_XFirst + group * 4 % inputPitch;
      float * const toReference = this->Input(z, 0) + 4 * group;
      float * const toImage = this->Input(z, 1) + 4 * group;
      if (group < groups && a.aligned && x >= 0 && x < a.size[0])
      {
        __pipeline_memcpy_async(toReference, reference + m_GroupOffsets[i], 4 * sizeof(float));
        __pipeline_memcpy_async(toImage, image + m_GroupOffsets[i], 4 * sizeof(float));
      }
      else if (group < groups && !a.aligned)
      {
#pragma unroll
        for (int k = 0; k < 4; ++k)
        {
          if (x + k >= 0 && x + k < a.size[0])
          {
            __pipeline_memcpy_async(toReference + k, reference + m_GroupOffsets[i] + k, sizeof(float));
            __pipeline_memcpy_async(toImage + k, image + m_GroupOffsets[i] + k, sizeof(float));
          }
        }
      }
    }
    if (m_AtBorder)
    {
#pragma unroll
      for (int i = 0; i < beyondPerThread; ++i)
      {
        if (m_BeyondOffsets[i] >= 0)
        {
          const int index = static_cast<int>(threadIdx.x) + i * threads;
          const int target = index / beyondPerRow * inputPitch + this->ColumnBeyond(index) - m_XFirst;
          __pipeline_memcpy_async(this->Input(z, 0) + target, reference + m_BeyondOffsets[i], sizeof(float));
          __pipeline_memcpy_async(this->Input(z, 1) + target, image + m_BeyondOffsets[i], sizeof(float));
        }
      }
    }
    __pipeline_commit();
  }

  /** Waits until what was begun to be copied is there for all threads. */
  __device__ static __forceinline__ void
  FinishReading()
  {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

  /** Means and variances of runs of 11 values along x; 4 neighboring outputs a thread. */
  __device__ __forceinline__ void
  SumAlongX(int z)
  {
    constexpr int outputs = 4;
    constexpr int values = outputs + 2 * radius;
    constexpr int stripsPerRow = tileX / outputs;
    for (int item = threadIdx.x; item < inputRows * stripsPerRow; item += threads)
    {
      const int row = item / stripsPerRow;
      const int strip = item % stripsPerRow;
      // Read from a multiple of 4 on; what is needed begins `skipped` later.
      constexpr int skipped = inputBorder - radius;
      float         x[values + 6];
      float         y[values + 6];
#pragma unroll
      for (int i = 0; i < skipped + values; i += 4)
      {
        const int index = row * inputPitch + strip * outputs + i;
        *reinterpret_cast<float4 *>(x + i) = *reinterpret_cast<const float4 *>(this->Input(z, 0) + index);
        *reinterpret_cast<float4 *>(y + i) = *reinterpret_cast<const float4 *>(this->Input(z, 1) + index);
      }
      const float xNear = x[skipped + values / 2];
      const float yNear = y[skipped + values / 2];
      float       s[values];
      float       d[values];
#pragma unroll
      for (int i = 0; i < values; ++i)
      {
        s[i] = (x[skipped + i] - xNear) + (y[skipped + i] - yNear);
        d[i] = (x[skipped + i] - xNear) - (y[skipped + i] - yNear);
      }
      const int   target = row * tileX + strip * outputs;
      const float xFromOffset = xNear - a.referenceOffset;
      const float yFromOffset = yNear - a.imageOffset;
      this->StoreAverages(s, xFromOffset + yFromOffset, this->Average(z, 0) + target, this->Average(z, 1) + target);
      this->StoreAverages(d, xFromOffset - yFromOffset, this->Average(z, 2) + target, this->Average(z, 3) + target);
    }
  }

  /** The sum of 11 neighboring values by the window, smallest taps first. */
  __device__ __forceinline__ float
  Smooth(const float * values) const
  {
    float sum = a.taps[radius] * values[0];
    sum = fmaf(a.taps[radius], values[2 * radius], sum);
#pragma unroll
    for (int i = radius - 1; i > 0; --i)
    {
      sum = fmaf(a.taps[i], values[radius - i], sum);
      sum = fmaf(a.taps[i], values[radius + i], sum);
    }
    return fmaf(a.taps[0], values[radius], sum);
  }

  template <int VCount>
  __device__ __forceinline__ void
  StoreAverages(const float (&differences)[VCount], float reference, float * means, float * variances) const
  {
    float squares[VCount];
#pragma unroll
    for (int i = 0; i < VCount; ++i)
    {
      squares[i] = differences[i] * differences[i];
    }
    float mean[4];
    float variance[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      const float difference = this->Smooth(differences + i);
      mean[i] = reference + difference;
      variance[i] = fmaf(-difference, difference, this->Smooth(squares + i));
    }
    *reinterpret_cast<float4 *>(means) = make_float4(mean[0], mean[1], mean[2], mean[3]);
    *reinterpret_cast<float4 *>(variances) = make_float4(variance[0], variance[1], variance[2], variance[3]);
  }

  /** A bit for each of this thread's rows that is inside the mask. */
  __device__ __forceinline__ unsigned int
  MaskBits(int z) const
  {
    unsigned int bits = 0;
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const long long voxel = (static_cast<long long>(z) * a.size[1] + m_Y + row) * a.size[0] + m_X;
      bits |= (m_Inside >> row & 1u) != 0 && a.mask[voxel] != 0 ? 1u << row : 0u;
    }
    return bits;
  }

  __device__ __forceinline__ void
  AddSquaredDifferences(int z)
  {
    const int          first = (m_Y % tileY + radius) * inputPitch + inputBorder + static_cast<int>(threadIdx.x % 32);
    const unsigned int counted = a.mask == nullptr ? m_Inside : this->MaskBits(z);
#pragma unroll
    for (int row = 0; row < rows; ++row)
    {
      const float d = this->Input(z, 0)[first + row * inputPitch] - this->Input(z, 1)[first + row * inputPitch];
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

  /** Makes the pending sums of s (\a which 0) or d (1) relative to \a reference. It is set, not added to, so that it does
   * not remember where the block began. After a step above largestStep, or far from 0, the pending sums are NaN. */
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

  /** References for the next planes. They follow two planes behind: they are near the means of the outputs that have most
   * of their weight. That of d is rounded to a multiple of its quantum: where the images are alike it stays 0, and nothing
   * is to be moved. */
  __device__ __forceinline__ void
  RenewReferences(float nearS, float nearD)
  {
    // Where there is none: 0, not the one before, which would depend on where the block began.
    this->MoveReference(0, IsFinite(m_NextReferences[0]) ? m_NextReferences[0] : 0.0f);
    const float next = IsFinite(m_NextReferences[1]) ? m_NextReferences[1] : 0.0f;
    if (next != m_References[1] || fabsf(next) > a.largestReference)
    {
      this->MoveReference(1, next);
    }
    m_NextReferences[0] = nearS;
    m_NextReferences[1] = rintf(nearD * a.inverseDifferenceQuantum) * a.differenceQuantum;
  }

  /** Sums plane z along y, adds it to the outputs within reach along z, and finishes output plane z - radius. */
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
        const float meanSum = this->Push(this->Smooth(difference + row), m_MeanSums[which][row]);
        const float varianceSum = this->Push(this->Smooth(square + row), m_VarianceSums[which][row]);
        mean[which][row] = reference + meanSum;
        variance[which][row] = fmaf(-meanSum, meanSum, varianceSum);
      }
    }
    if (z - radius >= zBegin)
    {
      this->Finish(z - radius, mean, variance);
    }
  }

  /** Adds a plane to the pending sums and returns the one that it completes. Sum i is of the output i - 5 planes on. */
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
      float * const target = a.map + (static_cast<long long>(z) * a.size[1] + m_Y) * a.size[0] + m_X;
#pragma unroll
      for (int row = 0; row < rows; ++row)
      {
        if ((m_Inside >> row & 1u) != 0)
        {
          target[static_cast<long long>(row) * a.size[0]] = similarity[row];
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
    const long long block = static_cast<long long>(z / similarityBlockPlanes) * (a.tilesX * a.tilesY) + m_Column;
    return a.partials[block * TShape::warps + threadIdx.x / 32];
  }

  const StructuralSimilarityArguments & a;
  float *                               m_Inputs;
  float *                               m_Averages;
  int                                   m_Column;
  int                                   m_X;
  int                                   m_Y;
  /** In the plane, of groups of 4 inputs. */
  int m_GroupOffsets[groupsPerThread];
  /** The same of what reflection puts beyond the ends of rows; -1 for what this block does not read. */
  int m_BeyondOffsets[beyondPerThread];
  /** Where input rows begin in the image, and whether they reach beyond it. */
  int  m_XFirst;
  bool m_AtBorder;
  /** Of this thread's rows, a bit for each in the image and for each whose similarity is averaged. */
  unsigned int m_Inside = 0;
  unsigned int m_Averaged = 0;
  /** What the sums of s and d along y and z are relative to, and what they will be. */
  float m_References[2] = { 0.0f, 0.0f };
  float m_NextReferences[2] = { 0.0f, 0.0f };
  /** Of s and d, for the outputs whose windows are not complete. */
  float m_MeanSums[2][rows][2 * radius];
  float m_VarianceSums[2][rows][2 * radius];

  float        m_Similarities = 0.0f;
  unsigned int m_NumberOfSimilarities = 0;
  bool         m_AllFinite = true;
  float        m_SquaredDifferences = 0.0f;
  unsigned int m_NumberOfDifferences = 0;
};

} // namespace gpu
} // namespace cudaneuro

#endif
