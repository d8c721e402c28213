// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearChecks.h"

#include "core/ParameterChecks.h"
#include "images/ChannelChecks.h"
#include "linear/LinearMetricChecks.h"

#include <sstream>
#include <string>
#include <utility>

namespace cudaneuro
{

namespace
{

/** Requires that no channel matches intensities, which only deformable registrations do. */
void
RequireNoMatching(const std::vector<ChannelParameters> & channels)
{
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    if (channels[i].matchIntensities)
    {
      InChannel(i + 1, [] { ThrowInvalid("MatchIntensities", "on", "off in a linear registration"); });
    }
  }
}

} // namespace

void
RequireLinearRegistrationParameters(const LinearRegistrationParameters & parameters)
{
  RequireLinearMetricParameters(parameters.metric);
  RequireLevels(parameters.levels);
  RequireParameters(parameters, Grid());
  RequireChannelParameters(parameters.furtherChannels);
  RequireChannelWeight(parameters.channelWeight, parameters.furtherChannels);
  RequireNoMatching(parameters.furtherChannels);
  const bool isWeighted =
    parameters.voxelWeighting == VoxelWeighting::NearHead || parameters.voxelWeighting == VoxelWeighting::Depth;
  if (isWeighted && !TakesWeights(parameters.metric.metric))
  {
    std::ostringstream limit;
    limit << VoxelWeighting::Automatic << " or " << VoxelWeighting::Uniform << " with " << parameters.metric.metric;
    std::ostringstream weighting;
    weighting << parameters.voxelWeighting;
    ThrowInvalid("VoxelWeighting", weighting.str(), limit.str());
  }
}

void
RequireInitialTransform(const AffineMap & transform, LinearStart start, const std::optional<PlaneFrames> & planes)
{
  try
  {
    RequireMap(transform, start == LinearStart::InitialTransform ? planes : std::nullopt);
    Inverse(transform);
  }
  catch (const InvalidParameterError & error)
  {
    throw InvalidParameterError(std::string("the initial transform cannot be used: ") + error.what());
  }
}

void
RequireNoWeights(const LinearMetricImages & images)
{
  for (const auto & [name, weights] :
       { std::pair{ "fixedWeights", images.fixedWeights }, std::pair{ "movingWeights", images.movingWeights } })
  {
    if (weights.data != nullptr)
    {
      throw InvalidParameterError(std::string(name) +
                                  " are those of a metric; a registration makes its own, by VoxelWeighting");
    }
  }
}

} // namespace cudaneuro
