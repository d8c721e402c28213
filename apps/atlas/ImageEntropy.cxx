// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

double
ComputeEntropy(const float * values, std::size_t count)
{
  constexpr std::size_t numberOfBins = 256;
  if (count == 0)
  {
    return 0.0;
  }
  const auto [least, largest] = std::minmax_element(values, values + count);
  const double range = static_cast<double>(*largest) - static_cast<double>(*least);
  if (!(range > 0.0))
  {
    return 0.0;
  }
  std::array<std::uint64_t, numberOfBins> bins{};
  for (std::size_t i = 0; i < count; ++i)
  {
    const double place = (static_cast<double>(values[i]) - static_cast<double>(*least)) / range;
    ++bins[std::min(numberOfBins - 1, static_cast<std::size_t>(place * numberOfBins))];
  }
  double entropy = 0.0;
  for (const std::uint64_t bin : bins)
  {
    const double share = static_cast<double>(bin) / static_cast<double>(count);
    entropy -= bin == 0 ? 0.0 : share * std::log2(share);
  }
  return entropy;
}
