// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionOutput_cuh
#define cudaneuro_denoising_diffusion_DiffusionOutput_cuh

#include "denoising/diffusion/DiffusionArguments.cuh"

namespace cudaneuro::gpu
{

/** Writes a thread's results that lie in the image, 4 of a row at a time. */
class DiffusionOutput
{
public:
  /** \param x, y, z the first voxel of the first quad */
  __device__ __forceinline__
  DiffusionOutput(const DiffusionArguments & a, int x, int y, int z)
    : m_Arguments(a)
    , m_X(x)
    , m_Y(y)
    , m_PlaneFloats(a.outputPitch * a.size.y)
    , m_Output(a.output + (z * m_PlaneFloats + y * a.outputPitch + x))
  {}

  /** Writes the rows of plane \p z and moves on to the next plane. */
  template <int VRows>
  __device__ __forceinline__ void
  WritePlane(int z, const float (&result)[VRows][4])
  {
    // Two loops, so that the steps before the last spend no registers on what only the last needs.
    if (this->IsLastStep())
    {
#pragma unroll
      for (int j = 0; j < VRows; ++j)
      {
        this->WriteIntensities(j, z, result[j]);
      }
    }
    else
    {
#pragma unroll
      for (int j = 0; j < VRows; ++j)
      {
        this->Write(j, result[j]);
      }
    }
    this->NextPlane();
  }

  __device__ __forceinline__ void
  NextPlane()
  {
    m_Output += m_PlaneFloats;
  }

  /** Writes the quad \p row rows below the first. */
  __device__ __forceinline__ void
  Write(int row, const float (&result)[4]) const
  {
    if (m_X >= m_Arguments.size.x || m_Y + row >= m_Arguments.size.y)
    {
      return;
    }
    float * const output = m_Output + row * m_Arguments.outputPitch;
    if (m_Arguments.isOutputQuadAligned)
    {
      *reinterpret_cast<float4 *>(output) = make_float4(result[0], result[1], result[2], result[3]);
      return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      if (m_X + i < m_Arguments.size.x)
      {
        output[i] = result[i];
      }
    }
  }

  /** Returns whether this is the last step, whose results are written as intensities. */
  __device__ __forceinline__ bool
  IsLastStep() const
  {
    return m_Arguments.restore != nullptr;
  }

  /** Does Write in the last step, for plane \p z: converts results to intensities and restores the input where they are
   * NaN, that is in excluded voxels. */
  __device__ __forceinline__ void
  WriteIntensities(int row, int z, const float (&result)[4]) const
  {
    const DiffusionArguments & a = m_Arguments;
    if (m_Y + row >= a.size.y)
    {
      return;
    }
    const auto index = (static_cast<std::int64_t>(z) * a.size.y + m_Y + row) * a.size.x + m_X;
    float      intensities[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      intensities[i] = IntensityFromDiffusionUnits(result[i], a.units.reference);
      if (isnan(result[i]) && m_X + i < a.size.x)
      {
        intensities[i] = a.restore[index + i];
      }
    }
    this->Write(row, intensities);
  }

private:
  const DiffusionArguments & m_Arguments;
  int                        m_X;
  int                        m_Y;
  std::int64_t               m_PlaneFloats;
  float *                    m_Output;
};

} // namespace cudaneuro::gpu

#endif
