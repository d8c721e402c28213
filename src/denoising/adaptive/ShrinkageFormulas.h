// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_ShrinkageFormulas_h
#define cudaneuro_denoising_adaptive_ShrinkageFormulas_h

#include "core/HostDevice.h"

#include <cmath>

/** How a coefficient of the blocks of a group is shrunk, and what is made of the mean of Rician noise. Rounded
 * operations alone, none of them fused, so that all processors compute the same bits. */
namespace cudaneuro
{

enum class ShrinkagePass
{
  First,
  Second
};

/** What is added to a coefficient Y of a block whose group has the mean m there: shift + slope (Y - m). */
struct Shrinkage
{
  float shift;
  float slope;
};

/** The first pass. Of the variance of the group, that of the noise is subtracted twice: blocks were chosen by their
 * noise, too, and what is left by mistake stands out in the image, while the second pass brings back what was lost.
 * A mean below 2 standard deviations of its own noise becomes 0, and those above are shrunk without a jump.
 * \param deviations mean of (Y - m)^2 over the \p count members
 * \param variance of the noise */
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

/** The second pass, by Wiener's rule for the mean and for the deviations.
 * \param guideMean of the coefficient in the result of the first pass
 * \param guideVariance mean of (G - guideMean)^2 there */
CUDANEURO_HOST_DEVICE Shrinkage
SecondShrinkage(bool isMeanOfBlock, float mean, float guideMean, float guideVariance, float variance, float count)
{
  const float ofMean = variance / count;
  const float lost = ofMean / (guideMean * guideMean + ofMean);
  return { isMeanOfBlock ? 0.0f : -(mean * lost), -(variance / (guideVariance + variance)) };
}

/** The signal over the noise of which Rician noise makes a magnitude whose mean is \p mean, over the noise: a fit to the
 * inverse of the mean of Rice's distribution (Koay and Basser 2006), to 0.001. Without signal the mean is sqrt(pi / 2).
 *
 * There the inverse is steep: what is left of the noise in air, some hundredths of it, would come out ten times as
 * large. So signals below 0.65 become 0, without a jump: those of 1 lose a thirtieth, those of 2 nothing. */
CUDANEURO_HOST_DEVICE float
RicianSignal(float mean)
{
  constexpr float halfPi = 1.57079633f;
  constexpr float leastSquare = 0.65f * 0.65f;
  const float     square = mean * mean;
  const float     u = square - halfPi;
  const float     signal = square - 1.0f - (halfPi - 1.0f) / (1.0f + u * (0.48096217f + u * 0.05479164f));
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
