// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasChannels.h"

#include "shared/Files.h"
#include "shared/ParameterOptions.h"

#include <algorithm>

using cudaneuro::ChannelParameters;
using cudaneuro::RegistrationMetric;
using cudaneuro::RegistrationParameters;

namespace
{

/** A number of channels with the verb that follows it. */
std::string
NeedsOf(std::size_t channels)
{
  return std::to_string(channels) + (channels == 1 ? " further channel needs " : " further channels need ");
}

void
SetWeights(const std::vector<double> & weights, RegistrationParameters & parameters)
{
  std::vector<ChannelParameters> & channels = parameters.furtherChannels;
  if (weights.size() != 1 + channels.size())
  {
    throw UserError("--channel-weights has " + std::to_string(weights.size()) + " values; " + NeedsOf(channels.size()) +
                    std::to_string(1 + channels.size()) + ", that of the first channel first");
  }
  constexpr double largest = 1e6;
  for (const double weight : weights)
  {
    if (!(weight <= largest))
    {
      throw UserError("--channel-weights has " + std::to_string(weight) + "; each must be from 0 to 1e6");
    }
  }
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0.0; }))
  {
    throw UserError("--channel-weights are all 0; one at least must be above 0");
  }
  parameters.channelWeight = weights.front();
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    channels[i].weight = weights[i + 1];
  }
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
  if (!options.channelWeights.empty())
  {
    SetWeights(options.channelWeights, parameters);
  }
  if (!options.channelMetrics.empty())
  {
    SetMetrics(options.channelMetrics, parameters.furtherChannels);
  }
}

void
NoteChannels(Report & report, const AtlasOptions & options, const RegistrationParameters & parameters)
{
  if (parameters.furtherChannels.empty())
  {
    return;
  }
  std::vector<std::string> metrics;
  std::vector<double>      weights{ parameters.channelWeight };
  for (const ChannelParameters & channel : parameters.furtherChannels)
  {
    metrics.push_back(OptionWordsOf(channel.metric));
    weights.push_back(channel.weight);
  }
  NoteOption(report, "/parameters", *options.fluid.command, "--channel-metric", metrics);
  NoteOption(report, "/parameters", *options.fluid.command, "--channel-weights", weights);
}
