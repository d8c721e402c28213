// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/registration/ChannelValues.h"

#include "shared/Files.h"
#include "shared/ParameterOptions.h"

#include <algorithm>

using cudaneuro::ChannelParameters;

std::vector<double>
WeightsOfChannels(const std::vector<double> & given, std::size_t numberOfFurtherChannels, const std::string & first)
{
  constexpr double  largest = 1e6;
  const std::size_t count = 1 + numberOfFurtherChannels;
  if (given.empty())
  {
    return std::vector<double>(count, 1.0);
  }
  if (given.size() != count)
  {
    throw UserError("--channel-weights has " + std::to_string(given.size()) + " values; " + std::to_string(count) +
                    (count == 1 ? " channel needs " : " channels need ") + std::to_string(count) + ", that of " +
                    first + " first");
  }
  for (const double weight : given)
  {
    if (!(weight <= largest))
    {
      throw UserError("--channel-weights has " + std::to_string(weight) + "; each must be from 0 to 1e6");
    }
  }
  if (std::all_of(given.begin(), given.end(), [](double weight) { return weight == 0.0; }))
  {
    throw UserError("--channel-weights are all 0; one at least must be above 0");
  }
  return given;
}

void
NoteChannels(Report &                               report,
             const std::string &                    where,
             const CLI::App &                       app,
             double                                 firstWeight,
             const std::vector<ChannelParameters> & furtherChannels)
{
  if (furtherChannels.empty())
  {
    return;
  }
  std::vector<std::string> metrics;
  std::vector<double>      weights{ firstWeight };
  for (const ChannelParameters & channel : furtherChannels)
  {
    metrics.push_back(OptionWordsOf(channel.metric));
    weights.push_back(channel.weight);
  }
  NoteOption(report, where, app, "--channel-metric", metrics);
  NoteOption(report, where, app, "--channel-weights", weights);
}
