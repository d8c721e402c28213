// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityFormulas_h
#define cudaneuro_denoising_similarity_StructuralSimilarityFormulas_h

#include "core/HostDevice.h"
#include "cudaneuro/StructuralSimilarity.h"

#include <array>
#include <cmath>

namespace cudaneuro
{

/** Half-width of the SSIM window, in voxels. */
constexpr int similarityWindowRadius = 5;

/** Returns the taps of the window along one axis, taps[|offset|]. Their sum over all offsets is 1. */
inline std::array<double, similarityWindowRadius + 1>
SimilarityWindow(const StructuralSimilarityParameters & parameters)
{
  const double                                   sigma = parameters.windowSigma;
  std::array<double, similarityWindowRadius + 1> taps{};
  double                                         sum = 0.0;
  for (int offset = 0; offset <= similarityWindowRadius; ++offset)
  {
    taps[offset] = std::exp(-0.5 * offset * offset / (sigma * sigma));
    sum += offset == 0 ? taps[offset] : 2.0 * taps[offset];
  }
  for (double & tap : taps)
  {
    tap /= sum;
  }
  return taps;
}

/** Returns the index in [0, size) for \p i on an axis that is extended by reflection (d c b a | a b c d | d c b a). */
CUDANEURO_HOST_DEVICE int
ReflectIndex(int i, int size)
{
  while (i < 0 || i >= size)
  {
    i = i < 0 ? -1 - i : 2 * size - 1 - i;
  }
  return i;
}

/** A factor of squares of intensities in numerators and denominators. It keeps finite denominators below 2^126, above
 * which a device's reciprocal is 0. Larger denominators are infinite, and the similarity is NaN. */
constexpr float similarityShare = 0.0625f;

/** C1 and C2 (Howison eq. 13), multiplied by 2 similarityShare. */
template <typename TReal>
struct SimilarityConstants
{
  TReal c1;
  TReal c2;
};

template <typename TReal>
SimilarityConstants<TReal>
MakeSimilarityConstants(const StructuralSimilarityParameters & parameters)
{
  const auto constant = [&](double k) {
    const double root = k * parameters.dataRange;
    return static_cast<TReal>(2.0 * similarityShare * root * root);
  };
  return { constant(parameters.k1), constant(parameters.k2) };
}

CUDANEURO_HOST_DEVICE double
SimilarityRatio(double numerator, double denominator)
{
  return numerator / denominator;
}
CUDANEURO_HOST_DEVICE float
SimilarityRatio(float numerator, float denominator)
{
#if defined(__CUDA_ARCH__)
  float reciprocal; // of a positive denominator, to 1 ulp; 0 for infinity
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(denominator));
  return numerator * reciprocal;
#else
  return numerator / denominator;
#endif
}

/** Returns (s - d + c) / (s + d + c), with s and d multiplied by similarityShare. */
template <typename TReal>
CUDANEURO_HOST_DEVICE TReal
SimilarityFactor(TReal s, TReal d, TReal c)
{
  const TReal share = similarityShare;
  const TReal first = share * s + c;
  return SimilarityRatio(first - share * d, first + share * d);
}

/** Returns SSIM (Howison eq. 15) from window averages and variances of the sum s and the difference d of the images. */
template <typename TReal>
CUDANEURO_HOST_DEVICE TReal
SimilarityFromVariances(
  TReal meanS, TReal meanD, TReal varianceS, TReal varianceD, const SimilarityConstants<TReal> & constants)
{
  // 2 mx my = (s^2 - d^2) / 2, mx^2 + my^2 = (s^2 + d^2) / 2; likewise for the (co)variances.
  return SimilarityFactor(meanS * meanS, meanD * meanD, constants.c1) *
         SimilarityFactor(varianceS, varianceD, constants.c2);
}

} // namespace cudaneuro

#endif
