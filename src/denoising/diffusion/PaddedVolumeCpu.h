// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_PaddedVolumeCpu_h
#define cudaneuro_denoising_diffusion_PaddedVolumeCpu_h

#include "core/IntegerMath.h"
#include "cudaneuro/Context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

/** The memory that the steps of diffusion read and write. An excluded voxel is NaN there. */
namespace cudaneuro::cpu
{

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

/** A volume padded by one voxel on every side. Its rows begin at cache lines. */
class PaddedVolume
{
public:
  /** Fills the volume with NaN. */
  PaddedVolume(Context & context, const Grid & grid)
    : m_RowStride(RoundUp(firstX + grid.size[0] + 1, floatsPerCacheLine))
    , m_PlaneStride(m_RowStride * (grid.size[1] + 2))
    , m_Memory(context.Allocate(static_cast<std::size_t>(m_PlaneStride * (grid.size[2] + 2)) * sizeof(float)))
  {
    context.ParallelFor(grid.size[2] + 2, [this](std::int64_t plane) {
      std::fill_n(this->Data() + plane * m_PlaneStride, m_PlaneStride, notANumber);
    });
  }

  float *
  Row(std::int64_t y, std::int64_t z) const
  {
    return this->Data() + (z + 1) * m_PlaneStride + (y + 1) * m_RowStride + firstX;
  }
  std::int64_t
  RowStride() const
  {
    return m_RowStride;
  }
  std::int64_t
  PlaneStride() const
  {
    return m_PlaneStride;
  }

private:
  static constexpr std::int64_t floatsPerCacheLine = 16;
  static constexpr std::int64_t firstX = floatsPerCacheLine;

  float *
  Data() const
  {
    return static_cast<float *>(m_Memory.Data());
  }

  std::int64_t m_RowStride;
  std::int64_t m_PlaneStride;
  DeviceMemory m_Memory;
};

} // namespace cudaneuro::cpu

#endif
