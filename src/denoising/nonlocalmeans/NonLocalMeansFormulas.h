// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansFormulas_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansFormulas_h

#include "core/ApproximateMath.h"
#include "core/IntensityScale.h"
#include "cudaneuro/NonLocalMeans.h"
#include "images/ReferenceIntensity.h"

#include <cmath>
#include <cstdint>

namespace cudaneuro
{

/** Returns the factor that scales intensities. With d the difference of two scaled intensities, a PatchSum term is
 * 2^(-d^2), and a PatchDistance weight is 2^(-mean of d^2). */
inline double
NonLocalMeansIntensityScale(NonLocalMeansWeighting weighting, double smoothing)
{
  return std::sqrt(weighting == NonLocalMeansWeighting::PatchSum ? log2OfE / 2.0 : log2OfE) / smoothing;
}

/** Returns the reference that is subtracted from intensities. For the Rician correction it is 0, unless all intensities
 * are far from 0: near 0 its result is the root of a small difference of squares. */
inline float
NonLocalMeansReference(const IntensitySample & sample, bool ricianCorrection)
{
  return ricianCorrection && std::fabs(sample.reference) <= 2.0f * sample.spread ? 0.0f : sample.reference;
}

/** Refuses a smoothing parameter below 1e-13 of the sample's spread: ordinary intensities would reach
 * largestScaledIntensity, where different ones look equal. With the Rician correction it also refuses one above 1e15
 * times the sample's magnitude: squares of intensities over it would underflow to 0.
 * \throws InvalidParameterError */
void
RequireSmoothing(const NonLocalMeansParameters & parameters, const IntensitySample & sample);

/** Returns one term of the PatchSum weight: 2^(-d^2). */
CUDANEURO_HOST_DEVICE float
PatchSumTerm(float scaledDifference)
{
  return Exp2(-(scaledDifference * scaledDifference));
}

/** Returns the term where the noise varies. \param precision RelativePrecision() of the denoised patch's voxel */
CUDANEURO_HOST_DEVICE float
PatchSumTerm(float scaledDifference, float precision)
{
  return Exp2(-(scaledDifference * scaledDifference * precision));
}

/** Returns the PatchDistance weight from the mean of squared scaled differences. */
CUDANEURO_HOST_DEVICE float
PatchDistanceWeight(float meanSquaredScaledDifference)
{
  return Exp2(-meanSquaredScaledDifference);
}

/** Returns the center's weight under NonLocalMeansCenterWeight::Maximum from the largest weight of the others. The
 * floor of 2^-64 is far above 2^-126, below which weights may become 0, so that flushing to 0 has no effect. */
CUDANEURO_HOST_DEVICE float
MaximumCenterWeight(float largestWeight)
{
  constexpr float floor = 5.4210109e-20f; // 2^-64
  return largestWeight > floor ? largestWeight : floor;
}

/** Constants of the Rician correction, in scaled intensities. */
struct RicianScale
{
  float scale = 1.0f;
  float inverseScale = 1.0f;
  /** The product 2 * reference * scale. */
  float twiceReference = 0.0f;
  /** The product LargestSquareOfAir(sigma) * scale^2. */
  float largestSquareOfAir = 0.0f;
};

/** Returns a bound that the mean of V^2 over a window rarely exceeds in air: three standard errors above its mean.
 * Squares of air have the mean and the standard deviation 2 sigma^2. If the mean itself were subtracted, the root of
 * the remainder would be noise in half of the air. */
inline double
LargestSquareOfAir(double sigma, std::int64_t windowVoxels)
{
  return 2.0 * sigma * sigma * (1.0 + 3.0 / std::sqrt(static_cast<double>(windowVoxels)));
}

/** \param windowVoxels number of voxels of a whole window */
inline RicianScale
MakeRicianScale(const IntensityScale & scale, double noiseSigma, std::int64_t windowVoxels)
{
  // With a larger reference the step of a float exceeds 2^36 scaled units: all weights are 0 or 1.
  constexpr double mostTwiceReference = 1152921504606846976.0; // 2^60
  const double     twiceReference = 2.0 * scale.reference * scale.scale;
  const double     scaledSigma = noiseSigma * scale.scale;
  RicianScale      rician;
  rician.scale = scale.scale;
  rician.inverseScale = static_cast<float>(1.0 / scale.scale);
  rician.twiceReference =
    static_cast<float>(std::fmin(std::fmax(twiceReference, -mostTwiceReference), mostTwiceReference));
  rician.largestSquareOfAir = static_cast<float>(LargestSquareOfAir(scaledSigma, windowVoxels));
  return rician;
}

/** Returns the constants at a voxel where the noise varies. */
CUDANEURO_HOST_DEVICE RicianScale
WithPrecision(RicianScale rician, float precision)
{
  rician.largestSquareOfAir /= precision;
  return rician;
}

/** Returns sqrt(max(A^2 + change - LargestSquareOfAir(sigma), 0)), the denoised intensity, where A is any intensity and
 * \p change the scaled weighted mean of V^2 - A^2. Far from 0 it is as precise as |A|, since it is computed as |A| plus
 * a difference. */
CUDANEURO_HOST_DEVICE float
RicianCorrected(float intensity, float change, const RicianScale & rician)
{
  const float magnitude = fabsf(intensity);
  const float scaled = magnitude * rician.scale;
  const float difference = change - rician.largestSquareOfAir;
  const float signal = scaled * scaled + difference;
  if (!(signal > 0.0f))
  {
    return 0.0f;
  }
  const float denoised = magnitude + difference / (scaled + sqrtf(signal)) * rician.inverseScale;
  return denoised > 0.0f ? denoised : 0.0f;
}

} // namespace cudaneuro

#endif
