// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MutualInformationFormulas_h
#define cudaneuro_metrics_MutualInformationFormulas_h

#include "core/HostDevice.h"

#include <cmath>

/** The Parzen windows of Mattes et al.'s mutual information. An intensity is given in bins: histogramPadding for the
 * minimum of the image, and bins - histogramPadding for the maximum. The fixed image's window is a box, the moving
 * image's a cubic B-spline, which covers four bins, all of which exist. */
namespace cudaneuro
{

/** The number of bins on either side that hold only tails of windows. */
constexpr int histogramPadding = 2;

/** Returns the bin of an intensity of the fixed image, or the second of the four bins of one of the moving image. */
CUDANEURO_HOST_DEVICE int
HistogramBin(float intensity, int bins)
{
  const int bin = static_cast<int>(intensity);
  const int least = histogramPadding;
  const int most = bins - histogramPadding - 1;
  return bin < least ? least : (bin > most ? most : bin);
}

/** The weights of the bins HistogramBin - 1 to HistogramBin + 2; their sum is 1. */
struct ParzenWeights
{
  float weight[4];
};

/** A factor, because divisions are slow on a GPU. */
constexpr float oneSixth = 1.0f / 6.0f;

/** Returns the weights of an intensity that is \p fraction, 0 to 1, beyond its bin. */
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

/** Returns the derivatives of CubicWeights by the intensity. */
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

/** The derivative of minus the mutual information, times the number of voxels, by a voxel's intensity in the moving
 * image, as a polynomial of the intensity's fraction beyond its bin. Its size is that of float4, with which devices
 * load it. */
struct alignas(16) InformationSlope
{
  float constant;
  float linear;
  float square;
  float unused;

  CUDANEURO_HOST_DEVICE float
  At(float fraction) const
  {
    return std::fma(std::fma(square, fraction, linear), fraction, constant);
  }
};

/** Returns the derivative of -sum_k w_k L_k by the intensity, where w are the weights of four bins and L the terms
 * log(p(f, m) / p(m)), while the sum of all weights is constant. The values at 0, 1/2 and 1 give the coefficients. */
CUDANEURO_HOST_DEVICE InformationSlope
SlopeOf(const float * logs)
{
  const auto at = [=](float fraction) {
    const ParzenWeights derivatives = CubicDerivatives(fraction);
    return -(derivatives.weight[0] * logs[0] + derivatives.weight[1] * logs[1] + derivatives.weight[2] * logs[2] +
             derivatives.weight[3] * logs[3]);
  };
  const float begin = at(0.0f);
  const float middle = at(0.5f);
  const float end = at(1.0f);
  const float square = 2.0f * (begin + end) - 4.0f * middle;
  return { begin, end - begin - square, square, 0.0f };
}

} // namespace cudaneuro

#endif
