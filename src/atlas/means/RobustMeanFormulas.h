// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_RobustMeanFormulas_h
#define cudaneuro_atlas_means_RobustMeanFormulas_h

#include "core/ApproximateMath.h"

#include <cmath>
#include <cstdint>

/** Order statistics of weighted values, for both compilers.
 *
 * Let v(1) <= ... <= v(n) be the values, C(j) the sum of the weights of v(1) to v(j), and W = C(n). The kept weight is
 * that from L to H, L = f W and H = W - f W. With c(j) the nearest number to C(j) in [L, H], the trimmed mean is
 *
 *   sum of v(j) (c(j) - c(j-1)) / (H - L) = v(a) + sum over j > a of (v(j) - v(j-1)) (H - c(j-1)) / (H - L),
 *
 * v(a) being the first value that is kept. A run of equal values contributes to the second sum once, and weights are
 * integers, whose sums are exact: the order of equal values, and with it that of the images, therefore changes no bit.
 * All differences are between kept values, so that a huge excluded value costs no digits. */
namespace cudaneuro
{

/** Replaces an excluded value; sorted last. Its weight is 0. */
constexpr float absentValue = HUGE_VALF;

/** The power of 2 that scales weights to integers with a sum below 2^31. Powers of 2 preserve weights which are small
 * multiples of each other. */
CUDANEURO_HOST_DEVICE double
WeightScale(float largestWeight, int images)
{
  constexpr int bits = 29;
  int           bitsForImages = 0;
  while (bitsForImages < bits && (1 << bitsForImages) < images)
  {
    ++bitsForImages;
  }
  return largestWeight > 0.0f ? ldexp(1.0, bits - bitsForImages - ilogb(static_cast<double>(largestWeight))) : 0.0;
}

CUDANEURO_HOST_DEVICE std::uint32_t
                      IntegerWeight(float weight, double scale)
{
  return static_cast<std::uint32_t>(floor(static_cast<double>(weight) * scale + 0.5));
}

/** A value with its weight, or absentValue with weight 0 if it is excluded. */
CUDANEURO_HOST_DEVICE void
TakePart(float value, std::uint32_t imageWeight, float & key, std::uint32_t & weight)
{
  const bool takesPart = IsFinite(value) && imageWeight > 0;
  key = takesPart ? value : absentValue;
  weight = takesPart ? imageWeight : 0;
}

/** Whether Batcher's odd-even merge sort (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M) compares the
 * elements \p i and i + distance while it merges runs of length \p run. The distances of a merge are run, run / 2, ...
 * 1, the runs 1, 2, 4, ... */
constexpr CUDANEURO_HOST_DEVICE bool
IsCompared(int i, int distance, int run)
{
  const int first = distance % run;
  return i >= first && (i - first) % (2 * distance) < distance && i / (2 * run) == (i + distance) / (2 * run);
}

/** Puts two elements in order, each with its weight. It has no branches, so that compilers vectorize it. */
CUDANEURO_HOST_DEVICE void
PutInOrder(float & lower, float & upper, std::uint32_t & lowerWeight, std::uint32_t & upperWeight)
{
  const float         a = lower;
  const float         b = upper;
  const std::uint32_t weightOfA = lowerWeight;
  const std::uint32_t weightOfB = upperWeight;
  const bool          swap = a > b;
  lower = swap ? b : a;
  upper = swap ? a : b;
  lowerWeight = swap ? weightOfB : weightOfA;
  upperWeight = swap ? weightOfA : weightOfB;
}

/** The kept range of the weight, from low to high within 0 to W. */
struct KeptWeight
{
  double low;
  double high;

  CUDANEURO_HOST_DEVICE
  KeptWeight(std::uint32_t total, double trimmedFraction)
    : low(trimmedFraction * static_cast<double>(total))
    , high(static_cast<double>(total) - low)
  {}
};

/** The sums of the trimmed mean over values in increasing order. */
struct TrimmedMeanSums
{
  /** Adds v(j) = \p value after v(j-1) = \p previous, where C(j-1) = \p below. */
  static CUDANEURO_HOST_DEVICE void
  Add(const KeptWeight & kept, std::uint32_t below, float previous, float value, float & first, double & sum)
  {
    const double weight = below;
    const double rest = kept.high - weight;
    const double term = (static_cast<double>(value) - static_cast<double>(previous)) * rest;
    const bool   isFirst = weight <= kept.low;
    const double later = rest > 0.0 ? sum + term : sum;
    first = isFirst ? value : first;
    sum = isFirst ? 0.0 : later;
  }

  static CUDANEURO_HOST_DEVICE float
  Result(const KeptWeight & kept, float first, double sum)
  {
    return static_cast<float>(static_cast<double>(first) + sum / (kept.high - kept.low));
  }
};

/** The sums of the median, where kept.low = kept.high = W / 2: \p first becomes the lower median, the first value with
 * C(j) >= W / 2, and \p sum the upper one, the first value with C(j) > W / 2. */
struct MedianSums
{
  static CUDANEURO_HOST_DEVICE void
  Add(const KeptWeight & kept, std::uint32_t below, float, float value, float & first, double & sum)
  {
    const double weight = below;
    first = weight < kept.low ? value : first;
    sum = weight <= kept.low ? static_cast<double>(value) : sum;
  }

  static CUDANEURO_HOST_DEVICE float
  Result(const KeptWeight &, float first, double sum)
  {
    return static_cast<float>(static_cast<double>(first) + 0.5 * (sum - static_cast<double>(first)));
  }
};

/** The fraction f for which kept.low = kept.high. */
constexpr double medianFraction = 0.5;

} // namespace cudaneuro

#endif
