// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/IntensityScale.h"

#include "atlas/means/FixedPoint.h"
#include "images/ChannelShares.h"
#include "registration/step/EnergyShares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace cudaneuro
{

namespace
{

/** Minimum, maximum and standard deviation. */
constexpr std::size_t valuesOfImage = 3;

/** The scale is the smallest power of 2 above the mean standard deviation. If the intensities do not enclose 0, the
 * offset is the one nearest to it, so that intensities far from 0 lose nothing to rounding. */
ChannelScale
ScaleOf(const double * statistics, std::size_t images)
{
  double minimum = statistics[0];
  double maximum = statistics[1];
  double deviation = 0.0;
  for (std::size_t i = 0; i < valuesOfImage * images; i += valuesOfImage)
  {
    minimum = std::min(minimum, statistics[i]);
    maximum = std::max(maximum, statistics[i + 1]);
    deviation += statistics[i + 2] / static_cast<double>(images);
  }
  int exponent = 0;
  std::frexp(deviation, &exponent);
  ChannelScale result;
  result.scale = static_cast<float>(std::ldexp(1.0, exponent));
  result.offset = static_cast<float>(minimum > 0.0 ? minimum : std::min(maximum, 0.0));
  const double largest = std::max(maximum - result.offset, result.offset - minimum);
  result.sumScale = FixedPointScale(2.0 * largest / result.scale);
  return result;
}

/** Sorts the channels by their parameters, then by the statistics of their images.
 * \param statistics valuesOfImage of each image of each channel */
std::vector<int>
OrderOfChannels(const RegistrationParameters & parameters, std::size_t images, const std::vector<double> & statistics)
{
  const auto keyOf = [&](int channel) {
    using OfImage = std::array<double, valuesOfImage>;
    std::vector<OfImage> ofImages(images);
    for (std::size_t image = 0; image < images; ++image)
    {
      const std::size_t at = valuesOfImage * (static_cast<std::size_t>(channel) * images + image);
      std::copy_n(statistics.data() + at, valuesOfImage, ofImages[image].begin());
    }
    std::sort(ofImages.begin(), ofImages.end()); // so that the order of the images does not matter
    return std::make_pair(SortingKeyOf(DescriptionOfChannel(parameters, channel)), ofImages);
  };
  std::vector<decltype(keyOf(0))> keys;
  std::vector<int>                order;
  for (int channel = 0; channel <= static_cast<int>(parameters.furtherChannels.size()); ++channel)
  {
    keys.push_back(keyOf(channel));
    order.push_back(channel);
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  return order;
}

} // namespace

void
FindScale(DeviceGroup & group, int device, const std::vector<Member> & members, AtlasPlan & plan)
{
  const std::size_t         images = plan.weights.size();
  std::vector<std::int64_t> bits(plan.NumberOfChannels() * valuesOfImage * images, 0);
  for (const Member & member : members)
  {
    for (std::size_t channel = 0; channel < member.channels.size(); ++channel)
    {
      const ImageStatistics & statistics = member.channels[channel].statistics;
      const double values[valuesOfImage] = { statistics.minimum, statistics.maximum, std::sqrt(statistics.variance) };
      const std::size_t at = valuesOfImage * (channel * images + static_cast<std::size_t>(member.image));
      std::memcpy(bits.data() + at, values, sizeof(values));
    }
  }
  group.SumOnHost(device, bits.data(), bits.size());
  if (device == 0)
  {
    std::vector<double> values(bits.size());
    std::memcpy(values.data(), bits.data(), bits.size() * sizeof(double));
    plan.scales.clear();
    for (std::size_t channel = 0; channel < plan.NumberOfChannels(); ++channel)
    {
      plan.scales.push_back(ScaleOf(values.data() + valuesOfImage * channel * images, images));
    }
    plan.channelOrder = OrderOfChannels(plan.parameters.registration, images, values);
    plan.canTrim = plan.parameters.meanMethod == AtlasMean::Mean;
  }
  std::int64_t isSet = 1; // the others wait for it
  group.SumOnHost(device, &isSet, 1);
}

} // namespace cudaneuro
