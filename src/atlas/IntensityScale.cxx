// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/IntensityScale.h"

#include "atlas/FixedPoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cudaneuro
{

namespace
{

/** Minimum, maximum and standard deviation. */
constexpr std::size_t valuesOfImage = 3;

/** The unit is the least power of 2 above the mean standard deviation. Intensities that do not enclose 0 are counted
 * from the one nearest to it, so that nothing is lost to rounding where all are far from 0. */
void
SetScale(const std::vector<double> & statistics, AtlasPlan & plan)
{
  double minimum = statistics[0];
  double maximum = statistics[1];
  double deviation = 0.0;
  for (std::size_t i = 0; i < statistics.size(); i += valuesOfImage)
  {
    minimum = std::min(minimum, statistics[i]);
    maximum = std::max(maximum, statistics[i + 1]);
    deviation += statistics[i + 2] / static_cast<double>(plan.weights.size());
  }
  int exponent = 0;
  std::frexp(deviation, &exponent);
  plan.scale = static_cast<float>(std::ldexp(1.0, exponent));
  plan.offset = static_cast<float>(minimum > 0.0 ? minimum : std::min(maximum, 0.0));
  plan.canTrim = plan.parameters.meanMethod == AtlasMean::Mean;
  const double largest = std::max(maximum - plan.offset, plan.offset - minimum);
  plan.sumScale = FixedPointScale(2.0 * largest / plan.scale);
}

} // namespace

void
FindScale(DeviceGroup & group, int device, const std::vector<Member> & members, AtlasPlan & plan)
{
  std::vector<std::int64_t> bits(valuesOfImage * plan.weights.size(), 0);
  for (const Member & member : members)
  {
    const ImageStatistics & statistics = member.statistics;
    const double values[valuesOfImage] = { statistics.minimum, statistics.maximum, std::sqrt(statistics.variance) };
    std::memcpy(bits.data() + valuesOfImage * static_cast<std::size_t>(member.image), values, sizeof(values));
  }
  group.SumOnHost(device, bits.data(), bits.size());
  if (device == 0)
  {
    std::vector<double> values(bits.size());
    std::memcpy(values.data(), bits.data(), bits.size() * sizeof(double));
    SetScale(values, plan);
  }
  std::int64_t isSet = 1; // the others wait for it
  group.SumOnHost(device, &isSet, 1);
}

} // namespace cudaneuro
