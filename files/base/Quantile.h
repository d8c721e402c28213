// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Quantile_h
#define files_base_Quantile_h

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cudaneuro::files
{

/** Returns a quantile of sorted values, with linear interpolation between them.
 * \param sorted at least one value */
inline double
QuantileOf(const std::vector<double> & sorted, double fraction)
{
  const double      place = fraction * static_cast<double>(sorted.size() - 1);
  const auto        below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace cudaneuro::files

#endif
