// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/population/AtlasChannels.h"

#include "shared/registration/ChannelValues.h"
#include "shared/Files.h"
#include "shared/ParameterOptions.h"

#include <algorithm>

using cudaneuro::ChannelParameters;
using cudaneuro::RegistrationMetric;
using cudaneuro::RegistrationParameters;

namespace
{

/** Returns a number of channels with the verb that follows it. */
std::string
NeedsOf(std::size_t channels)
{
  return std::to_string(channels) + (channels == 1 ? " further channel needs " : " further channels need ");
}

void
SetMetrics(const std::vector<std::string> & names, std::vector<ChannelParameters> & channels)
{
  if (names.size() > 1 && names.size() != channels.size())
  {
    throw UserError("--channel-metric has " + std::to_string(names.size()) + " values; " + NeedsOf(channels.size()) +
                    "1 or one each");
  }
  const auto choice =
    ChoiceOf<RegistrationMetric>({ RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation });
  const std::vector<std::string> known = choice.GetNames();
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    const std::string & name = names[names.size() == 1 ? 0 : i];
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
      throw UserError("--channel-metric is " + name + "; it must be " + known[0] + " or " + known[1]);
    }
    channels[i].metric = choice.GetValue(name);
  }
}

} // namespace

void
SetChannels(const AtlasOptions & options, std::size_t numberOfFurtherChannels, RegistrationParameters & parameters)
{
  ChannelParameters like;
  like.metric = parameters.metric;
  like.correlationRadius = parameters.correlationRadius;
  parameters.furtherChannels.assign(numberOfFurtherChannels, like);
  if (numberOfFurtherChannels == 0 && !(options.channelWeights.empty() && options.channelMetrics.empty()))
  {
    throw UserError("--channel-weights and --channel-metric have no effect here: " + options.list +
                    " has no further channels");
  }
  const std::vector<double> weights =
    WeightsOfChannels(options.channelWeights, numberOfFurtherChannels, "the first channel");
  parameters.channelWeight = weights.front();
  for (std::size_t i = 0; i < numberOfFurtherChannels; ++i)
  {
    parameters.furtherChannels[i].weight = weights[i + 1];
  }
  if (!options.channelMetrics.empty())
  {
    SetMetrics(options.channelMetrics, parameters.furtherChannels);
  }
}
