// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_ShrinkageFormulas_h
#define cudaneuro_denoising_adaptive_ShrinkageFormulas_h

#include "core/HostDevice.h"

#include <cmath>

/** The shrinkage of a coefficient of a group's blocks, and the inverse of the mean of Rician noise. Only operations
 * that round once, and none that are fused, so that all processors compute the same bits. */
namespace cudaneuro
{

enum class ShrinkagePass
{
  First,
  Second
};

/** The change shift + slope (Y - m) of a coefficient Y of a block, where m is the mean of Y over the group. */
struct Shrinkage
{
  float shift;
  float slope;
};

/** Shrinkage in the first pass. It subtracts twice the variance of the noise from the variance of the group, because
 * blocks were also chosen by their noise, and because noise that is left stands out, while lost detail comes back in
 * the second pass. A mean below 2 standard deviations of its own noise becomes 0; larger ones shrink without a jump.
 * \param deviations mean of (Y - m)^2 over the \p count members
 * \param variance variance of the noise */
CUDANEURO_HOST_DEVICE Shrinkage
FirstShrinkage(bool isMeanOfBlock, float mean, float deviations, float variance, float count)
{
  const float excess = deviations - 2.0f * variance * ((count - 1.0f) / count);
  const float signal = excess > 0.0f ? excess : 0.0f;
  const float ratio = 4.0f * variance / count;
  const float square = mean * mean;
  const float share = ratio < square ? ratio / square : 1.0f;
  return { isMeanOfBlock ? 0.0f : -(mean * (share * share)), -(variance / (signal + variance)) };
}

/** Shrinkage in the second pass: Wiener's rule for the mean and for the deviations.
 * \param guideMean mean of the coefficient G in the result of the first pass
 * \param guideVariance mean of (G - guideMean)^2 in that result */
CUDANEURO_HOST_DEVICE Shrinkage
SecondShrinkage(bool isMeanOfBlock, float mean, float guideMean, float guideVariance, float variance, float count)
{
  const float ofMean = variance / count;
  const float lost = ofMean / (guideMean * guideMean + ofMean);
  return { isMeanOfBlock ? 0.0f : -(mean * lost), -(variance / (guideVariance + variance)) };
}

/** Returns the signal whose Rician magnitude has the mean \p mean, both divided by the noise: a fit, to 0.001, of the
 * inverse of the mean of Rice's distribution (Koay and Basser 2006). Without signal the mean is sqrt(pi / 2).
 *
 * Near that mean the inverse is steep: residual noise in air, some hundredths of the noise, would come out ten times
 * as large. So signals below 0.65 become 0, without a jump: a signal of 1 loses a thirtieth, one of 2 nothing. */
CUDANEURO_HOST_DEVICE float
RicianSignal(float mean)
{
  constexpr float halfPi = 1.57079633f;
  constexpr float leastSquare = 0.65f * 0.65f;
  constexpr float noBias = 1e6f; // above it, the signal is the mean in float
  if (mean > noBias)
  {
    return mean;
  }
  const float square = mean * mean;
  const float u = square - halfPi;
  const float signal = square - 1.0f - (halfPi - 1.0f) / (1.0f + u * (0.48096217f + u * 0.05479164f));
  if (!(u > 0.0f) || !(signal > leastSquare))
  {
    return 0.0f;
  }
  const float share = leastSquare / signal;
  const float fourth = share * share;
  return sqrtf(signal) * (1.0f - fourth * fourth);
}

} // namespace cudaneuro

#endif
