// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ChannelChecks_h
#define cudaneuro_images_ChannelChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/RegistrationTerms.h"

#include <string>
#include <vector>

/** Checks of the channels of a registration. Each throws InvalidParameterError with the given value and its limit;
 * channels after the first one are numbered from 1. */
namespace cudaneuro
{

/** Calls a function, and prefixes the message of its InvalidParameterError with the channel's number. */
template <typename TFunction>
void
InChannel(std::size_t channel, const TFunction & function)
{
  try
  {
    function();
  }
  catch (const InvalidParameterError & error)
  {
    throw InvalidParameterError("channel " + std::to_string(channel) + ": " + error.what());
  }
}

/** Requires parameters in their ranges, for at most maximumNumberOfChannels channels. */
void
RequireChannelParameters(const std::vector<ChannelParameters> & further);

/** Requires that at least one channel has a weight. */
void
RequireChannelWeight(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** Requires as many channels as there are parameters, of the first channel's dimension, with usable geometries, images,
 * masks and transforms. */
void
RequireChannelImages(const Context &                    context,
                     std::size_t                        numberOfParameters,
                     const Geometry &                   fixed,
                     const Geometry &                   moving,
                     const std::vector<ChannelImages> & further);

} // namespace cudaneuro

#endif
