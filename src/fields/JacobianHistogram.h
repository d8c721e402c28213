// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianHistogram_h
#define cudaneuro_fields_JacobianHistogram_h

#include "core/HistogramQuantile.h"
#include "core/HostDevice.h"
#include "cudaneuro/DisplacementField.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

/** Counts of positive determinants, for both compilers. A float's bits are in the order of its value: 64 bins of
 * equal width lie between two powers of 2, which is nearly a histogram of the logarithm, and takes none. */
namespace cudaneuro
{

constexpr int jacobianBinsOfOctave = 64;
constexpr int bitsBelowJacobianBin = 23 - 6; // of the mantissa; 6 more tell the bin of an octave
/** Determinants below 2^-24 are in the first bin, and those from 2^8 in the last one. */
constexpr int jacobianFirstExponent = -24;
constexpr int jacobianBins = 32 * jacobianBinsOfOctave;

/** The bin of a positive determinant. */
CUDANEURO_HOST_DEVICE int
JacobianBin(float determinant)
{
  constexpr int first = (127 + jacobianFirstExponent) * jacobianBinsOfOctave;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &determinant, sizeof(bits));
  const int bin = static_cast<int>(bits >> bitsBelowJacobianBin) - first;
  return bin < 0 ? 0 : (bin < jacobianBins ? bin : jacobianBins - 1);
}

/** The least determinant of a bin. */
inline double
LeastOfJacobianBin(int bin)
{
  const int octave = bin / jacobianBinsOfOctave;
  return std::ldexp(1.0 + static_cast<double>(bin % jacobianBinsOfOctave) / jacobianBinsOfOctave,
                    octave + jacobianFirstExponent);
}

/** The determinant that a fraction of the counted ones is below: right to 1/64 of it. */
inline double
JacobianPercentile(const std::vector<std::int64_t> & counts, double fraction)
{
  const double position = PositionOfQuantile(counts, fraction);
  const double whole = std::floor(position);
  const double least = LeastOfJacobianBin(static_cast<int>(whole));
  return least + (position - whole) * (LeastOfJacobianBin(static_cast<int>(whole) + 1) - least);
}

/** Adds the percentiles to statistics of the same determinants, of which there are some. */
inline void
SetPercentiles(const std::vector<std::int64_t> & counts, JacobianResult & result)
{
  const auto percentile = [&](double fraction) {
    return std::min(std::max(JacobianPercentile(counts, fraction), result.minimum), result.maximum);
  };
  result.lowerPercentile = percentile(0.001);
  result.upperPercentile = percentile(0.999);
}

} // namespace cudaneuro

#endif
