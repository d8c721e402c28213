// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/NonLocalMeansLevelSetChecks.h"

#include "core/ParameterChecks.h"
#include "cudaneuro/NearestNeighbors.h"
#include "jobs/DeviceVolumes.h"

#include <cmath>

namespace cudaneuro
{

namespace
{

/** Scales of squared lengths. Squares of differences over them neither overflow nor become 0 in double precision. */
constexpr ParameterRange squaredLengthRange{ 1e-30, 1e30 };

/** The value of one voxel of a volume in memory of the context's device. */
float
ValueAt(Context & context, const float * distances, std::int64_t i)
{
  Grid one;
  one.size = { 1, 1, 1 };
  const MemorySpace space = MemorySpaceOf(context);
  float             value = 0.0f;
  CopyVolume(context, one, { distances + i, PixelType::Float, space }, { &value, PixelType::Float, MemorySpace::Host });
  return value;
}

} // namespace

void
RequireLevelSetParameters(const NonLocalMeansLevelSetParameters & parameters)
{
  if (parameters.bandWidth != 0.0)
  {
    RequireInRange("bandWidth", parameters.bandWidth, lengthRange);
  }
  if (parameters.patchSize != 3 && parameters.patchSize != 5 && parameters.patchSize != 7)
  {
    ThrowInvalid("patchSize", parameters.patchSize, "3, 5 or 7");
  }
  RequireInRange("numberOfNeighbors", parameters.numberOfNeighbors, { 1.0, 128.0 });
  const bool isInfinite = std::isinf(parameters.spatialScale) && parameters.spatialScale > 0.0;
  if (parameters.spatialScale != 0.0 && !isInfinite)
  {
    RequireInRange("spatialScale", parameters.spatialScale, squaredLengthRange);
  }
  if (parameters.similarityScale != 0.0)
  {
    RequireInRange("similarityScale", parameters.similarityScale, squaredLengthRange);
  }
  RequireInRange("numberOfIterations", parameters.numberOfIterations, { 1.0, 10000.0 });
  RequireInRange("numberOfPasses", parameters.numberOfPasses, { 1.0, 100.0 });
}

void
RequireThreeDimensions(const Grid & grid)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] < 2)
    {
      ThrowInvalid(
        "size[" + std::to_string(axis) + "]", grid.size[axis], "2 or greater: a level set has three dimensions");
    }
  }
}

void
RequireBand(Context & context, double bandWidth, const Grid & grid, const float * distances, const BandSurvey & survey)
{
  if (survey.firstInvalid != BandSurvey::noVoxel)
  {
    const BandVoxel    voxel = VoxelAt(ExtentOf(grid), survey.firstInvalid);
    std::ostringstream name;
    name << "the distance at voxel [" << voxel.x << ", " << voxel.y << ", " << voxel.z << "]";
    ThrowInvalid(name.str(), ValueAt(context, distances, survey.firstInvalid), "finite, and 1e15 or less in magnitude");
  }
  if (survey.smallest > survey.largest)
  {
    ThrowInvalid("the mask", "0 everywhere", "different from 0 somewhere");
  }
  const bool isWhole = static_cast<float>(bandWidth) >= survey.largestMagnitude;
  if (survey.bandVoxels == 0 || isWhole)
  {
    std::ostringstream limit;
    limit << "from " << survey.leastMagnitude << " to less than " << survey.largestMagnitude
          << ", or the band of the distances, which are from " << survey.smallest << " to " << survey.largest << ", "
          << (isWhole ? "is the whole image" : "has no voxel");
    ThrowInvalid("bandWidth", bandWidth, limit.str());
  }
  if (survey.bandVoxels > maximumNumberOfVectors)
  {
    ThrowInvalid(
      "the number of voxels of the band", survey.bandVoxels, std::to_string(maximumNumberOfVectors) + " or less");
  }
}

} // namespace cudaneuro
