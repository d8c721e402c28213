// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_IntensityScale_h
#define cudaneuro_core_IntensityScale_h

#include "core/HostDevice.h"

namespace cudaneuro
{

/** The scale with which filters compare intensities V: they compute with (V - reference) * scale. */
struct IntensityScale
{
  /** Subtracted first, because float has more digits for small numbers: intensities may be far from 0. */
  float reference = 0.0f;
  float scale = 1.0f;
};

/** Scaled intensities are limited to this magnitude, 2^48, so that squares of differences, summed over the largest
 * patches and windows, are finite. Voxels at the limit keep their value. */
constexpr float largestScaledIntensity = 281474976710656.0f;

CUDANEURO_HOST_DEVICE float
ScaledIntensity(const IntensityScale & scale, float intensity)
{
  const float scaled = (intensity - scale.reference) * scale.scale;
  const float limited = scaled < largestScaledIntensity ? scaled : largestScaledIntensity;
  return limited > -largestScaledIntensity ? limited : -largestScaledIntensity;
}

/** Returns whether a scaled intensity was limited. */
CUDANEURO_HOST_DEVICE bool
IsAtLimit(float scaled)
{
  return scaled >= largestScaledIntensity || scaled <= -largestScaledIntensity;
}

} // namespace cudaneuro

#endif
