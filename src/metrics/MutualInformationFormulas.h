// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MutualInformationFormulas_h
#define cudaneuro_metrics_MutualInformationFormulas_h

#include "core/HostDevice.h"

/** The Parzen windows of Mattes et al.'s mutual information. An intensity is given in bins: histogramPadding for the least of the
 * image, and bins - histogramPadding for the largest. The fixed image's window is a box, the moving image's a cubic B-spline,
 * which reaches over four bins, all of which exist. */
namespace cudaneuro
{

/** Bins on either side that have only tails of windows. */
constexpr int histogramPadding = 2;

/** The bin of an intensity of the fixed image, and the second of the four bins of one of the moving image. */
CUDANEURO_HOST_DEVICE int
HistogramBin(float intensity, int bins)
{
  const int bin = static_cast<int>(intensity);
  const int least = histogramPadding;
  const int most = bins - histogramPadding - 1;
  return bin < least ? least : (bin > most ? most : bin);
}

/** Weights of the bins HistogramBin - 1 to HistogramBin + 2; their sum is 1. */
struct ParzenWeights
{
  float weight[4];
};

/** Divisions are slow on a GPU. */
constexpr float oneSixth = 1.0f / 6.0f;

/** The weights of an intensity that is \p fraction, 0 to 1, beyond its bin. */
CUDANEURO_HOST_DEVICE ParzenWeights
CubicWeights(float fraction)
{
  const float rest = 1.0f - fraction;
  const float square = fraction * fraction;
  const float first = rest * rest * rest * oneSixth;
  const float second = 2.0f / 3.0f - square + 0.5f * square * fraction;
  const float last = square * fraction * oneSixth;
  return { { first, second, 1.0f - first - second - last, last } };
}

/** Derivatives of CubicWeights by the intensity. */
CUDANEURO_HOST_DEVICE ParzenWeights
CubicDerivatives(float fraction)
{
  const float rest = 1.0f - fraction;
  const float square = fraction * fraction;
  const float first = -0.5f * rest * rest;
  const float second = 1.5f * square - 2.0f * fraction;
  const float last = 0.5f * square;
  return { { first, second, -(first + second + last), last } };
}

} // namespace cudaneuro

#endif
