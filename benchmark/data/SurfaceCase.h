// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceCase_h
#define SurfaceCase_h

#include "cudaneuro/NonLocalMeansLevelSet.h"

#include <cstdint>

namespace cudaneuro::benchmark
{

/** Distances to a sphere with bumps and noise, in the memory of a device, and memory for the denoised ones. */
class SurfaceCase
{
public:
  /** \param bandVoxels the approximate number of voxels of the band of the paper's parameters */
  SurfaceCase(const Device & device, std::int64_t bandVoxels);

  Context &
  GetContext()
  {
    return m_Context;
  }
  const Grid &
  GetGrid() const
  {
    return m_Grid;
  }
  ConstVolume
  GetInput() const
  {
    return { m_Input.Data(), PixelType::Float, m_Space };
  }

  std::int64_t
  GetNumberOfBandVoxels() const
  {
    return m_BandVoxels;
  }

  /** Denoises with the defaults: patches of 5 x 5 x 5 voxels, 96 neighbors and 15 iterations. */
  NonLocalMeansLevelSetResult
  Denoise();

private:
  Context      m_Context;
  MemorySpace  m_Space;
  Grid         m_Grid;
  DeviceMemory m_Input;
  DeviceMemory m_Output;
  std::int64_t m_BandVoxels = 0;
};

} // namespace cudaneuro::benchmark

#endif
