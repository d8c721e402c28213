// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionTile_cuh
#define cudaneuro_denoising_diffusion_DiffusionTile_cuh

#include "denoising/diffusion/DiffusionShape.cuh"

#include <cuda_pipeline.h>

#include <limits>

namespace cudaneuro::gpu
{

/** The value of a tile beyond the image in x and y. In memory, rows whose length is no multiple of 4 voxels are padded
 * with it, too, in the input of all steps but the first. */
enum class DiffusionBeyond
{
  NotANumber,
  /** For images whose rows have no padding. */
  Zero,
  ZeroAndPadding
};

/** Feeds planes of a block's tile, with a halo of VHalo rows and 4 columns, to a ring of 4 planes in shared memory.
 * There, voxels beyond the image in x and y are as VBeyond says; planes beyond the image are NaN.
 *
 * A flag for each plane of a tile says whether it has excluded voxels, to which padding of NaN belongs. These are the
 * same in all steps: the first step (VFirst) applies the mask and the map, finds them, and writes the flags.
 * Its input need not be aligned; the input of other steps must be (IsQuadAligned). */
template <typename TShape, int VHalo, DiffusionBeyond VBeyond, bool VFirst>
class DiffusionTile
{
public:
  static constexpr int stride = TShape::width + 8;
  static constexpr int height = TShape::height + 2 * VHalo;
  static constexpr int planeFloats = stride * height;
  static constexpr int ringFloats = 4 * planeFloats;

  /** \param z the first plane that will be loaded */
  __device__ __forceinline__
  DiffusionTile(const DiffusionArguments & a, const DiffusionBlock & block, float * ring, int z)
    : m_Arguments(a)
    , m_Block(block)
    , m_Ring(ring)
    , m_PlaneFloats(a.inputPitch * a.size.y)
  {
    const auto tiles = static_cast<unsigned int>(CountDiffusionTiles<TShape>(a.size));
    m_Flags = a.flags + static_cast<std::int64_t>(blockIdx.x % tiles) * a.size.z;
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      const int x = this->QuadX(k);
      const int y = this->QuadY(k);
      m_Inside[k] = this->IsQuad(k) && y >= 0 && y < a.size.y && x >= 0 && x < a.size.x;
      m_Source[k] = a.input + z * m_PlaneFloats + y * a.inputPitch + x;
      if (this->IsQuad(k) && !m_Inside[k])
      {
        for (int plane = 0; plane < 4; ++plane)
        {
          *this->Quad(plane, k) = make_float4(beyond, beyond, beyond, beyond);
        }
      }
    }
  }

  /** Starts loading the next plane, which is \p z. */
  __device__ __forceinline__ void
  Load(int z)
  {
    const bool planeInside = z >= 0 && z < m_Arguments.size.z;
    if (VFirst)
    {
      this->LoadFirst(z, planeInside);
    }
    else if (planeInside)
    {
      m_NextFlag = m_Flags[z];
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (m_Inside[k])
        {
          __pipeline_memcpy_async(this->Quad(z, k), m_Source[k], sizeof(float4));
        }
      }
      __pipeline_commit();
    }
    else
    {
      m_NextFlag = 1;
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (m_Inside[k])
        {
          *this->Quad(z, k) = make_float4(excluded, excluded, excluded, excluded);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      m_Source[k] += m_PlaneFloats;
    }
  }

  /** Waits for plane \p z, the one loaded last, and for all threads. Returns its flag. */
  __device__ __forceinline__ int
  Arrive(int z)
  {
    if (!VFirst)
    {
      __pipeline_wait_prior(0);
      __syncthreads();
      return m_NextFlag;
    }
    const int flag = __syncthreads_or(this->StoreFirst(z));
    if (threadIdx.x == 0 && z >= 0 && z < m_Arguments.size.z)
    {
      m_Flags[z] = flag != 0;
    }
    return flag != 0;
  }

  /** Returns plane \p z, which is among the 4 loaded last. It starts VHalo rows and 4 columns before the block's first
   * voxel. */
  __device__ __forceinline__ float *
  Plane(int z) const
  {
    return m_Ring + (z & 3) * planeFloats;
  }

private:
  static constexpr int   quadsPerRow = stride / 4;
  static constexpr int   quadsPerThread = DivideUp(quadsPerRow * height, TShape::threads);
  static constexpr float excluded = std::numeric_limits<float>::quiet_NaN();
  static constexpr float beyond = VBeyond == DiffusionBeyond::NotANumber ? excluded : 0.0f;

