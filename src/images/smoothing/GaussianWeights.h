// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_smoothing_GaussianWeights_h
#define cudaneuro_images_smoothing_GaussianWeights_h

#include "core/HostDevice.h"
#include "cudaneuro/ImageOperations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** Returns the weight of the voxel at distance \p distance, in voxels. */
CUDANEURO_HOST_DEVICE double
GaussianWeight(double distance, double inverseSigma, double inverseSum)
{
  const double t = distance * inverseSigma;
  return inverseSum * exp(-0.5 * t * t);
}

/** Weights of a symmetric convolution along one axis at distances 0 to radius, for rows of more than radius voxels.
 * If the Gaussian is wider than the row, the weights at larger distances are added to the outermost weight, because
 * the voxels there repeat the outermost one, or omitted, because the voxels there are zeros. */
struct GaussianTaps
{
  int   radius = 0;
  float center = 1.0f;
  /** The weight at distance radius; the weights at smaller distances are GaussianWeight. */
  float  outermost = 1.0f;
  double inverseSigma = 0.0;
  double inverseSum = 1.0;

  /** Writes \p count weights: those at distances 0 to radius, followed by zeros. */
  void
  Fill(float * weights, int count) const
  {
    std::fill_n(weights, count, 0.0f);
    for (int distance = 1; distance < radius; ++distance)
    {
      weights[distance] = static_cast<float>(GaussianWeight(distance, inverseSigma, inverseSum));
    }
    weights[radius] = outermost;
    weights[0] = center;
  }
};

/** A sampled Gaussian along each axis, cut where it is below a fraction of its peak, and normalized to sum 1. */
class GaussianWeights
{
public:
  /** \param sigma standard deviations in voxels, >= 0; 0 is the identity.
   * \param cut the fraction, in (0, 1). */
  GaussianWeights(const std::array<double, 3> & sigma, double cut)
  {
    const double reach = std::sqrt(-2.0 * std::log(cut));
    for (int axis = 0; axis < 3; ++axis)
    {
      m_Sigma[axis] = sigma[axis];
      m_Radius[axis] = std::floor(sigma[axis] * reach);
      m_Side[axis] = SumOfOneSide(sigma[axis], m_Radius[axis]);
    }
  }

  /** Returns the weights along an axis, for rows of \p length voxels. */
  GaussianTaps
  Taps(int axis, int length, Boundary boundary) const
  {
    GaussianTaps taps;
    taps.radius = static_cast<int>(std::min(m_Radius[axis], static_cast<double>(length - 1)));
    if (taps.radius == 0)
    {
      // An axis of one voxel is not smoothed either: with zeros around it, the voxel would fade.
      return taps;
    }
    taps.inverseSigma = 1.0 / m_Sigma[axis];
    taps.inverseSum = 1.0 / (1.0 + 2.0 * m_Side[axis]);
    // The center compensates the rounding errors of the other weights, so that constants are preserved.
    double inner = 0.0;
    double roundedInner = 0.0;
    for (int distance = 1; distance < taps.radius; ++distance)
    {
      const double weight = GaussianWeight(distance, taps.inverseSigma, taps.inverseSum);
      inner += weight;
      roundedInner += static_cast<double>(static_cast<float>(weight));
    }
    const double last = GaussianWeight(taps.radius, taps.inverseSigma, taps.inverseSum);
    const double beyond = std::max(0.0, m_Side[axis] * taps.inverseSum - inner - last);
    const bool   addsBeyond = boundary == Boundary::Repeat && static_cast<double>(taps.radius) < m_Radius[axis];
    taps.outermost = static_cast<float>(addsBeyond ? last + beyond : last);
    const double others = roundedInner + static_cast<double>(taps.outermost) + (addsBeyond ? 0.0 : beyond);
    taps.center = static_cast<float>(1.0 - 2.0 * others);
    return taps;
  }

private:
  /** Returns the sum of exp(-k^2 / (2 sigma^2)) over k from 1 to \p radius. */
  static double
  SumOfOneSide(double sigma, double radius)
  {
    constexpr double mostTerms = 65536.0;
    if (radius > mostTerms)
    {
      // The integral to half a step beyond the last term; the error of the midpoint rule is far below rounding.
      constexpr double squareRootOfHalfPi = 1.2533141373155003;
      return sigma * squareRootOfHalfPi * std::erf((radius + 0.5) / sigma * std::sqrt(0.5)) - 0.5;
    }
    double sum = 0.0;
    for (int k = static_cast<int>(radius); k > 0; --k)
    {
      sum += GaussianWeight(k, 1.0 / sigma, 1.0);
    }
    return sum;
  }

  std::array<double, 3> m_Sigma{};
  std::array<double, 3> m_Radius{};
  std::array<double, 3> m_Side{};
};

} // namespace cudaneuro

#endif
