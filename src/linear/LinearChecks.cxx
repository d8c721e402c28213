// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearChecks.h"

#include "core/ParameterChecks.h"
#include "linear/LinearMetricChecks.h"

#include <sstream>
#include <string>
#include <utility>

namespace cudaneuro
{

namespace
{

void
RequireLevels(const std::vector<RegistrationLevel> & levels)
{
  if (levels.empty())
  {
    ThrowInvalid("the number of levels", 0, "1 or greater");
  }
  for (std::size_t index = 0; index < levels.size(); ++index)
  {
    const std::string name = "levels[" + std::to_string(index) + "]";
    RequireAtLeast((name + ".iterations").c_str(), levels[index].iterations, 0);
    for (int axis = 0; axis < 3; ++axis)
    {
      RequireAtLeast(
        (name + ".shrinkFactors[" + std::to_string(axis) + "]").c_str(), levels[index].shrinkFactors[axis], 1);
    }
  }
}

} // namespace

void
RequireLinearRegistrationParameters(const LinearRegistrationParameters & parameters)
{
  RequireLinearMetricParameters(parameters.metric);
  RequireLevels(parameters.levels);
  RequireInRange("searchAngle", parameters.searchAngle, { 0.0, 180.0 });
  RequireInRange("searchDistance", parameters.searchDistance, { 0.0, 1e6 });
  RequireInRange("convergenceThreshold", parameters.convergenceThreshold, { 1e-6, 1.0 });
  RequireInRange("minimumOverlap", parameters.minimumOverlap, { 0.0, 1.0 });
  RequireInRange("maximumScale", parameters.maximumScale, { 1.0, 1e6 });
  RequireInRange("maximumShear", parameters.maximumShear, { 0.0, 90.0 });
  RequireInRange("maximumRotation", parameters.maximumRotation, { 0.0, 180.0 });
  const bool isWeighted =
    parameters.voxelWeighting == VoxelWeighting::NearHead || parameters.voxelWeighting == VoxelWeighting::Depth;
  if (isWeighted && !TakesWeights(parameters.metric.metric))
  {
    std::ostringstream limit;
    limit << VoxelWeighting::Automatic << " or " << VoxelWeighting::Uniform << " with " << parameters.metric.metric;
    std::ostringstream weighting;
    weighting << parameters.voxelWeighting;
    ThrowInvalid("voxelWeighting", weighting.str(), limit.str());
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
                                  " are those of a metric; a registration makes its own, by voxelWeighting");
    }
  }
}

} // namespace cudaneuro
