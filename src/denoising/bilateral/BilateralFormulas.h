// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralFormulas_h
#define cudaneuro_denoising_bilateral_BilateralFormulas_h

#include "core/ApproximateMath.h"
#include "cudaneuro/Bilateral.h"

#include <cmath>

namespace cudaneuro
{

/** The weights of Howison eq. 1 as powers of two: w = 2^(spatial exponent - (s a - s b)^2), with s the range scale. */

/** Returns s: the intensity Gaussian is 2^(-d^2) where intensities multiplied by s differ by d. */
inline double
BilateralRangeScale(double rangeSigma)
{
  return std::sqrt(log2OfE / 2.0) / rangeSigma;
}

/** Returns log2 of the spatial Gaussian along one axis, \p offset voxels away. The spatial exponent is the sum over the
 * axes. */
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

/** Returns the exponent where the noise varies; s is the scale for the largest noise. In this order of operations, the
 * bits are those of BilateralExponent() where the precision is 1, even if the compiler fuses multiply and subtract.
 * \param precision RelativePrecision() of the filtered voxel */
CUDANEURO_HOST_DEVICE float
BilateralExponent(float spatialExponent, float scaledDifference, float precision)
{
  return spatialExponent - (precision * scaledDifference) * scaledDifference;
}

} // namespace cudaneuro

#endif
