// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralFormulas_h
#define cudaneuro_denoising_bilateral_BilateralFormulas_h

#include "core/Exp2.h"
#include "cudaneuro/Bilateral.h"

#include <cmath>

namespace cudaneuro
{

/** The weights of eq. 1 as powers of two: w = 2^(spatial - (s a - s b)^2), with s the range scale. */

/** s: intensities times s differ by d where G_sr is 2^(-d^2). */
inline double
BilateralRangeScale(double rangeSigma)
{
  return std::sqrt(log2OfE / 2.0) / rangeSigma;
}

/** log2 of G_sd along one axis, \p offset voxels away; the three axes' values add. */
inline double
BilateralSpatialExponent(int offset, double spacing, double domainSigma)
{
  const double distance = offset * spacing / domainSigma;
  return -0.5 * log2OfE * distance * distance;
}

CUDANEURO_HOST_DEVICE float
BilateralExponent(float spatialExponent, float scaledDifference)
{
  return spatialExponent - scaledDifference * scaledDifference;
}

} // namespace cudaneuro

#endif
