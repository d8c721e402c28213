// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansFormulas_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansFormulas_h

#include "core/Exp2.h"
#include "core/IntensityScale.h"
#include "cudaneuro/NonLocalMeans.h"
#include "images/ReferenceIntensity.h"

#include <cmath>

namespace cudaneuro
{

/** Intensities are multiplied by this first. Then a PatchSum term is 2^(-d^2), and a PatchDistance weight is
 * 2^(-mean d^2), with d a difference of two scaled intensities. */
inline double
NonLocalMeansIntensityScale(NonLocalMeansWeighting weighting, double smoothing)
{
  return std::sqrt(weighting == NonLocalMeansWeighting::PatchSum ? log2OfE / 2.0 : log2OfE) / smoothing;
}

/** What is subtracted from intensities: their reference. For the Rician correction, whose result near 0 is the root of
 * a small difference of squares, 0 unless the reference is so far from it that all intensities are. */
inline float
NonLocalMeansReference(const IntensitySample & sample, bool ricianCorrection)
{
  return ricianCorrection && std::fabs(sample.reference) <= 2.0f * sample.spread ? 0.0f : sample.reference;
}

/** Refuses a smoothing parameter so small that ordinary intensities would reach largestScaledIntensity, where different
 * ones look alike: below 1e-13 of the sample's spread.
 * \throws InvalidParameterError */
void
RequireSmoothing(double smoothing, const IntensitySample & sample);

/** One term of the PatchSum weight. */
CUDANEURO_HOST_DEVICE float
PatchSumTerm(float scaledDifference)
{
  return Exp2(-(scaledDifference * scaledDifference));
}

/** The PatchDistance weight from the mean of squared scaled differences. */
CUDANEURO_HOST_DEVICE float
PatchDistanceWeight(float meanSquaredScaledDifference)
{
  return Exp2(-meanSquaredScaledDifference);
}

/** Weight of the center under NonLocalMeansCenterWeight::Maximum from the largest weight of the others. The floor of
 * 2^-64 is far above the 2^-126 below which weights are 0 in float: what becomes of those makes no difference. */
CUDANEURO_HOST_DEVICE float
MaximumCenterWeight(float largestWeight)
{
  constexpr float floor = 5.4210109e-20f; // 2^-64
  return largestWeight > floor ? largestWeight : floor;
}

/** What the Rician correction needs, in scaled intensities. */
struct RicianScale
{
  float scale = 1.0f;
  float inverseScale = 1.0f;
  /** 2 * reference * scale. */
  float twiceReference = 0.0f;
  /** 2 sigma^2 * scale^2. */
  float twiceSquaredSigma = 0.0f;
};

inline RicianScale
MakeRicianScale(const IntensityScale & scale, double noiseSigma)
{
  // Beyond this, float resolves less than 2^36 scaled units at the reference: all weights are 0 or 1.
  constexpr double mostTwiceReference = 1152921504606846976.0; // 2^60
  const double     twiceReference = 2.0 * scale.reference * scale.scale;
  const double     scaledSigma = noiseSigma * scale.scale;
  RicianScale      rician;
  rician.scale = scale.scale;
  rician.inverseScale = static_cast<float>(1.0 / scale.scale);
  rician.twiceReference =
    static_cast<float>(std::fmin(std::fmax(twiceReference, -mostTwiceReference), mostTwiceReference));
  rician.twiceSquaredSigma = static_cast<float>(2.0 * scaledSigma * scaledSigma);
  return rician;
}

/** sqrt(max(A^2 + change - 2 sigma^2, 0)), the denoised value: A is any intensity, \p change the scaled weighted mean of
 * V^2 - A^2. Computed as a sum of |A| and a difference, which is as precise far from 0 as |A| is. */
CUDANEURO_HOST_DEVICE float
RicianCorrected(float intensity, float change, const RicianScale & rician)
{
  const float magnitude = fabsf(intensity);
  const float scaled = magnitude * rician.scale;
  const float difference = change - rician.twiceSquaredSigma;
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