  static __device__ __forceinline__ bool
  IsTakingPart(float value)
  {
    return fabsf(value) <= 3.402823466e38f; // false for NaN
  }

  __device__ __forceinline__ bool
  IsQuad(int k) const
  {
    return threadIdx.x + k * TShape::threads < quadsPerRow * height;
  }
  __device__ __forceinline__ int
  QuadX(int k) const
  {
    return m_Block.x0 - 4 + 4 * static_cast<int>((threadIdx.x + k * TShape::threads) % quadsPerRow);
  }
  __device__ __forceinline__ int
  QuadY(int k) const
  {
    return m_Block.y0 - VHalo + static_cast<int>((threadIdx.x + k * TShape::threads) / quadsPerRow);
  }
  __device__ __forceinline__ float4 *
  Quad(int z, int k) const
  {
    return reinterpret_cast<float4 *>(this->Plane(z)) + threadIdx.x + k * TShape::threads;
  }

  __device__ __forceinline__ void
  LoadFirst(int z, bool planeInside)
  {
    const DiffusionArguments & a = m_Arguments;
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
#pragma unroll
      for (float & value : m_Next[k])
      {
        value = excluded;
      }
    }
    if (!TShape::hasMap && a.isInputQuadAligned && a.mask == nullptr)
    {
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (planeInside && m_Inside[k])
        {
          const float4 v = __ldg(reinterpret_cast<const float4 *>(m_Source[k]));
          m_Next[k][0] = v.x;
          m_Next[k][1] = v.y;
          m_Next[k][2] = v.z;
          m_Next[k][3] = v.w;
        }
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const int x = this->QuadX(k) + i;
        if (planeInside && m_Inside[k] && x < a.size.x)
        {
          const auto index = (static_cast<std::int64_t>(z) * a.size.y + this->QuadY(k)) * a.size.x + x;
          const bool isKnown = !TShape::hasMap || __ldg(a.noise + index) > 0.0f;
          if (isKnown && (a.mask == nullptr || __ldg(a.mask + index) != 0))
          {
            m_Next[k][i] = __ldg(m_Source[k] + i);
          }
        }
      }
    }
  }

  /** Writes the plane loaded last to the ring. Returns whether this thread's part has an excluded voxel, or one so
   * large that some of its edges may have no flux. */
  __device__ __forceinline__ bool
  StoreFirst(int z)
  {
    bool anyExcluded = false;
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      if (m_Inside[k])
      {
#pragma unroll
        for (int i = 0; i < 4; ++i)
        {
          float & value = m_Next[k][i];
          value = IsTakingPart(value) ? DiffusionUnitsFromIntensity(value, m_Arguments.units.reference) : excluded;
          if (VBeyond == DiffusionBeyond::ZeroAndPadding && i > 0 && this->QuadX(k) + i >= m_Arguments.size.x)
          {
            value = 0.0f;
          }
          // A difference is beyond the limit only if one of its voxels is beyond half of it. True for NaN.
          anyExcluded = anyExcluded || !(fabsf(value) <= 0.5f * m_Arguments.units.largestEdgeDifference);
        }
        *this->Quad(z, k) = make_float4(m_Next[k][0], m_Next[k][1], m_Next[k][2], m_Next[k][3]);
      }
    }
    return anyExcluded;
  }

  const DiffusionArguments & m_Arguments;
  const DiffusionBlock &     m_Block;
  float *                    m_Ring;
  std::int64_t               m_PlaneFloats;
  unsigned char *            m_Flags;
  int                        m_NextFlag = 0;
  bool                       m_Inside[quadsPerThread];
  const float *              m_Source[quadsPerThread];
  float                      m_Next[quadsPerThread][4]; // used in the first step only
};

/** Reads 4 consecutive floats. */
__device__ __forceinline__ void
ReadQuad(const float * from, float (&to)[4])
{
  const float4 v = *reinterpret_cast<const float4 *>(from);
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

} // namespace cudaneuro::gpu

#endif
