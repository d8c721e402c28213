// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/ChannelMetric.h"

#include "linear/UncoveredVoxels.h"

#include <algorithm>
#include <cmath>
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

/** Sums numbers of the channels in increasing order, so that the sum's bits do not depend on the channels' order. */
class OrderedSum
{
public:
  void
  Add(double number)
  {
    m_Numbers[m_Count++] = number;
  }
  double
  Compute()
  {
    // NaN is sorted last; derivatives can be NaN where nothing is covered.
    std::sort(m_Numbers.begin(), m_Numbers.begin() + m_Count, [](double a, double b) {
      return a < b || (std::isnan(b) && !std::isnan(a));
    });
    return std::accumulate(m_Numbers.begin(), m_Numbers.begin() + m_Count, 0.0);
  }

private:
  ChannelValues m_Numbers{};
  int           m_Count = 0;
};

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

void
ChannelMetric::Add(double share, std::unique_ptr<LinearMetric> metric)
{
  m_Channels.push_back({ share, std::move(metric) });
}

void
ChannelMetric::Evaluate(std::vector<LinearTrial> & trials, bool withDerivatives)
{
  m_Evaluations.resize(m_Channels.size());
  for (std::size_t c = 0; c < m_Channels.size(); ++c)
  {
    const bool counts = m_Channels[c].share > 0.0;
    if (counts || c == 0)
    {
      m_Evaluations[c].assign(trials.begin(), trials.end());
      m_Channels[c].metric->Evaluate(m_Evaluations[c], withDerivatives && counts);
    }
  }
  for (std::size_t i = 0; i < trials.size(); ++i)
  {
    if (m_Channels.size() == 1)
    {
      this->TakeSingle(i, trials[i]);
    }
    else
    {
      this->TakeMean(i, withDerivatives, trials[i]);
    }
  }
}

void
ChannelMetric::TakeSingle(std::size_t index, LinearTrial & trial) const
{
  const LinearMetricEvaluation & evaluation = m_Evaluations.front()[index];
  static_cast<LinearMetricEvaluation &>(trial) = evaluation;
  trial.score = ScoreOf(m_Channels.front().metric->GetParameters(), evaluation);
  trial.channelValues[0] = evaluation.value;
}

void
ChannelMetric::TakeMean(std::size_t index, bool withDerivatives, LinearTrial & trial) const
{
  const auto meanOf = [&](const auto & valueOf) {
    OrderedSum sum;
    for (std::size_t c = 0; c < m_Channels.size(); ++c)
    {
      if (m_Channels[c].share > 0.0)
      {
        sum.Add(m_Channels[c].share * valueOf(c, m_Evaluations[c][index]));
      }
    }
    return sum.Compute();
  };
  using Evaluation = LinearMetricEvaluation;
  trial.overlap = m_Evaluations.front()[index].overlap;
  trial.coverage = m_Evaluations.front()[index].coverage;
  trial.channelValues = {};
  trial.value = meanOf([&](std::size_t c, const Evaluation & e) { return trial.channelValues[c] = e.value; });
  trial.score =
    meanOf([&](std::size_t c, const Evaluation & e) { return ScoreOf(m_Channels[c].metric->GetParameters(), e); });
  for (std::size_t entry = 0; withDerivatives && entry < 9; ++entry)
  {
    trial.derivativeByMatrix[entry] =
      meanOf([&](std::size_t, const Evaluation & e) { return e.derivativeByMatrix[entry]; });
  }
  for (std::size_t axis = 0; withDerivatives && axis < 3; ++axis)
  {
    trial.derivativeByOffset[axis] =
      meanOf([&](std::size_t, const Evaluation & e) { return e.derivativeByOffset[axis]; });
  }
}

} // namespace cudaneuro
