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

RegistrationParameters
ParametersOfChannel(const RegistrationParameters & parameters, int channel)
{
  RegistrationParameters ofChannel = parameters;
  if (channel > 0)
  {
    const ChannelParameters & description = parameters.furtherChannels[static_cast<std::size_t>(channel - 1)];
    ofChannel.metric = description.metric;
    ofChannel.correlationRadius = description.correlationRadius;
    ofChannel.numberOfHistogramBins = description.numberOfHistogramBins;
    ofChannel.matchIntensities = description.matchIntensities;
    ofChannel.unbiasedWeight = 0.0;
  }
  return ofChannel;
}

} // namespace cudaneuro
