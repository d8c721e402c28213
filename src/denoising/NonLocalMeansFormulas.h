// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_NonLocalMeansFormulas_h
#define cudaneuro_denoising_NonLocalMeansFormulas_h

#include "cudaneuroNonLocalMeans.h"
#include "Exp2.h"

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

/** The denoised value from the weighted mean of squared values; sigma is the noise standard deviation. */
CUDANEURO_HOST_DEVICE float
RicianCorrected(float meanOfSquares, float twiceSquaredSigma)
{
  const float signal = meanOfSquares - twiceSquaredSigma;
  return signal > 0.0f ? sqrtf(signal) : 0.0f;
}

} // namespace cudaneuro

#endif
