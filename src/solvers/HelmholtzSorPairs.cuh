// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzSorPairs_cuh
#define cudaneuro_solvers_HelmholtzSorPairs_cuh

#include "solvers/HelmholtzSorTile.cuh"

#include <cuda_pipeline.h>

#include <cstdint>

/** The reads and writes of columns of voxels by a block of the kernel of successive over-relaxation. */
namespace cudaneuro::gpu
{

/** The pairs of neighboring columns of a thread: their positions, and which of their voxels it reads and writes. A warp
 * has rows of 32 pairs. */
template <typename TTile, bool VPairsAligned>
class SorPairs
{
public:
  using Tile = TTile;
  static constexpr int stages = Tile::stages;

  __device__ __forceinline__ explicit SorPairs(const SorArguments & arguments)
    : m_Arguments(arguments)
  {
    m_Lane = static_cast<int>(threadIdx.x) % 32;
    m_Warp = static_cast<int>(threadIdx.x) / 32;
    const Extent & extent = arguments.extent;
    const int      tileX = static_cast<int>(blockIdx.x) % arguments.tilesX;
    const int      tileY = static_cast<int>(blockIdx.x) / arguments.tilesX;
    const int      originX = tileX * Tile::stepX - Tile::marginX;
    const int      originY = tileY * Tile::stepY;
    const int      x = originX + 2 * m_Lane;
    const int      y = originY + m_Warp * Tile::rows;
    m_Begin = static_cast<int>(blockIdx.y) * arguments.planes;
    m_End = min(m_Begin + arguments.planes, extent.z);
    m_PlaneStride = std::int64_t{ extent.x } * extent.y;
    const int endX = originX + Tile::width - Tile::halo;
    const int endY = originY + Tile::height - Tile::halo;
    const int firstX = tileX == 0 ? 0 : originX + Tile::halo;
    const int lastX = tileX == arguments.tilesX - 1 ? extent.x : endX;
    const int firstY = tileY == 0 ? 0 : originY + Tile::halo;
    const int lastY = tileY == arguments.tilesY - 1 ? extent.y : endY;
    for (int i = 0; i < 2 * Tile::rows; ++i)
    {
      const int ownX = x + i / Tile::rows;
      const int ownY = y + i % Tile::rows;
      m_Read |= (ownX >= 0 && ownX < extent.x && ownY < extent.y ? 1u : 0u) << i;
      m_Write |= (ownX >= firstX && ownX < lastX && ownY >= firstY && ownY < lastY ? 1u : 0u) << i;
    }
    const int          component = static_cast<int>(blockIdx.z);
    const std::int64_t pair = std::int64_t{ y } * extent.x + x;
    const std::int64_t first = this->FirstStep() * m_PlaneStride + pair;
    m_Value = first + (component == 0 ? arguments.from.x : (component == 1 ? arguments.from.y : arguments.from.z));
    m_Force = first + (component == 0 ? arguments.force.x : (component == 1 ? arguments.force.y : arguments.force.z));
    m_To = m_Begin * m_PlaneStride + pair +
           (component == 0 ? arguments.to.x : (component == 1 ? arguments.to.y : arguments.to.z));
  }

protected:
  __device__ __forceinline__ int
  FirstStep() const
  {
    return max(0, m_Begin - stages);
  }

  /** Returns whether a row is odd, known at compile time, so that loads go to their registers without a wait. */
  __device__ __forceinline__ static constexpr bool
  IsOddRow(int r)
  {
    static_assert(Tile::rows % 2 == 0 && Tile::stepY % 2 == 0, "The first row of a thread must be even");
    return r % 2 != 0;
  }

  __device__ __forceinline__ bool
  ReadsFirst(int r) const
  {
    return (m_Read & 1u << r) != 0;
  }

  __device__ __forceinline__ bool
  ReadsSecond(int r) const
  {
    return (m_Read & 1u << (Tile::rows + r)) != 0;
  }

  /** Reads a pair of row \p r of \p plane; values outside the grid are 0. */
  __device__ __forceinline__ float2
  Load(const float * pair, int plane, int r) const
  {
    float2 values = make_float2(0.0f, 0.0f);
    if (plane < m_Arguments.extent.z)
    {
      const float * const from = pair + std::int64_t{ r } * m_Arguments.extent.x;
      if (this->ReadsFirst(r))
      {
        values.x = from[0];
      }
      if (this->ReadsSecond(r))
      {
        values.y = from[1];
      }
    }
    return values;
  }

  /** Starts to copy a pair of row \p r; the values of voxels outside the grid stay unchanged. */
  __device__ __forceinline__ void
  Copy(const float * pair, int r, float2 & to) const
  {
    const float * const from = pair + std::int64_t{ r } * m_Arguments.extent.x;
    if constexpr (VPairsAligned)
    {
      if (this->ReadsFirst(r))
      {
        __pipeline_memcpy_async(&to, from, sizeof(float2));
      }
    }
    else
    {
      if (this->ReadsFirst(r))
      {
        __pipeline_memcpy_async(&to.x, from, sizeof(float));
      }
      if (this->ReadsSecond(r))
      {
        __pipeline_memcpy_async(&to.y, from + 1, sizeof(float));
      }
    }
  }

  /** Assigns the voxels of a pair of row \p r to the columns: \p even is the voxel of even x + y. */
  __device__ __forceinline__ static void
  Share(const float2 & pair, int r, float & even, float & odd)
  {
    (IsOddRow(r) ? odd : even) = pair.x;
    (IsOddRow(r) ? even : odd) = pair.y;
  }

  __device__ __forceinline__ void
  Store(int r, float even, float odd) const
  {
    const float   first = IsOddRow(r) ? odd : even;
    const float   second = IsOddRow(r) ? even : odd;
    float * const pair = m_To + std::int64_t{ r } * m_Arguments.extent.x;
    const bool    writesFirst = (m_Write & 1u << r) != 0;
    if constexpr (VPairsAligned)
    {
      if (writesFirst)
      {
        *reinterpret_cast<float2 *>(pair) = make_float2(first, second);
      }
    }
    else
    {
      if (writesFirst)
      {
        pair[0] = first;
      }
      if ((m_Write & 1u << (Tile::rows + r)) != 0)
      {
        pair[1] = second;
      }
    }
  }

  const SorArguments & m_Arguments;
  const float *        m_Value;
  const float *        m_Force;
  float *              m_To;
  int                  m_Lane;
  int                  m_Warp;
  int                  m_Begin;
  int                  m_End;
  std::int64_t         m_PlaneStride;

private:
  /** Bit r is for the first voxel of the pair in row r, bit Tile::rows + r for the second: m_Read has the voxels in the
   * grid, m_Write those that this block writes. */
  unsigned int m_Read = 0;
  unsigned int m_Write = 0;
};

} // namespace cudaneuro::gpu

#endif
