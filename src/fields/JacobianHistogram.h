// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianHistogram_h
#define cudaneuro_fields_JacobianHistogram_h

#include "core/HostDevice.h"
#include "cudaneuro/DisplacementField.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

/** Counts of positive determinants, for both compilers. A float's bits are in the order of its value: 64 bins of equal width lie
 * between two powers of 2, which is nearly a histogram of the logarithm, and takes none. */
namespace cudaneuro
{

constexpr int jacobianBinsOfOctave = 64;
constexpr int jacobianBits = 23 - 6; // of the mantissa, which no bin looks at
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
  const int bin = static_cast<int>(bits >> jacobianBits) - first;
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

/** The determinant that a fraction of the counted ones is below, as if those of a bin were evenly spaced: right to 1/64 of it. */
inline double
JacobianPercentile(const std::vector<std::int64_t> & counts, std::int64_t count, double fraction)
{
  const double wanted = fraction * static_cast<double>(count);
  double       below = 0.0;
  int          bin = 0;
  while (bin + 1 < jacobianBins && below + static_cast<double>(counts[bin]) < wanted)
  {
    below += static_cast<double>(counts[bin]);
    ++bin;
  }
  const double part = counts[bin] > 0 ? (wanted - below) / static_cast<double>(counts[bin]) : 0.0;
  const double least = LeastOfJacobianBin(bin);
  return least + std::min(part, 1.0) * (LeastOfJacobianBin(bin + 1) - least);
}

/** Adds the percentiles to statistics of the same determinants. */
inline void
SetPercentiles(const std::vector<std::int64_t> & counts, JacobianResult & result)
{
  std::int64_t count = 0;
  for (const std::int64_t ofBin : counts)
  {
    count += ofBin;
  }
  if (count > 0)
  {
    const auto percentile = [&](double fraction) {
      return std::min(std::max(JacobianPercentile(counts, count, fraction), result.minimum), result.maximum);
    };
    result.lowerPercentile = percentile(0.001);
    result.upperPercentile = percentile(0.999);
  }
}

} // namespace cudaneuro

#endif
