// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/EnergyShares.h"

namespace cudaneuro
{

EnergyShares::EnergyShares(const RegistrationParameters & parameters)
{
  double sum = parameters.channelWeight;
  for (const ChannelParameters & channel : parameters.furtherChannels)
  {
    sum += channel.weight;
  }
  const auto shareOf = [sum](double weight) { return weight > 0.0 ? weight / sum : 0.0; };
  firstChannel = shareOf(parameters.channelWeight);
  for (std::size_t index = 0; index < parameters.furtherChannels.size(); ++index)
  {
    terms[index] = shareOf(parameters.furtherChannels[index].weight);
  }
  terms[pointTerm] = parameters.pointWeight;
  terms[labelTerm] = parameters.labelWeight;
}

namespace
{

void
SetFirstChannel(const ChannelParameters & description, RegistrationParameters & parameters)
{
  parameters.channelWeight = description.weight;
  parameters.metric = description.metric;
  parameters.correlationRadius = description.correlationRadius;
  parameters.numberOfHistogramBins = description.numberOfHistogramBins;
  parameters.matchIntensities = description.matchIntensities;
}

} // namespace

ChannelParameters
DescriptionOfChannel(const RegistrationParameters & parameters, int channel)
{
  if (channel > 0)
  {
    return parameters.furtherChannels[static_cast<std::size_t>(channel - 1)];
  }
  return { parameters.channelWeight,
           parameters.metric,
           parameters.correlationRadius,
           parameters.numberOfHistogramBins,
           parameters.matchIntensities };
}

RegistrationParameters
ParametersOfChannel(const RegistrationParameters & parameters, int channel)
{
  RegistrationParameters ofChannel = parameters;
  SetFirstChannel(DescriptionOfChannel(parameters, channel), ofChannel);
  ofChannel.unbiasedWeight = channel > 0 ? 0.0 : parameters.unbiasedWeight;
  return ofChannel;
}

RegistrationParameters
WithChannels(const RegistrationParameters & parameters, const std::vector<int> & channels)
{
  RegistrationParameters inOrder = parameters;
  SetFirstChannel(DescriptionOfChannel(parameters, channels.front()), inOrder);
  inOrder.furtherChannels.clear();
  for (auto channel = channels.begin() + 1; channel != channels.end(); ++channel)
  {
    inOrder.furtherChannels.push_back(DescriptionOfChannel(parameters, *channel));
  }
  return inOrder;
}

} // namespace cudaneuro
