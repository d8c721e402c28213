// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansPlanCpu_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansPlanCpu_h

#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace cudaneuro::cpu
{

/** The constants that all tiles share. A radius is smaller than the image's size along its axis. */
struct NonLocalMeansPlan
{
  using Sizes = std::array<std::int64_t, 3>;

  NonLocalMeansParameters parameters;
  Sizes                   window{};
  Sizes                   patch{};
  IntensityScale          scale;
  RicianScale             rician;
  /** The noise at each voxel of the image, or null, and the largest noise. */
  const float * noise;
  float         largestNoise;

  NonLocalMeansPlan(const NonLocalMeansParameters & p,
                    const Grid &                    grid,
                    const IntensitySample &         sample,
                    const float *                   itsNoise,
                    float                           itsLargestNoise)
    : parameters(p)
    , scale{ NonLocalMeansReference(sample, p.ricianCorrection),
             static_cast<float>(NonLocalMeansIntensityScale(p.weighting, p.smoothingParameter)) }
    , noise(itsNoise)
    , largestNoise(itsLargestNoise)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      window[axis] = std::min<std::int64_t>(p.windowRadius[axis], grid.size[axis] - 1);
      patch[axis] = std::min<std::int64_t>(p.patchRadius[axis], grid.size[axis] - 1);
    }
    rician = MakeRicianScale(scale, p.noiseStandardDeviation, this->NumberOfOffsets());
  }

  bool
  IsPatchSum() const
  {
    return parameters.weighting == NonLocalMeansWeighting::PatchSum;
  }
  bool
  HasMap() const
  {
    return noise != nullptr;
  }
  bool
  NeedsMaxima() const
  {
    return !this->IsPatchSum() && parameters.centerWeight == NonLocalMeansCenterWeight::Maximum;
  }
  Sizes
  Halo() const
  {
    return { window[0] + patch[0], window[1] + patch[1], window[2] + patch[2] };
  }
  std::int64_t
  NumberOfOffsets() const
  {
    return (2 * window[0] + 1) * (2 * window[1] + 1) * (2 * window[2] + 1);
  }
};

} // namespace cudaneuro::cpu

#endif
