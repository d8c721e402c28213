// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ChannelChecks_h
#define cudaneuro_images_ChannelChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/RegistrationTerms.h"

#include <string>
#include <vector>

/** Checks of the channels of a registration. Each throws InvalidParameterError with the given value and its limit; the
 * channels after the first one are counted from 1. */
namespace cudaneuro
{

/** Calls a function, and puts the number of the channel before what is wrong with one of its values. */
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

/** Requires parameters in their ranges, of at most maximumNumberOfChannels. */
void
RequireChannelParameters(const std::vector<ChannelParameters> & further);

/** Requires a channel with a weight. */
void
RequireChannelWeight(double weightOfFirst, const std::vector<ChannelParameters> & further);

/** Requires as many channels as there are parameters, of the first channel's dimension, with geometries, images, masks
 * and transforms that can be used. */
void
RequireChannelImages(const Context &                    context,
                     std::size_t                        numberOfParameters,
                     const Geometry &                   fixed,
                     const Geometry &                   moving,
                     const std::vector<ChannelImages> & further);

} // namespace cudaneuro

#endif
