// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_ChannelMetric_h
#define cudaneuro_linear_ChannelMetric_h

#include "cudaneuro/LinearMetric.h"
#include "cudaneuro/LinearRegistration.h"

#include <array>
#include <limits>
#include <memory>
#include <vector>

namespace cudaneuro
{

using ChannelValues = std::array<double, maximumNumberOfChannels>;

/** The metric of a map: value and derivatives are means over the channels; overlap and coverage are those of the first
 * channel. */
struct LinearTrial : LinearMetricEvaluation
{
  /** What candidates are ranked by: the value, with uncovered fixed voxels counted as uncorrelated
   * (LinearMetricParameters::countUncovered), so that a small overlap cannot win. */
  double score = std::numeric_limits<double>::infinity();
  /** Of each channel; 0 where its weight is 0. */
  ChannelValues channelValues{};
};

/** How the channels of a registration are compared, the first one's metric first. */
std::vector<LinearMetricParameters>
MetricsOfChannels(const LinearRegistrationParameters & parameters);

/** The mean of the metrics of several channels. It has the same bits in whichever order they are. */
class ChannelMetric
{
public:
  /** Adds the metric of the next channel, the first one's first. Of channels whose share is 0 it may be null, but for
   * the first one, whose overlap counts. */
  void
  Add(double share, std::unique_ptr<LinearMetric> metric);

  /** As LinearMetric::Evaluate. A value is infinite where that of a channel is. */
  void
  Evaluate(std::vector<LinearTrial> & trials, bool withDerivatives);

private:
  /** Of each channel, those of all trials; empty for channels without a share. */
  using Evaluations = std::vector<std::vector<LinearMetricEvaluation>>;

  /** What a trial has of a single channel. */
  void
  TakeSingle(std::size_t index, LinearTrial & trial) const;
  void
  TakeMean(std::size_t index, bool withDerivatives, LinearTrial & trial) const;

  struct Channel
  {
    double                        share;
    std::unique_ptr<LinearMetric> metric;
  };
  std::vector<Channel> m_Channels;
  /** Kept from call to call, as a search evaluates many thousand maps. */
  Evaluations m_Evaluations;
};

} // namespace cudaneuro

#endif
