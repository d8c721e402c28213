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

/** The part of both images that a block reads, in shared memory: two pairs of planes, one of which is copied while the
 * other is used. Rows and planes outside the image are reflected. */
template <typename TShape>
class StructuralSimilarityTile
{
public:
  static constexpr int radius = similarityWindowRadius;
  static constexpr int rows = TShape::rows;
  static constexpr int threads = 32 * TShape::warps;
  /** The number of planes that are copied and averaged together, between two barriers. */
  static constexpr int planes = similarityReferencePlanes;
  static constexpr int tileX = similarityTileX;
  static constexpr int tileY = SimilarityTileY<TShape>();
  static constexpr int inputRows = tileY + 2 * radius;
  /** Rows are read starting inputBorder columns before the outputs, in whole groups of 4, for the sake of alignment. */
  static constexpr int inputBorder = 8;
  static constexpr int inputColumns = tileX + 2 * inputBorder;
  /** Distance between rows: a row is followed by that of the other image, and by padding that changes its bank. */
  static constexpr int inputPitch = 2 * inputColumns + 16;
  static constexpr int inputSize = inputRows * inputPitch;
  static constexpr int groupsPerRow = inputColumns / 4;
  static constexpr int rowsAtOnce = threads / groupsPerRow;
  static constexpr int rowsPerThread = DivideUp(inputRows, rowsAtOnce);
  static_assert(threads % groupsPerRow == 0);

  __device__ __forceinline__
  StructuralSimilarityTile(const StructuralSimilarityArguments & arguments, float * shared, int column)
    : a(arguments)
    , m_Inputs(shared)
    , m_YFirst(column / a.tilesX * tileY - radius)
    , m_XFirst(column % a.tilesX * tileX - inputBorder)
  {
    const int x = m_XFirst + FirstColumn();
    m_HasColumns = x >= 0 && x < a.size.x;
    m_IsInside = m_XFirst >= 0 && m_XFirst + inputColumns <= a.size.x;
#pragma unroll
    for (int i = 0; i < rowsPerThread; ++i)
    {
      m_Offsets[i] = static_cast<unsigned int>(this->RowOffset(FirstRow() + i * rowsAtOnce) + x);
    }
  }

  /** Returns the rows, for one image, of the \p n th plane that was copied, in the buffer that n selects. The rows of a
   * pair's second plane follow those of its first. */
  __device__ __forceinline__ float *
  Input(int n, int image) const
  {
    return m_Inputs + (n & (2 * planes - 1)) * inputSize + image * inputColumns;
  }

  /** Starts copying plane \p z of both images as the \p n th plane. */
  __device__ __forceinline__ void
  StartReading(int z, int n)
  {
    const std::int64_t plane = static_cast<std::int64_t>(ReflectIndex(z, a.size.z)) * a.size.y * a.size.x;
    const float *      from[2] = { a.reference + plane, a.image + plane };
    // Hidden from the compiler, which would otherwise begin each address with the sum of two offsets.
    asm("" : "+l"(from[0]), "+l"(from[1]));
    float * const to = this->Input(n, 0) + FirstRow() * inputPitch;
    if (!a.isQuadAligned)
    {
#pragma unroll
      for (int k = 0; k < 4; ++k)
      {
        const int x = m_XFirst + FirstColumn() + k;
        if (x >= 0 && x < a.size.x)
        {
          this->template CopyColumn<1>(from, k, to + FirstColumn() + k);
        }
      }
    }
    else if (m_HasColumns)
    {
      this->template CopyColumn<4>(from, 0, to + FirstColumn());
    }
    if (!m_IsInside)
    {
      const int beyond = FirstColumn() / 4;
      for (const int x : { -1 - beyond, a.size.x + beyond })
      {
        const int column = x - m_XFirst;
        if (beyond < radius && column >= 0 && column < inputColumns)
        {
          this->template CopyColumn<1>(from, ReflectIndex(x, a.size.x) - m_XFirst - FirstColumn(), to + column);
        }
      }
    }
    __syncwarp();
  }

  /** Marks the end of a group of copies. */
  __device__ static __forceinline__ void
  CommitReading()
  {
    __pipeline_commit();
  }

  /** Waits until all threads can read the copies. */
  __device__ static __forceinline__ void
  FinishReading()
  {
    __pipeline_wait_prior(0);
    __syncthreads();
  }

private:
  /** Returns the first of the rows of the tile that this thread copies, and the first of its 4 columns. */
  __device__ static __forceinline__ int
  FirstRow()
  {
    return static_cast<int>(threadIdx.x) / groupsPerRow;
  }
  __device__ static __forceinline__ int
  FirstColumn()
  {
    return static_cast<int>(threadIdx.x) % groupsPerRow * 4;
  }
  /** Returns the place of row \p i of the tile in a plane of the image. */
  __device__ __forceinline__ int
  RowOffset(int i) const
  {
    return ReflectIndex(m_YFirst + i, a.size.y) * a.size.x;
  }

  /** Starts copying VCount inputs in each of this thread's rows, \p offset after its first column, to \p to and the
   * rows below. */
  template <int VCount>
  __device__ __forceinline__ void
  CopyColumn(const float * const (&from)[2], int offset, float * to) const
  {
#pragma unroll
    for (int i = 0; i < rowsPerThread; ++i)
    {
      if ((i + 1) * rowsAtOnce <= inputRows || FirstRow() < inputRows - i * rowsAtOnce)
      {
#pragma unroll
        for (int image = 0; image < 2; ++image)
        {
          __pipeline_memcpy_async(to + image * inputColumns + i * rowsAtOnce * inputPitch,
                                  from[image] + (m_Offsets[i] + static_cast<unsigned int>(offset)),
                                  VCount * sizeof(float));
        }
      }
    }
  }

  const StructuralSimilarityArguments & a;
  float *                               m_Inputs;
  /** The position of the tile's first row and first column in the image. */
  int m_YFirst;
  int m_XFirst;
  /** Whether this thread's columns are inside the image; meaningful only if they are aligned. */
  bool m_HasColumns;
  /** Whether no row of the tile reaches beyond the image. */
  bool m_IsInside;
  /** Offsets in a plane of the image, modulo 2^32, of this thread's first column in each of its rows. */
  unsigned int m_Offsets[rowsPerThread];
};

} // namespace cudaneuro::gpu

#endif
