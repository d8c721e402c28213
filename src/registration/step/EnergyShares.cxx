// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/EnergyShares.h"

#include "images/ChannelShares.h"

#include <algorithm>

namespace cudaneuro
{

EnergyShares::EnergyShares(const RegistrationParameters & parameters)
{
  const std::vector<double> shares = SharesOfChannels(parameters.channelWeight, parameters.furtherChannels);
  firstChannel = shares.front();
  std::copy(shares.begin() + 1, shares.end(), terms);
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
