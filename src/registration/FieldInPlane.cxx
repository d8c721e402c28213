// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/FieldInPlane.h"

#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"

#include <algorithm>

namespace cudaneuro
{

SoAFieldMemory
ReadFieldInPlane(Context & context, const std::string & name, const Geometry & geometry, const ConstField & field)
{
  SoAFieldMemory planes = ReadField(context, geometry, geometry, field);
  const Grid &   grid = geometry.grid;
  if (!IsFlat(grid) || field.components == 2)
  {
    return planes;
  }
  constexpr double      tolerance = 1e-3; // in voxels
  const ImageStatistics across = VolumeStatistics(context, grid.NumberOfVoxels(), planes.View().z, nullptr);
  const double          distance = grid.spacing[2] * std::max(across.maximum, -across.minimum);
  const double          largest = tolerance * std::min(grid.spacing[0], grid.spacing[1]);
  if (across.count > 0 && distance > largest)
  {
    std::ostringstream value;
    value << distance << " mm";
    std::ostringstream limit;
    limit << "0 to " << largest << " mm, as images of one slice are deformed in their plane";
    ThrowInvalid(
      "the largest displacement of the " + name + " out of the plane of the slice", value.str(), limit.str());
  }
  FillWithZeros(context, grid.NumberOfVoxels(), planes.View().z);
  return planes;
}

} // namespace cudaneuro
