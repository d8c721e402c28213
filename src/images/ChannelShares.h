// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ChannelShares_h
#define cudaneuro_images_ChannelShares_h

#include "cudaneuro/RegistrationTerms.h"

#include <tuple>
#include <vector>

namespace cudaneuro
{

/** The sum of the weights of all channels. Its bits do not depend on their order. */
double
SumOfWeights(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** The channels' shares in the energy, the first one's first: their weights over the sum, so that a single channel has
 * exactly 1, and each of two that are alike a half. 0 where all weights are. */
std::vector<double>
SharesOfChannels(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** Sorts channels by how they are compared, so that their sums do not depend on the caller's order. */
inline auto
SortingKeyOf(const ChannelParameters & channel)
{
  return std::make_tuple(
    channel.metric, channel.weight, channel.correlationRadius, channel.numberOfHistogramBins, channel.matchIntensities);
}

} // namespace cudaneuro

#endif
