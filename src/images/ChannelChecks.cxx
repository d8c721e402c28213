// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ChannelChecks.h"

#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "images/ChannelShares.h"
#include "images/ImageChecks.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

void
RequireNumberOfChannels(const std::string & name, std::size_t number)
{
  if (number > static_cast<std::size_t>(maximumNumberOfChannels))
  {
    ThrowInvalid(name, number, std::to_string(maximumNumberOfChannels) + " or less, the first one included");
  }
}

/** Requires a transform that is finite, has an inverse, and maps slice to slice if images are slices. */
void
RequireTransform(const std::string & name, const Geometry & from, const AffineMap & transform, const Geometry & to)
{
  const auto isFinite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(transform.matrix.begin(), transform.matrix.end(), isFinite) ||
      !std::all_of(transform.offset.begin(), transform.offset.end(), isFinite))
  {
    throw InvalidParameterError("the " + name + " has an element that is infinite or NaN; all must be finite");
  }
  try
  {
    Inverse(transform);
  }
  catch (const InvalidParameterError & error)
  {
    throw InvalidParameterError("the " + name + " has no inverse: " + error.what());
  }
  RequireInSlice("the " + name, from, transform, to);
}

void
RequireImagesOfChannel(const Context &       context,
                       const Geometry &      fixed,
                       const Geometry &      moving,
                       const ChannelImages & channel)
{
  RequireRegistrationGeometry("fixed image", channel.fixedGeometry);
  RequireRegistrationGeometry("moving image", channel.movingGeometry);
  for (const Grid & grid : { channel.fixedGeometry.grid, channel.movingGeometry.grid })
  {
    if (IsFlat(grid) != IsFlat(fixed.grid))
    {
      ThrowInvalid("the size of an image",
                   SizeText(grid),
                   std::string("that of ") + (IsFlat(fixed.grid) ? "one slice" : "several slices") +
                     ", as the first channel's, " + SizeText(fixed.grid) + ", is");
    }
  }
  RequireVolume("fixedImage", context, channel.fixedImage);
  RequireVolume("movingImage", context, channel.movingImage);
  RequireMask(context, channel.fixedMask);
  RequireMask(context, channel.movingMask);
  RequireTransform("fixed transform", fixed, channel.fixedTransform, channel.fixedGeometry);
  RequireTransform("moving transform", moving, channel.movingTransform, channel.movingGeometry);
}

} // namespace

void
RequireChannelParameters(const std::vector<ChannelParameters> & further)
{
  RequireNumberOfChannels("the number of channels", 1 + further.size());
  for (std::size_t i = 0; i < further.size(); ++i)
  {
    InChannel(i + 1, [&] { RequireParameters(further[i]); });
  }
}

void
RequireChannelWeight(double weightOfFirst, const std::vector<ChannelParameters> & further)
{
  if (!(SumOfWeights(weightOfFirst, further) > 0.0))
  {
    ThrowInvalid("ChannelWeight", weightOfFirst, "from above 0 where no other channel has a weight");
  }
}

void
RequireChannelImages(const Context &                    context,
                     std::size_t                        numberOfParameters,
                     const Geometry &                   fixed,
                     const Geometry &                   moving,
                     const std::vector<ChannelImages> & further)
{
  if (further.size() != numberOfParameters)
  {
    ThrowInvalid("the number of channels with images",
                 1 + further.size(),
                 "that of channels with parameters, " + std::to_string(1 + numberOfParameters));
  }
  for (std::size_t i = 0; i < further.size(); ++i)
  {
    InChannel(i + 1, [&] { RequireImagesOfChannel(context, fixed, moving, further[i]); });
  }
}

} // namespace cudaneuro
