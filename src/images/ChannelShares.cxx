// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ChannelShares.h"

#include <algorithm>
#include <numeric>

namespace cudaneuro
{

namespace
{

std::vector<double>
WeightsOf(double weightOfFirst, const std::vector<ChannelParameters> & further)
{
  std::vector<double> weights{ weightOfFirst };
  for (const ChannelParameters & channel : further)
  {
    weights.push_back(channel.weight);
  }
  return weights;
}

} // namespace

double
SumOfWeights(double weightOfFirst, const std::vector<ChannelParameters> & further)
{
  std::vector<double> weights = WeightsOf(weightOfFirst, further);
  std::sort(weights.begin(), weights.end());
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

std::vector<double>
SharesOfChannels(double weightOfFirst, const std::vector<ChannelParameters> & further)
{
  const double        sum = SumOfWeights(weightOfFirst, further);
  std::vector<double> shares = WeightsOf(weightOfFirst, further);
  for (double & share : shares)
  {
    share = share > 0.0 ? share / sum : 0.0;
  }
  return shares;
}

} // namespace cudaneuro
