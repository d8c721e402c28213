// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralTile_cuh
#define cudaneuro_denoising_bilateral_BilateralTile_cuh

#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralArguments.cuh"

#include <cstdint>

namespace cudaneuro::gpu
{

/** A block's tile of a plane in shared memory. There are two tiles: one plane is read while the next is written.
 * The tile starts radius[1] rows and haloX columns before the block's first output. */
template <int VRadiusX, typename TShape>
class BilateralTile
{
public:
  static constexpr int haloX = (VRadiusX + 3) / 4 * 4;
  static constexpr int quadsPerRow = TShape::threadsX + haloX / 2;
  static constexpr int stride = 4 * quadsPerRow;

  static constexpr std::size_t
  SharedBytes(int radiusY)
  {
    return sizeof(float) * 2 * stride * (TShape::threadsY + 2 * radiusY);
  }

  /** \param z the first plane that will be loaded */
  __device__ __forceinline__
  BilateralTile(const BilateralArguments & a, int x0, int y0, int z, float * shared)
    : m_Arguments(a)
    , m_X0(x0 - haloX)
    , m_Y0(y0 - a.radius[1])
    , m_Quads(quadsPerRow * (TShape::threadsY + 2 * a.radius[1]))
    , m_Planes(reinterpret_cast<float4 *>(shared))
    , m_PlaneFloats(static_cast<std::int64_t>(a.size.x) * a.size.y)
  {
#pragma unroll
    for (int k = 0; k < quadsInRegisters; ++k)
    {
      const int quad = threadIdx.x + k * TShape::threads;
      m_Inside[k] = quad < m_Quads && this->IsInside(quad);
      m_Source[k] = a.input + this->Index(quad, z);
      m_Next[k] = make_float4(bilateralNan, bilateralNan, bilateralNan, bilateralNan);
    }
  }

  /** Starts loading the next plane, which is \p z. */
  __device__ __forceinline__ void
  Load(int z)
  {
    if (!TShape::hasMap && m_Arguments.isQuadAligned && m_Arguments.mask == nullptr)
    {
#pragma unroll
      for (int k = 0; k < quadsInRegisters; ++k)
      {
        if (m_Inside[k])
        {
          m_Next[k] = __ldg(reinterpret_cast<const float4 *>(m_Source[k]));
        }
        m_Source[k] += m_PlaneFloats;
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < quadsInRegisters; ++k)
    {
      m_Next[k] = this->LoadQuad(threadIdx.x + k * TShape::threads, z);
    }
  }

  /** Writes plane \p z, the one loaded last. */
  __device__ __forceinline__ void
  Store(int z)
  {
    float4 * const plane = m_Planes + (z & 1) * m_Quads + threadIdx.x;
#pragma unroll
    for (int k = 0; k < quadsInRegisters; ++k)
    {
      if (threadIdx.x + k * TShape::threads < m_Quads)
      {
        plane[k * TShape::threads] = ScaleBilateralQuad(m_Arguments, m_Next[k]);
      }
    }
    // The rows that radius[1] > VRadiusX adds do not fit into registers, so that they are loaded and stored at once.
#pragma unroll 1
    for (int k = quadsInRegisters; threadIdx.x + k * TShape::threads < m_Quads; ++k)
    {
      plane[k * TShape::threads] =
        ScaleBilateralQuad(m_Arguments, this->LoadQuad(threadIdx.x + k * TShape::threads, z));
    }
  }

  __device__ __forceinline__ const float *
  Plane(int z) const
  {
    return reinterpret_cast<const float *>(m_Planes + (z & 1) * m_Quads);
  }

private:
  static constexpr int quadsInRegisters = DivideUp(quadsPerRow * (TShape::threadsY + 2 * VRadiusX), TShape::threads);

  __device__ __forceinline__ int
  X(int quad) const
  {
    return m_X0 + 4 * (quad % quadsPerRow);
  }
  __device__ __forceinline__ int
  Y(int quad) const
  {
    return m_Y0 + quad / quadsPerRow;
  }
  /** Returns whether a quad has voxels of the image by its x and y. */
  __device__ __forceinline__ bool
  IsInside(int quad) const
  {
    const int x = this->X(quad);
    const int y = this->Y(quad);
    return x > -4 && x < m_Arguments.size.x && y >= 0 && y < m_Arguments.size.y;
  }
  __device__ __forceinline__ std::int64_t
                             Index(int quad, int z) const
  {
    return z * m_PlaneFloats + static_cast<std::int64_t>(this->Y(quad)) * m_Arguments.size.x + this->X(quad);
  }
  __device__ __forceinline__ float4
  LoadQuad(int quad, int z) const
  {
    return this->IsInside(quad) ? LoadBilateralQuad<TShape::hasMap>(m_Arguments, this->X(quad), this->Index(quad, z))
                                : make_float4(bilateralNan, bilateralNan, bilateralNan, bilateralNan);
  }

  const BilateralArguments & m_Arguments;
  int                        m_X0;
  int                        m_Y0;
  int                        m_Quads;
  float4 *                   m_Planes;
  std::int64_t               m_PlaneFloats;
  bool                       m_Inside[quadsInRegisters];
  const float *              m_Source[quadsInRegisters];
  float4                     m_Next[quadsInRegisters];
};

} // namespace cudaneuro::gpu

#endif
