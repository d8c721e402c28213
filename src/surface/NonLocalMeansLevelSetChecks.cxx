// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/NonLocalMeansLevelSetChecks.h"

#include "core/ParameterChecks.h"
#include "cudaneuro/NearestNeighbors.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

namespace
{

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
    ThrowInvalid("BandWidth", bandWidth, limit.str());
  }
  if (survey.bandVoxels > maximumNumberOfVectors)
  {
    ThrowInvalid(
      "the number of voxels of the band", survey.bandVoxels, std::to_string(maximumNumberOfVectors) + " or less");
  }
}

} // namespace cudaneuro
