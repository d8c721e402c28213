// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/TermChecks.h"

#include "core/ParameterChecks.h"
#include "images/ChannelChecks.h"
#include "images/ChannelShares.h"
#include "images/ImageChecks.h"
#include "registration/PlacedPoints.h"
#include "registration/labels/PrepareLabels.h"

#include <cmath>
#include <map>
#include <sstream>

namespace cudaneuro
{

namespace
{

void
RequireSomething(const RegistrationParameters & parameters, const RegistrationImages & images)
{
  if (!images.HasImages() && images.points.IsEmpty() && images.labels.IsEmpty())
  {
    ThrowInvalid("the number of images, points and labels", 0, "1 or greater");
  }
  if (!images.HasImages() && !images.furtherChannels.empty())
  {
    ThrowInvalid("the number of further channels", images.furtherChannels.size(), "0 without a first channel");
  }
  double weight = images.HasImages() ? SumOfWeights(parameters.channelWeight, parameters.furtherChannels) : 0.0;
  weight += images.points.IsEmpty() ? 0.0 : parameters.pointWeight;
  weight += images.labels.IsEmpty() ? 0.0 : parameters.labelWeight;
  const bool isAlone = parameters.furtherChannels.empty() && images.points.IsEmpty() && images.labels.IsEmpty();
  if (!(weight > 0.0) && isAlone)
  {
    ThrowInvalid("ChannelWeight", weight, "greater than 0 without other channels, points and labels");
  }
  if (!(weight > 0.0))
  {
    ThrowInvalid("the sum of the weights of all channels, points and labels", weight, "greater than 0");
  }
}

std::string
TextOf(const std::array<double, 3> & point)
{
  std::ostringstream text;
  text << '(' << point[0] << ", " << point[1] << ", " << point[2] << ')';
  return text.str();
}

/** Requires points that are finite, distinct if \p mustDiffer, and at most half a voxel beyond the centers of the
 * grid's outermost voxels. */
void
RequirePointsOnGrid(const std::string & name, const PointList & points, const Geometry & geometry, bool mustDiffer)
{
  const PointList                              indices = Mapped(PointToIndex(geometry), points);
  std::map<std::array<double, 3>, std::size_t> seen;
  for (std::size_t k = 0; k < points.size(); ++k)
  {
    const std::string which = name + " point " + std::to_string(k + 1);
    for (int axis = 0; axis < 3; ++axis)
    {
      if (!std::isfinite(points[k][axis]))
      {
        ThrowInvalid(which, TextOf(points[k]), "finite");
      }
      const auto size = static_cast<double>(geometry.grid.size[axis]);
      // Rounding may move a point on the border slightly beyond it.
      if (indices[k][axis] < -0.501 || indices[k][axis] > size - 0.499)
      {
        ThrowInvalid(which,
                     TextOf(points[k]) + " mm, at index " + TextOf(indices[k]) + " of the " + name + " image",
                     "inside that image, whose indices go from 0 to the size less 1, " + SizeText(geometry.grid));
      }
    }
    const auto [first, isNew] = seen.insert({ points[k], k });
    if (mustDiffer && !isNew)
    {
      ThrowInvalid(which, TextOf(points[k]), "another than point " + std::to_string(first->second + 1));
    }
  }
}

void
RequirePoints(const RegistrationImages & images)
{
  const PointPairs & points = images.points;
  if (points.IsEmpty())
  {
    return;
  }
  if (points.fixed.size() != points.moving.size())
  {
    ThrowInvalid("the number of moving points",
                 points.moving.size(),
                 "that of fixed points, " + std::to_string(points.fixed.size()));
  }
  const std::size_t deviations = points.standardDeviations.size();
  if (deviations != 1 && deviations != points.fixed.size())
  {
    ThrowInvalid("the number of standard deviations of points",
                 deviations,
                 "1, or that of points, " + std::to_string(points.fixed.size()));
  }
  for (std::size_t k = 0; k < deviations; ++k)
  {
    RequireInRange(
      "the standard deviation of point " + std::to_string(k + 1), points.standardDeviations[k], lengthRange);
  }
  RequirePointsOnGrid("fixed", points.fixed, images.fixedGeometry, true);
  RequirePointsOnGrid("moving", points.moving, images.movingGeometry, false);
}

} // namespace

void
RequireTerms(const Context & context, const RegistrationParameters & parameters, const RegistrationImages & images)
{
  RequireSomething(parameters, images);
  RequireChannelImages(
    context, parameters.furtherChannels.size(), images.fixedGeometry, images.movingGeometry, images.furtherChannels);
  RequirePoints(images);
  RequireLabels(context, images.fixedGeometry.grid.size[2] == 1 ? 2 : 3, images.labels);
  Inverse(images.labels.fixedTransform);
  Inverse(images.labels.movingTransform);
}

} // namespace cudaneuro
