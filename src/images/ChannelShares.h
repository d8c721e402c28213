// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ChannelShares_h
#define cudaneuro_images_ChannelShares_h

#include "cudaneuro/RegistrationTerms.h"

#include <tuple>
#include <vector>

namespace cudaneuro
{

/** Returns the sum of the weights of all channels. Its bits do not depend on their order. */
double
SumOfWeights(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** Returns the channels' shares in the energy, the first channel's first: their weights over the sum, so that a single
 * channel has exactly 1, and each of two equal channels one half. All are 0 if all weights are 0. */
std::vector<double>
SharesOfChannels(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** Returns a key that sorts channels by how they are compared, so that sums do not depend on the caller's order. */
inline auto
SortingKeyOf(const ChannelParameters & channel)
{
  return std::make_tuple(
    channel.metric, channel.weight, channel.correlationRadius, channel.numberOfHistogramBins, channel.matchIntensities);
}

} // namespace cudaneuro

#endif
