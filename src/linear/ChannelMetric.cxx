// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/ChannelMetric.h"

#include "linear/UncoveredVoxels.h"

#include <numeric>
#include <utility>

namespace cudaneuro
{

namespace
{

double
ScoreOf(const LinearMetricParameters & parameters, const LinearMetricEvaluation & evaluation)
{
  return parameters.countUncovered ? evaluation.value
                                   : WithUncovered(parameters.metric, evaluation.value, evaluation.coverage);
}

/** Adds the share of a channel to the mean. */
void
AddShare(double share, const LinearMetricEvaluation & ofChannel, bool withDerivatives, LinearTrial & trial)
{
  trial.value += share * ofChannel.value;
  if (!withDerivatives)
  {
    return;
  }
  for (std::size_t entry = 0; entry < 9; ++entry)
  {
    trial.derivativeByMatrix[entry] += share * ofChannel.derivativeByMatrix[entry];
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    trial.derivativeByOffset[axis] += share * ofChannel.derivativeByOffset[axis];
  }
}

/** A trial before the first share of a channel. */
LinearTrial
EmptyTrial(const AffineMap & map)
{
  LinearTrial trial;
  trial.map = map;
  trial.score = 0.0;
  return trial;
}

} // namespace

std::vector<LinearMetricParameters>
MetricsOfChannels(const LinearRegistrationParameters & parameters)
{
  std::vector<LinearMetricParameters> metrics{ parameters.metric };
  for (const ChannelParameters & channel : parameters.furtherChannels)
  {
    LinearMetricParameters & metric = metrics.emplace_back(parameters.metric);
    metric.metric = channel.metric;
    metric.correlationRadius = channel.correlationRadius;
    metric.numberOfHistogramBins = channel.numberOfHistogramBins;
  }
  return metrics;
}

std::vector<double>
SharesOfChannels(const LinearRegistrationParameters & parameters)
{
  std::vector<double> shares{ parameters.channelWeight };
  for (const ChannelParameters & channel : parameters.furtherChannels)
  {
    shares.push_back(channel.weight);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double & share : shares)
  {
    share /= sum;
  }
  return shares;
}

void
ChannelMetric::Add(double share, std::unique_ptr<LinearMetric> metric)
{
  m_Channels.push_back({ share, std::move(metric) });
}

void
ChannelMetric::Evaluate(std::vector<LinearTrial> & trials, bool withDerivatives)
{
  std::vector<LinearMetricEvaluation> ofChannel(trials.begin(), trials.end());
  for (LinearTrial & trial : trials)
  {
    trial = EmptyTrial(trial.map);
  }
  for (std::size_t c = 0; c < m_Channels.size(); ++c)
  {
    const auto & [share, metric] = m_Channels[c];
    const bool counts = share > 0.0;
    if (!counts && c > 0)
    {
      continue;
    }
    metric->Evaluate(ofChannel, withDerivatives && counts);
    for (std::size_t i = 0; i < trials.size(); ++i)
    {
      if (c == 0)
      {
        trials[i].overlap = ofChannel[i].overlap;
        trials[i].coverage = ofChannel[i].coverage;
      }
      if (counts)
      {
        AddShare(share, ofChannel[i], withDerivatives, trials[i]);
        trials[i].score += share * ScoreOf(metric->GetParameters(), ofChannel[i]);
        trials[i].channelValues[c] = ofChannel[i].value;
      }
    }
  }
}

} // namespace cudaneuro
