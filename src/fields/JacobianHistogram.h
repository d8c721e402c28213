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

/** Histogram of positive determinants, for both compilers. A float's bits are ordered like its value: 64 bins of equal
 * width lie between two powers of 2, which nearly gives a histogram of the logarithm without computing logarithms. */
namespace cudaneuro
{

constexpr int jacobianBinsOfOctave = 64;
constexpr int bitsBelowJacobianBin = 23 - 6; // of the mantissa; its 6 upper bits give the bin in an octave
/** Determinants below 2^-24 are in the first bin, and those of 2^8 or more in the last one. */
constexpr int jacobianFirstExponent = -24;
constexpr int jacobianBins = 32 * jacobianBinsOfOctave;

/** Returns the bin of a positive determinant. */
CUDANEURO_HOST_DEVICE int
JacobianBin(float determinant)
{
  constexpr int first = (127 + jacobianFirstExponent) * jacobianBinsOfOctave;
  std::uint32_t bits = 0;
  std::memcpy(&bits, &determinant, sizeof(bits));
  const int bin = static_cast<int>(bits >> bitsBelowJacobianBin) - first;
  return bin < 0 ? 0 : (bin < jacobianBins ? bin : jacobianBins - 1);
}

/** Returns the smallest determinant of a bin. */
inline double
LeastOfJacobianBin(int bin)
{
  const int octave = bin / jacobianBinsOfOctave;
  return std::ldexp(1.0 + static_cast<double>(bin % jacobianBinsOfOctave) / jacobianBinsOfOctave,
                    octave + jacobianFirstExponent);
}

/** Returns the determinant below which a fraction of the counted ones lies, with a relative error below 1/64. */
inline double
JacobianPercentile(const std::vector<std::int64_t> & counts, double fraction)
{
  const double position = PositionOfQuantile(counts, fraction);
  const double whole = std::floor(position);
  const double least = LeastOfJacobianBin(static_cast<int>(whole));
  return least + (position - whole) * (LeastOfJacobianBin(static_cast<int>(whole) + 1) - least);
}

/** Adds the percentiles to statistics of the same determinants, of which there must be at least one. */
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
