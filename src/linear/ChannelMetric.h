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

/** The metric of a map. Value and derivatives are means over the channels; overlap and coverage are those of the first
 * channel. */
struct LinearTrial : LinearMetricEvaluation
{
  /** Score by which candidates are ranked: the value, with uncovered fixed voxels counted as uncorrelated
   * (LinearMetricParameters::countUncovered), so that a small overlap cannot win. */
  double score = std::numeric_limits<double>::infinity();
  /** Value of each channel; 0 for a channel of weight 0. */
  ChannelValues channelValues{};
};

/** The parameters of the channels' metrics, those of the first channel first. */
std::vector<LinearMetricParameters>
MetricsOfChannels(const LinearRegistrationParameters & parameters);

/** The mean of the metrics of several channels. Its bits do not depend on the channels' order. */
class ChannelMetric
{
public:
  /** Adds the metric of the next channel, beginning with the first one. It may be null for a channel without a share,
   * except for the first one, whose overlap is used. */
  void
  Add(double share, std::unique_ptr<LinearMetric> metric);

  /** LinearMetric::Evaluate for all channels. A value is infinite where that of a channel is. */
  void
  Evaluate(std::vector<LinearTrial> & trials, bool withDerivatives);

private:
  /** Evaluations of all trials, per channel; empty for channels without a share. */
  using Evaluations = std::vector<std::vector<LinearMetricEvaluation>>;

  /** Sets the trial's results that depend on a single channel. */
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
  /** Kept between calls to avoid allocations, as a search evaluates many thousand maps. */
  Evaluations m_Evaluations;
};

} // namespace cudaneuro

#endif
