// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionFormulas_h
#define cudaneuro_denoising_diffusion_DiffusionFormulas_h

#include "core/ApproximateMath.h"
#include "core/Exp2.h"
#include "cudaneuro/AnisotropicDiffusion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

/** What steps compute with: u = 2^-8 (V - reference), and conductances of q = (t / kappa)^2 squaredKappa.
 *
 * The reference is near the intensities, so that u is exact, or rounded at the size of V - reference; steps then round
 * at the size of the image's contrast, however far from 0 it lies. The factor 2^-8, which rounds nothing above 1e-35,
 * keeps differences and the sums over neighbors finite for all finite V. */
struct DiffusionUnits
{
  static constexpr float unitsPerIntensity = 1.0f / 256.0f;

  float reference = 0.0f;
  /** For conductances along edges: a difference of two u, times this, squared is q. */
  float inverseKappa = 0.0f;
  /** For gradients: the difference of the two neighbors on an axis, times this, squared is what the axis adds to q. 0 along
   * axes of size 1. */
  float gradientScale[3] = {};
  /** q of t = kappa, and its root. */
  float squaredKappa = 1.0f;
  float kappa = 1.0f;
  /** Nothing flows along an edge with a larger difference of two u than this. For PeronaMalikRational on CUDA devices: what
   * flows there is below 2^-31 kappa, and the paired reciprocals would not tell it from more. */
  float largestEdgeDifference = std::numeric_limits<float>::max();
};

/** Intensities from here on leave no room for a reference; it is 0 then. */
constexpr float largestDiffusionReference = 0x1p100f;

inline DiffusionUnits
MakeDiffusionUnits(const AnisotropicDiffusionParameters & parameters, const Grid & grid, float reference)
{
  DiffusionUnits units;
  units.reference = std::abs(reference) <= largestDiffusionReference ? reference : 0.0f;
  if (parameters.conductance == DiffusionConductance::Charbonnier)
  {
    // Its flux t g(t) tends to kappa where t is large, so q must not overflow. This power of two makes the square of the
    // largest difference of two floats finite, as far as the square of kappa stays a normal float. The fluxes of the
    // other conductances tend to 0, which is what an infinite q gives.
    const int exponent = std::clamp(static_cast<int>(std::floor(std::log2(parameters.kappa))) - 70, -62, 0);
    units.kappa = std::ldexp(1.0f, exponent);
    units.squaredKappa = units.kappa * units.kappa;
  }
  const double scale = double{ units.kappa } / (parameters.kappa * DiffusionUnits::unitsPerIntensity);
  units.inverseKappa = static_cast<float>(scale);
  if (parameters.conductance == DiffusionConductance::PeronaMalikRational &&
      parameters.stencil != DiffusionStencil::Weickert26)
  {
    constexpr double largestRatio = 2147483648.0; // 2^31
    units.largestEdgeDifference =
      static_cast<float>(std::min(largestRatio / scale, double{ std::numeric_limits<float>::max() }));
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    const double step = parameters.useSpacing ? grid.spacing[axis] : 1.0;
    // The limit keeps 0 times the scale 0. It is reached where any difference above 1e-36 is far above kappa.
    constexpr double largestScale = 1e38;
    units.gradientScale[axis] =
      grid.size[axis] > 1 ? static_cast<float>(std::min(0.5 * scale / step, largestScale)) : 0.0f;
  }
  return units;
}

CUDANEURO_HOST_DEVICE float
DiffusionUnitsFromIntensity(float intensity, float reference)
{
  return intensity * DiffusionUnits::unitsPerIntensity - reference * DiffusionUnits::unitsPerIntensity;
}

/** NaN stays NaN. What is infinite by rounding alone becomes the largest float. */
CUDANEURO_HOST_DEVICE float
IntensityFromDiffusionUnits(float u, float reference)
{
  constexpr float largest = std::numeric_limits<float>::max();
  constexpr float largestRounded = 0x1.0001p120f; // a little above the largest float, in DiffusionUnits
  const float     intensity = u * (1.0f / DiffusionUnits::unitsPerIntensity) + reference;
  const bool      isRoundedUp = std::abs(intensity) > largest && std::abs(u) <= largestRounded;
  return isRoundedUp ? std::copysign(largest, u) : intensity;
}

/** 1 / sqrt(x) for normal x > 0; on a device to 2 ulp, and 0 for infinity. */
CUDANEURO_HOST_DEVICE float
ReciprocalRootOfPositive(float x)
{
#if defined(__CUDA_ARCH__)
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1.0f / std::sqrt(x);
#endif
}

/** Conductance g(t) of \p q = (t / kappa)^2 squaredKappa, where \p kappa and \p squaredKappa are those of DiffusionUnits (1
 * but for Charbonnier). \p q may be infinite. */
template <DiffusionConductance VConductance>
CUDANEURO_HOST_DEVICE float
Conductance(float q, [[maybe_unused]] float kappa, [[maybe_unused]] float squaredKappa)
{
  if constexpr (VConductance == DiffusionConductance::PeronaMalikExponential)
  {
    return Exp2(-static_cast<float>(log2OfE) * q);
  }
  else if constexpr (VConductance == DiffusionConductance::PeronaMalikRational)
  {
    return ReciprocalOfPositive(1.0f + q);
  }
  else if constexpr (VConductance == DiffusionConductance::Charbonnier)
  {
    return kappa * ReciprocalRootOfPositive(squaredKappa + q);
  }
  else
  {
    const float support = q < 1.0f ? 1.0f - q : 0.0f;
    return support * support;
  }
}

/** 1 / edge length by the axes along which the edge moves; 0 for the edges that a stencil or grid does not have. */
struct InverseEdgeLengths
{
  float x, y, z, xy, xz, yz, xyz;
};

/** Axes of size 1 have no edges. */
inline InverseEdgeLengths
MakeInverseEdgeLengths(DiffusionStencil stencil, const Grid & grid, bool useSpacing)
{
  const auto inverseLength = [&](int x, int y, int z) -> float {
    const int  moves[3] = { x, y, z };
    const int  numberOfMoves = x + y + z;
    const bool singleAxisOnly = stencil == DiffusionStencil::PeronaMalik6;
    if (singleAxisOnly && numberOfMoves > 1)
    {
      return 0.0f;
    }
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      if (moves[axis] != 0 && grid.size[axis] == 1)
      {
        return 0.0f;
      }
      const double step = useSpacing ? grid.spacing[axis] : 1.0;
      squared += moves[axis] * step * step;
    }
    return static_cast<float>(1.0 / std::sqrt(squared));
  };
  return { inverseLength(1, 0, 0), inverseLength(0, 1, 0), inverseLength(0, 0, 1), inverseLength(1, 1, 0),
           inverseLength(1, 0, 1), inverseLength(0, 1, 1), inverseLength(1, 1, 1) };
}

/** Sum over all neighbors of 1 / edge length. */
inline double
SumOfInverseEdgeLengths(const InverseEdgeLengths & l)
{
  return 2.0 * (double{ l.x } + l.y + l.z) + 4.0 * (double{ l.xy } + l.xz + l.yz) + 8.0 * l.xyz;
}

} // namespace cudaneuro

#endif
