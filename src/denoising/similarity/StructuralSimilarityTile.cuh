// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityTile_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityTile_cuh

#include "core/IntegerMath.h"
#include "denoising/similarity/StructuralSimilarityArguments.cuh"
#include "denoising/similarity/StructuralSimilarityShape.cuh"

#include <cuda_pipeline.h>

namespace cudaneuro::gpu
{

/** The part of both images that a block reads, in shared memory: two planes, of which one is copied while the other is
 * used. Rows beyond the image are reflected. */
template <typename TShape>
class StructuralSimilarityTile
{
public:
  static constexpr int radius = similarityWindowRadius;
  static constexpr int rows = TShape::rows;
  static constexpr int threads = 32 * TShape::warps;
  static constexpr int tileX = 32;
  static constexpr int tileY = rows * TShape::warps;
  static constexpr int inputRows = tileY + 2 * radius;
  /** Rows are read from inputBorder before the outputs on, and in whole groups of 4, for the sake of alignment. */
  static constexpr int inputBorder = 8;
  static constexpr int inputPitch = tileX + 2 * inputBorder;
  static constexpr int inputSize = inputRows * inputPitch;
  static constexpr int groups = inputSize / 4;
  static constexpr int groupsPerThread = DivideUp(groups, threads);
  /** Inputs beyond both ends of the image's rows that windows reach. */
  static constexpr int beyondPerRow = 2 * radius;
  static constexpr int beyondPerThread = DivideUp(inputRows * beyondPerRow, threads);

  __device__ __forceinline__
  StructuralSimilarityTile(const StructuralSimilarityArguments & arguments, float * shared, int column)
    : a(arguments)
    , m_Inputs(shared)
    , m_Column(column)
  {
    m_XFirst = column % a.tilesX * tileX - inputBorder;
    m_AtBorder = m_XFirst < 0 || m_XFirst + inputPitch > a.size.x;
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
      m_BeyondOffsets[i] = isInput ? this->RowOffset(index / beyondPerRow) + ReflectIndex(x, a.size.x) : -1;
    }
  }

  /** Returns plane \p z of an image, in the buffer for planes of its parity. */
  __device__ __forceinline__ float *
  Input(int z, int image) const
  {
    return m_Inputs + ((z & 1) * 2 + image) * inputSize;
  }

  /** Starts copying plane \p z of both images, in groups of 4 where rows are aligned. */
  __device__ __forceinline__ void
  StartReading(int z)
  {
    const std::int64_t plane = static_cast<std::int64_t>(ReflectIndex(z, a.size.z)) * a.size.y * a.size.x;
    const float *      reference = a.reference + plane;
    const float *      image = a.image + plane;
#pragma unroll
    for (int i = 0; i < groupsPerThread; ++i)
    {
      const int     group = static_cast<int>(threadIdx.x) + i * threads;
      const int     x = m_XFirst + group * 4 % inputPitch;
      float * const toReference = this->Input(z, 0) + 4 * group;
      float * const toImage = this->Input(z, 1) + 4 * group;
      if (group < groups && a.isQuadAligned && x >= 0 && x < a.size.x)
      {
        __pipeline_memcpy_async(toReference, reference + m_GroupOffsets[i], 4 * sizeof(float));
        __pipeline_memcpy_async(toImage, image + m_GroupOffsets[i], 4 * sizeof(float));
      }
      else if (group < groups && !a.isQuadAligned)
      {
#pragma unroll
        for (int k = 0; k < 4; ++k)
        {
          if (x + k >= 0 && x + k < a.size.x)
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

  /** Waits until all threads can read what is being copied. */
  __device__ static __forceinline__ void
  FinishReading()
  {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

private:
  /** Returns the place of row \p i of the tile in a plane of the image. */
  __device__ __forceinline__ int
  RowOffset(int i) const
  {
    return ReflectIndex(m_Column / a.tilesX * tileY - radius + i, a.size.y) * a.size.x;
  }
  /** Returns the column of one of the inputs beyond the ends of rows. */
  __device__ __forceinline__ int
  ColumnBeyond(int index) const
  {
    const int i = index % beyondPerRow;
    return i < radius ? -1 - i : a.size.x + i - radius;
  }

  const StructuralSimilarityArguments & a;
  float *                               m_Inputs;
  int                                   m_Column;
  /** Where rows of the tile begin in the image, and whether they reach beyond it. */
  int  m_XFirst;
  bool m_AtBorder;
  /** Place of each group of 4 inputs in a plane of the image. */
  int m_GroupOffsets[groupsPerThread];
  /** Place of each input that reflection puts beyond the ends of rows; -1 for those that this block does not read. */
  int m_BeyondOffsets[beyondPerThread];
};

} // namespace cudaneuro::gpu

#endif
