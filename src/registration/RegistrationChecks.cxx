// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationChecks.h"

#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "cudaneuro/Error.h"
#include "fields/warp/Warp.h"
#include "images/ChannelChecks.h"
#include "images/ImageChecks.h"
#include "images/ImageStatistics.h"
#include "registration/TermChecks.h"

#include <sstream>

namespace cudaneuro
{

namespace
{

/** Requires shrink factors smaller than the image along each axis. */
void
RequireSmallFactors(const std::vector<RegistrationLevel> & levels, const Grid & grid)
{
  for (const RegistrationLevel & level : levels)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      if (grid.size[axis] > 1 && level.shrinkFactors[axis] >= grid.size[axis])
      {
        ThrowInvalid("ShrinkFactors",
                     level.shrinkFactors[axis],
                     "below the size of the fixed image, " + std::to_string(grid.size[axis]));
      }
    }
  }
}

void
RequireNoMatching(RegistrationMetric metric, bool matchIntensities)
{
  if (metric != RegistrationMetric::MeanSquares && matchIntensities)
  {
    std::ostringstream limit;
    limit << "false for the metric " << metric << ", which needs no matching";
    ThrowInvalid("MatchIntensities", "true", limit.str());
  }
}

void
RequireOneOfEachLevel(const RegistrationParameters & parameters)
{
  const std::size_t count = parameters.updateFieldStandardDeviationsPerLevel.size();
  if (parameters.velocityMethod == VelocityMethod::Gaussian && count != 0 && count != parameters.levels.size())
  {
    ThrowInvalid("the number of values of UpdateFieldStandardDeviationsPerLevel",
                 count,
                 "that of the levels, " + std::to_string(parameters.levels.size()) + ", or 0");
  }
}

} // namespace

void
RequireField(const std::string & name, const Context & context, const Grid & grid, const ConstField & field)
{
  if (field.data == nullptr)
  {
    return;
  }
  const unsigned int components = field.components;
  if (components != 3 && !(components == 2 && grid.size[2] == 1))
  {
    ThrowInvalid("the number of components of the " + name, components, "3, or 2 for a 2D grid");
  }
  if (field.space == MemorySpace::Device && !context.GetDevice().IsCuda())
  {
    ThrowInvalid("the memory of the " + name, "on a device", "on the host for a computation on the CPU");
  }
}

void
RequireRegistrationParameters(const RegistrationParameters & parameters, const Grid & fixedGrid)
{
  RequireGrid(fixedGrid);
  RequireLevels(parameters.levels);
  RequireSmallFactors(parameters.levels, fixedGrid);
  RequireParameters(parameters, fixedGrid);
  RequireParameters(parameters.inversion, fixedGrid);
  RequireOneOfEachLevel(parameters);
  if (parameters.velocityMethod == VelocityMethod::SuccessiveOverRelaxation && parameters.beta != 0.0)
  {
    ThrowInvalid("Beta", parameters.beta, "0 with SuccessiveOverRelaxation; FourierTransform takes others");
  }
  if (parameters.useDeformedGradient && parameters.unbiasedWeight > 0.0)
  {
    ThrowInvalid("UnbiasedWeight", parameters.unbiasedWeight, "0 with the gradient of the deformed image");
  }
  RequireNoMatching(parameters.metric, parameters.matchIntensities);
  RequireChannelParameters(parameters.furtherChannels);
  for (std::size_t index = 0; index < parameters.furtherChannels.size(); ++index)
  {
    const ChannelParameters & channel = parameters.furtherChannels[index];
    InChannel(index + 1, [&] { RequireNoMatching(channel.metric, channel.matchIntensities); });
  }
}

void
RequireRegistrationImages(const Context &                context,
                          const RegistrationParameters & parameters,
                          const RegistrationImages &     images)
{
  RequireGrid(images.movingGeometry.grid);
  RequireRegistrationGrid("fixed image", images.fixedGeometry.grid);
  RequireSameDimension(images.fixedGeometry.grid, images.movingGeometry.grid);
  RequireTerms(context, parameters, images);
  if (images.HasImages())
  {
    RequireVolume("fixedImage", context, images.fixedImage);
    RequireVolume("movingImage", context, images.movingImage);
  }
  RequireMask(context, images.fixedMask);
  RequireMask(context, images.movingMask);
  const Grid & grid = images.fixedGeometry.grid;
  RequireField("field of the initial transform", context, grid, images.transformField);
  RequireField("initial displacement field", context, grid, images.initialField);
  Inverse(images.transform);
  for (const Geometry & geometry : { images.fixedGeometry, images.movingGeometry })
  {
    PointToIndex(geometry);
  }
  RequireInSlice("the initial transform", images.fixedGeometry, images.transform, images.movingGeometry);
}

void
RequireRegistrationOutputs(const Context &             context,
                           const RegistrationImages &  images,
                           const RegistrationOutputs & outputs)
{
  const Grid & grid = images.fixedGeometry.grid;
  const auto   asConst = [](const Field & field) { return ConstField{ field.data, field.components, field.space }; };
  RequireField("displacement field", context, grid, asConst(outputs.displacement));
  RequireField("inverse displacement field", context, grid, asConst(outputs.inverse));
  if (outputs.warped.data != nullptr)
  {
    if (!images.HasImages())
    {
      ThrowInvalid("the warped image", "wanted", "absent where there is no moving image");
    }
    RequireVolume("warped", context, outputs.warped);
    RequireParameters(outputs.warping);
    // The mask excludes voxels that are not finite, or outside the caller's mask.
    RequireMaskedInterpolation(outputs.warping.interpolation);
  }
  if (outputs.jacobian.data != nullptr)
  {
    RequireVolume("jacobian", context, outputs.jacobian);
  }
}

void
RequireOverlap(const std::string & suffix, std::int64_t numberOfSharedVoxels)
{
  if (numberOfSharedVoxels == 0)
  {
    ThrowInvalid("the number of voxels of the fixed image" + suffix +
                   " where the moving image has a value, seen through the initial transform and the masks,",
                 0,
                 "1 or greater: the images do not overlap");
  }
}

void
RequireContrast(const std::string & name, const ImageStatistics & inOverlap)
{
  if (!(inOverlap.maximum > inOverlap.minimum))
  {
    ThrowInvalid("the intensity of the " + name + " where the images overlap", inOverlap.minimum, "not constant");
  }
}

void
RequireNoFolds(const std::string & name, const JacobianResult & jacobian)
{
  if (jacobian.numberOfFoldedVoxels > 0)
  {
    std::ostringstream limit;
    limit << "0: it must not fold (its least Jacobian determinant is " << jacobian.minimum << ")";
    ThrowInvalid("the number of folded voxels of the " + name, jacobian.numberOfFoldedVoxels, limit.str());
  }
}

void
RequireBound(const std::string & name, const JacobianResult & jacobian, double minimumJacobian)
{
  if (jacobian.minimum < minimumJacobian)
  {
    std::ostringstream limit;
    limit << "JacobianBound, " << minimumJacobian << ", or greater";
    ThrowInvalid("the least Jacobian determinant of the " + name, jacobian.minimum, limit.str());
  }
}

} // namespace cudaneuro
