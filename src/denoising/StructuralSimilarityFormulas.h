// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_StructuralSimilarityFormulas_h
#define cudaneuro_denoising_StructuralSimilarityFormulas_h

#include "cudaneuroStructuralSimilarity.h"
#include "HostDevice.h"

#include <array>
#include <cmath>

namespace cudaneuro
{

/** Half-width and standard deviation, in voxels, of the SSIM window. */
constexpr int    similarityWindowRadius = 5;
constexpr double similarityWindowSigma = 1.5;

/** One-sided taps of the window along one axis: taps[|offset|], sum over all offsets 1. */
inline std::array<double, similarityWindowRadius + 1>
SimilarityWindow()
{
  std::array<double, similarityWindowRadius + 1> taps{};
  double                                         sum = 0.0;
  for (int offset = 0; offset <= similarityWindowRadius; ++offset)
  {
    taps[offset] = std::exp(-0.5 * offset * offset / (similarityWindowSigma * similarityWindowSigma));
    sum += offset == 0 ? taps[offset] : 2.0 * taps[offset];
  }
  for (double & tap : taps)
  {
    tap /= sum;
  }
  return taps;
}

/** The index in [0, size) that \p i stands for when the axis is extended by reflection (d c b a | a b c d | d c b a).
 */
CUDANEURO_HOST_DEVICE int
ReflectIndex(int i, int size)
{
  while (i < 0 || i >= size)
  {
    i = i < 0 ? -1 - i : 2 * size - 1 - i;
  }
  return i;
}

struct SimilarityConstants
{
  float c1;
  float c2;
};

CUDANEURO_HOST_DEVICE double
SimilarityRatio(double numerator, double denominator)
{
  return numerator / denominator;
}
CUDANEURO_HOST_DEVICE float
SimilarityRatio(float numerator, float denominator)
{
#if defined(__CUDA_ARCH__)
  float reciprocal; // 1 ulp; denominators are positive
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(denominator));
  return numerator * reciprocal;
#else
  return numerator / denominator;
#endif
}

/** SSIM (eq. 15) from window averages and variances of the sum s and the difference d of the two images. Both images
 * may have had a constant \p offset subtracted. */
template <typename TReal>
CUDANEURO_HOST_DEVICE TReal
SimilarityFromVariances(
  TReal meanS, TReal meanD, TReal varianceS, TReal varianceD, TReal offset, SimilarityConstants constants)
{
  const TReal half = 0.5f;
  const TReal c1 = constants.c1;
  const TReal c2 = constants.c2;
  const TReal sum = meanS + 2.0f * offset;
  // 2 mx my = (s^2 - d^2) / 2, mx^2 + my^2 = (s^2 + d^2) / 2; likewise for the (co)variances.
  const TReal luminance =
    SimilarityRatio(half * (sum * sum - meanD * meanD) + c1, half * (sum * sum + meanD * meanD) + c1);
  const TReal structure = SimilarityRatio(half * (varianceS - varianceD) + c2, half * (varianceS + varianceD) + c2);
  return luminance * structure;
}

/** The same from window averages of s, d and their squares. The offset keeps the variances accurate. */
template <typename TReal>
CUDANEURO_HOST_DEVICE TReal
SimilarityFromMoments(TReal meanS, TReal meanD, TReal meanSS, TReal meanDD, TReal offset, SimilarityConstants constants)
{
  return SimilarityFromVariances(meanS, meanD, meanSS - meanS * meanS, meanDD - meanD * meanD, offset, constants);
}

} // namespace cudaneuro

#endif
