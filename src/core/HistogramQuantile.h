// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_HistogramQuantile_h
#define cudaneuro_core_HistogramQuantile_h

#include <cstdint>
#include <numeric>
#include <vector>

namespace cudaneuro
{

/** Returns a quantile of a histogram, in bins; linear within a bin.
 * \param fraction above 0 and below 1 */
inline double
PositionOfQuantile(const std::vector<std::int64_t> & histogram, double fraction)
{
  const auto   total = static_cast<double>(std::accumulate(histogram.begin(), histogram.end(), std::int64_t{ 0 }));
  const double wanted = total * fraction;
  double       below = 0.0;
  std::size_t  bin = 0;
  while (bin + 1 < histogram.size() && below + static_cast<double>(histogram[bin]) < wanted)
  {
    below += static_cast<double>(histogram[bin]);
    ++bin;
  }
  return static_cast<double>(bin) + (wanted - below) / static_cast<double>(histogram[bin]);
}

} // namespace cudaneuro

#endif
