// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "cudaneuro/Error.h"
#include "fields/FieldComposition.h"
#include "fields/FieldVolumes.h"
#include "fields/Jacobian.h"
#include "images/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "registration/RegistrationChecks.h"

#include <sstream>

namespace cudaneuro
{

namespace
{

bool
KeepsBound(const JacobianResult & jacobian, double minimumJacobian)
{
  return jacobian.numberOfFoldedVoxels == 0 && jacobian.minimum >= minimumJacobian;
}

/** Smooths the kinks that linear interpolation of a coarser grid's field has, in which the map may fold: over half a
 * coarse voxel, and again until the Jacobian determinant keeps its bound. A coarse voxel is \p ratio voxels of this
 * grid. */
void
SmoothKinks(Context & context, const std::array<double, 3> & ratio, double minimumJacobian, const LevelMap & map)
{
  std::array<double, 3> sigma{};
  for (int axis = 0; axis < 3; ++axis)
  {
    sigma[axis] = ratio[axis] > 1.0 ? 0.5 * ratio[axis] : 0.0;
  }
  const Extent       extent = ExtentOf(map.geometry.grid);
  const SoAField     field = map.displacement.View();
  const DeviceMemory scratch = AllocateFloats(context, NumberOfVoxels(extent));
  constexpr int      mostTimes = 20;
  for (int time = 0; time < mostTimes; ++time)
  {
    for (float * const component : { field.x, field.y, field.z })
    {
      SmoothVolume(context, sigma, { extent, Boundary::Repeat, component, Floats(scratch), component });
    }
    if (KeepsBound(JacobianDeterminant(context, extent, field, nullptr), minimumJacobian))
    {
      return;
    }
  }
  std::ostringstream message;
  message << "the map of a coarser level has a Jacobian determinant below minimumJacobian, " << minimumJacobian
          << ", on the next one; fewer levels, more smoothing or a lower bound avoid that";
  throw Error("Register", message.str());
}

} // namespace

LevelMap
MakeInitialMap(const RegistrationRun & run)
{
  const Geometry & geometry = run.GetGeometry();
  if (run.images.initialField.data != nullptr)
  {
    LevelMap             map{ geometry, ReadField(run.context, geometry, geometry, run.images.initialField) };
    const JacobianResult jacobian = JacobianDeterminant(run.context, run.GetExtent(), map.displacement.View(), nullptr);
    RequireNoFolds("initial displacement field", jacobian);
    RequireBound("initial displacement field", jacobian, run.parameters.minimumJacobian);
    return map;
  }
  LevelMap       map{ geometry, SoAFieldMemory(run.context, run.NumberOfVoxels()) };
  const SoAField displacement = map.displacement.View();
  for (float * const component : { displacement.x, displacement.y, displacement.z })
  {
    FillWithZeros(run.context, run.NumberOfVoxels(), component);
  }
  return map;
}

void
MoveMap(Context & context, const Geometry & geometry, double minimumJacobian, LevelMap & map)
{
  if (IsSameGeometry(geometry, map.geometry))
  {
    return;
  }
  const std::int64_t    voxels = geometry.grid.NumberOfVoxels();
  SoAFieldMemory        moved(context, voxels);
  std::array<double, 3> scale{};
  for (int axis = 0; axis < 3; ++axis)
  {
    scale[axis] = map.geometry.grid.spacing[axis] / geometry.grid.spacing[axis];
  }
  ResampleField(context,
                ExtentOf(map.geometry.grid),
                map.displacement.View(),
                Compose(PointToIndex(map.geometry), IndexToPoint(geometry)),
                scale,
                ExtentOf(geometry.grid),
                moved.View());
  map.displacement = std::move(moved);
  map.geometry = geometry;
  SmoothKinks(context, scale, minimumJacobian, map);
}

} // namespace cudaneuro
