// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionFormulas_h
#define cudaneuro_denoising_diffusion_DiffusionFormulas_h

#include "core/ApproximateMath.h"
#include "core/Dispatch.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "images/noise/NoiseValues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace cudaneuro
{

/** The units in which steps compute: u = 2^-8 (V - reference), and conductances of q = (t / kappa)^2 squaredKappa.
 *
 * The reference is near the intensities. So u is exact or rounded in proportion to V - reference, and steps round in
 * proportion to the image's contrast, however far intensities are from 0. The factor 2^-8 keeps differences, and their
 * sums over neighbors, finite for all finite V; it is exact above 1e-35. */
struct DiffusionUnits
{
  static constexpr float unitsPerIntensity = 1.0f / 256.0f;

  float reference = 0.0f;
  /** Along edges q = (inverseKappa (u_j - u_i))^2. */
  float inverseKappa = 0.0f;
  /** For gradients q = sum over the axes of (gradientScale (u+ - u-))^2, with u+ and u- the two neighbors on the axis.
   * GeometricMean26 adds (gradientScale ((u+ + u-) / 2 - u))^2. The scale is 0 for axes of size 1. */
  float gradientScale[3] = {};
  /** The value of q at t = kappa, and its square root. */
  float squaredKappa = 1.0f;
  float kappa = 1.0f;
  /** Edges with a larger difference of u have no flux. This limit is for PeronaMalikRational on CUDA devices, where the
   * flux beyond it is below 2^-31 kappa and cannot be computed by paired reciprocals. */
  float largestEdgeDifference = std::numeric_limits<float>::max();
};

/** Returns whether conductances are computed from gradients at voxels, not from differences along edges. */
constexpr bool
HasConductanceField(DiffusionStencil stencil)
{
  return stencil == DiffusionStencil::Weickert26 || stencil == DiffusionStencil::GeometricMean26;
}

/** Returns the smallest noise over the largest, as RelativeInverseNoise() computes it; 1 without a map. */
inline double
SmallestNoise(const NoiseValues & values)
{
  return values.largest > 0.0f ? 1.0 / RelativeInverseNoise(values.largest, values.smallest) : 1.0;
}

/** For larger references 0 is used instead, because V - reference could overflow. */
constexpr float largestDiffusionReference = 0x1p100f;

/** \param smallestNoise smallest noise over the largest, 1 without a map; kappa holds for the largest noise */
inline DiffusionUnits
MakeDiffusionUnits(const AnisotropicDiffusionParameters & parameters,
                   const Grid &                           grid,
                   float                                  reference,
                   double                                 smallestNoise)
{
  DiffusionUnits units;
  units.reference = std::abs(reference) <= largestDiffusionReference ? reference : 0.0f;
  const bool isGeometric = parameters.stencil == DiffusionStencil::GeometricMean26;
  if (parameters.conductance == DiffusionConductance::Charbonnier ||
      (isGeometric && parameters.conductance == DiffusionConductance::PeronaMalikRational))
  {
    // The flux t g(t), or t sqrt(g(t)), tends to kappa for large t, so q must not overflow. This power of two keeps the
    // square of the largest difference of two floats finite where kappa is smallest, as long as the square of kappa is
    // a normal float. The flux of the other conductances tends to 0 for large t, and an infinite q gives this limit,
    // too, so that they need no factor.
    const int exponent =
      std::clamp(static_cast<int>(std::floor(std::log2(parameters.kappa * smallestNoise))) - 70, -62, 0);
    units.kappa = std::ldexp(1.0f, exponent);
    units.squaredKappa = units.kappa * units.kappa;
  }
  const double scale = double{ units.kappa } / (parameters.kappa * DiffusionUnits::unitsPerIntensity);
  units.inverseKappa = static_cast<float>(scale);
  if (parameters.conductance == DiffusionConductance::PeronaMalikRational && !HasConductanceField(parameters.stencil))
  {
    constexpr double largestRatio = 2147483648.0; // 2^31
    units.largestEdgeDifference =
      static_cast<float>(std::min(largestRatio / scale, double{ std::numeric_limits<float>::max() }));
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    const double step = parameters.useImageSpacing ? grid.spacing[axis] : 1.0;
    // With this limit the scale is finite, so that 0 times it is 0. Where the limit applies, any difference above 1e-36
    // is far above kappa.
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

/** Returns the intensity. NaN stays NaN; a result that overflows by rounding alone becomes the largest float. */
CUDANEURO_HOST_DEVICE float
IntensityFromDiffusionUnits(float u, float reference)
{
  constexpr float largest = std::numeric_limits<float>::max();
  constexpr float largestRounded = 0x1.0001p120f; // a little above the largest float, in DiffusionUnits
  const float     intensity = u * (1.0f / DiffusionUnits::unitsPerIntensity) + reference;
  const bool      isRoundedUp = std::abs(intensity) > largest && std::abs(u) <= largestRounded;
  return isRoundedUp ? std::copysign(largest, u) : intensity;
}

/** Returns 1 / sqrt(x) for normal x > 0. On a device the error is up to 2 ulp, and infinity gives 0. */
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

/** Returns q along an edge, whose difference is \p ratio times kappa. Where the noise varies, kappa holds for the
 * largest noise, and \p inverseNoises is the product of RelativeInverseNoise() of the ends; else it is 1. */
CUDANEURO_HOST_DEVICE float
EdgeArgument(float ratio, float inverseNoises)
{
  return ratio * inverseNoises * ratio;
}

/** Returns the conductance g(t) of \p q = (t / kappa)^2 squaredKappa, which may be infinite. \p kappa and
 * \p squaredKappa are those of DiffusionUnits: 1 unless MakeDiffusionUnits sets them. */
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

/** Returns sqrt(g(t)); the geometric mean of two conductances is the product of these. Arguments as of Conductance. */
template <DiffusionConductance VConductance>
CUDANEURO_HOST_DEVICE float
RootOfConductance(float q, [[maybe_unused]] float kappa, [[maybe_unused]] float squaredKappa)
{
  if constexpr (VConductance == DiffusionConductance::PeronaMalikExponential)
  {
    return Exp2(-0.5f * static_cast<float>(log2OfE) * q);
  }
  else if constexpr (VConductance == DiffusionConductance::PeronaMalikRational)
  {
    return kappa * ReciprocalRootOfPositive(squaredKappa + q);
  }
  else if constexpr (VConductance == DiffusionConductance::Charbonnier)
  {
    return std::sqrt(kappa * ReciprocalRootOfPositive(squaredKappa + q));
  }
  else
  {
    return q < 1.0f ? 1.0f - q : 0.0f;
  }
}

/** Calls body(std::integral_constant<DiffusionConductance, conductance>()). */
template <typename TBody>
void
WithConductance(DiffusionConductance conductance, const TBody & body)
{
  WithConstant<0, 1, 2, 3>(static_cast<int>(conductance), [&](auto value) {
    body(std::integral_constant<DiffusionConductance, static_cast<DiffusionConductance>(value())>());
  });
}

/** 1 / edge length, named by the axes along which the edge extends; 0 for edges that the stencil or grid lacks. */
struct InverseEdgeLengths
{
  float x, y, z, xy, xz, yz, xyz;
};

/** Returns the inverse lengths. Axes of size 1 have no edges. */
inline InverseEdgeLengths
MakeInverseEdgeLengths(DiffusionStencil stencil, const Grid & grid, bool useImageSpacing)
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
      const double step = useImageSpacing ? grid.spacing[axis] : 1.0;
      squared += moves[axis] * step * step;
    }
    return static_cast<float>(1.0 / std::sqrt(squared));
  };
  return { inverseLength(1, 0, 0), inverseLength(0, 1, 0), inverseLength(0, 0, 1), inverseLength(1, 1, 0),
           inverseLength(1, 0, 1), inverseLength(0, 1, 1), inverseLength(1, 1, 1) };
}

/** Returns the sum over all neighbors of 1 / edge length. */
inline double
SumOfInverseEdgeLengths(const InverseEdgeLengths & l)
{
  return 2.0 * (double{ l.x } + l.y + l.z) + 4.0 * (double{ l.xy } + l.xz + l.yz) + 8.0 * l.xyz;
}

} // namespace cudaneuro

#endif
