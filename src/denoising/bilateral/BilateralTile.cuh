// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralTile_cuh
#define cudaneuro_denoising_bilateral_BilateralTile_cuh

#include "core/IntegerMath.h"
#include "denoising/bilateral/BilateralFormulas.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{
namespace gpu
{

/** What a bilateral kernel works on: planes [zBegin, zEnd) of output from the whole of input. */
struct BilateralArguments
{
  const float *         input;
  const unsigned char * mask; // null: all take part
  float *               output;
  bool                  inQuads; // rows of input and output are whole, aligned groups of 4 floats
  int                   size[3];
  int                   zBegin;
  int                   zEnd;
  int                   radius[3];
  float                 rangeScale;
  float                 inverseRangeScale;
  float                 unitExponent[3]; // BilateralSpatialExponent of one voxel; that of n voxels is n^2 times it
};

/** All but volumes and planes. */
inline BilateralArguments
MakeBilateralArguments(const BilateralParameters & parameters, const Grid & grid)
{
  BilateralArguments arguments{};
  for (int axis = 0; axis < 3; ++axis)
  {
    const double spacing = parameters.useSpacing ? grid.spacing[axis] : 1.0;
    arguments.size[axis] = static_cast<int>(grid.size[axis]);
    // No neighbor is farther away than the axis is long.
    arguments.radius[axis] = static_cast<int>(std::min<std::int64_t>(parameters.radius[axis], grid.size[axis] - 1));
    arguments.unitExponent[axis] =
      static_cast<float>(BilateralSpatialExponent(1, spacing, parameters.domainSigma[axis]));
  }
  const double scale = BilateralRangeScale(parameters.rangeSigma);
  arguments.rangeScale = static_cast<float>(scale);
  arguments.inverseRangeScale = static_cast<float>(1.0 / scale);
  return arguments;
}

inline void
SetBilateralVolumes(BilateralArguments & arguments, const float * input, const unsigned char * mask, float * output)
{
  const auto startsWithQuad = [](const float * data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; };
  arguments.input = input;
  arguments.mask = mask;
  arguments.output = output;
  arguments.inQuads = arguments.size[0] % 4 == 0 && startsWithQuad(input) && startsWithQuad(output);
}

/** Stands for a voxel that takes no part: its difference from any scaled intensity is finite and squares to infinity,
 * so that its weight is exactly 0 and its term is 0 without a branch. */
constexpr float bilateralExcluded = 1.7e38f;
/** Scaled intensities beyond this count as not finite. */
constexpr float bilateralLargestScaled = 1.0e38f;

constexpr float bilateralNan = __builtin_nanf("");

/** An intensity scaled, or bilateralExcluded. */
__device__ __forceinline__ float
ScaleBilateralIntensity(const BilateralArguments & a, float intensity)
{
  const float scaled = intensity * a.rangeScale;
  return fabsf(scaled) <= bilateralLargestScaled ? scaled : bilateralExcluded;
}

/** The intensity at \p index, or NaN where the mask excludes it. */
__device__ __forceinline__ float
LoadBilateralIntensity(const BilateralArguments & a, std::int64_t index)
{
  const bool selected = a.mask == nullptr || __ldg(a.mask + index) != 0;
  return selected ? __ldg(a.input + index) : bilateralNan;
}

/** Intensities of the 4 voxels from x on in a row of the image, where the first is element \p index; NaN beyond the row
 * and where the mask excludes them. */
__device__ __forceinline__ float4
LoadBilateralQuad(const BilateralArguments & a, int x, std::int64_t index)
{
  if (a.inQuads && a.mask == nullptr)
  {
    return __ldg(reinterpret_cast<const float4 *>(a.input + index));
  }
  const auto load = [&](int i) {
    return x + i >= 0 && x + i < a.size[0] ? LoadBilateralIntensity(a, index + i) : bilateralNan;
  };
  return make_float4(load(0), load(1), load(2), load(3));
}

/** The tile of one plane that a block keeps in shared memory, twice: one is read while the next is written. It starts
 * radius[1] rows and haloX columns before the block's first output. */
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

  /** The first plane that will be loaded is \p z. */
  __device__ __forceinline__
  BilateralTile(const BilateralArguments & a, int x0, int y0, int z, float * shared)
    : m_Arguments(a)
    , m_X0(x0 - haloX)
    , m_Y0(y0 - a.radius[1])
    , m_Quads(quadsPerRow * (TShape::threadsY + 2 * a.radius[1]))
    , m_Planes(reinterpret_cast<float4 *>(shared))
    , m_PlaneFloats(static_cast<std::int64_t>(a.size[0]) * a.size[1])
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
    if (m_Arguments.inQuads && m_Arguments.mask == nullptr)
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
        plane[k * TShape::threads] = this->Scale(m_Next[k]);
      }
    }
    // What radius[1] > VRadiusX adds.
#pragma unroll 1
    for (int k = quadsInRegisters; threadIdx.x + k * TShape::threads < m_Quads; ++k)
    {
      plane[k * TShape::threads] = this->Scale(this->LoadQuad(threadIdx.x + k * TShape::threads, z));
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
  /** Whether a quad has voxels of the image, seen in x and y. */
  __device__ __forceinline__ bool
  IsInside(int quad) const
  {
    const int x = this->X(quad);
    const int y = this->Y(quad);
    return x > -4 && x < m_Arguments.size[0] && y >= 0 && y < m_Arguments.size[1];
  }
  __device__ __forceinline__ std::int64_t
                             Index(int quad, int z) const
  {
    return z * m_PlaneFloats + static_cast<std::int64_t>(this->Y(quad)) * m_Arguments.size[0] + this->X(quad);
  }
  __device__ __forceinline__ float4
  LoadQuad(int quad, int z) const
  {
    return this->IsInside(quad) ? LoadBilateralQuad(m_Arguments, this->X(quad), this->Index(quad, z))
                                : make_float4(bilateralNan, bilateralNan, bilateralNan, bilateralNan);
  }
  __device__ __forceinline__ float4
  Scale(float4 v) const
  {
    const auto & a = m_Arguments;
    return make_float4(ScaleBilateralIntensity(a, v.x),
                       ScaleBilateralIntensity(a, v.y),
                       ScaleBilateralIntensity(a, v.z),
                       ScaleBilateralIntensity(a, v.w));
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

} // namespace gpu
} // namespace cudaneuro

#endif
