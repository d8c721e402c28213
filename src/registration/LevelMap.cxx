// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "fields/FieldComposition.h"
#include "fields/Jacobian.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "registration/FieldInPlane.h"
#include "registration/MapRepair.h"
#include "registration/RegistrationChecks.h"

namespace cudaneuro
{

namespace
{

bool
KeepsBound(const JacobianResult & jacobian, double minimumJacobian)
{
  return jacobian.numberOfFoldedVoxels == 0 && jacobian.minimum >= minimumJacobian;
}

/** Smooths the kinks of a field that was interpolated linearly from a coarser grid, at which the map may fold:
 * over half a coarse voxel, and again until the Jacobian determinant keeps its bound; remaining folds are
 * repaired.
 * \param ratio size of a coarse voxel in voxels of this grid
 * \returns the number of rounds of repair */
int
SmoothKinks(Context &                     context,
            const std::array<double, 3> & ratio,
            double                        minimumJacobian,
            const Extent &                extent,
            const SoAField &              field)
{
  std::array<double, 3> sigma{};
  for (int axis = 0; axis < 3; ++axis)
  {
    sigma[axis] = ratio[axis] > 1.0 ? 0.5 * ratio[axis] : 0.0;
  }
  const DeviceMemory scratch = AllocateFloats(context, NumberOfVoxels(extent));
  // To a coarser grid, nothing is smoothed.
  const int mostTimes = sigma == std::array<double, 3>{} ? 1 : 20;
  for (int time = 0; time < mostTimes; ++time)
  {
    for (float * const component : { field.x, field.y, field.z })
    {
      SmoothVolume(context, sigma, { extent, Boundary::Repeat, component, Floats(scratch), component });
    }
    if (KeepsBound(JacobianDeterminant(context, extent, field, nullptr), minimumJacobian))
    {
      return 0;
    }
  }
  return RepairMaps(context, extent, minimumJacobian, { field });
}

/** Resamples a displacement on the grid of \p map; an empty field stays empty. Counts its repair in \p map. */
SoAFieldMemory
MoveField(
  Context & context, const Geometry & from, double minimumJacobian, const SoAFieldMemory & field, LevelMap & map)
{
  if (field.View().x == nullptr)
  {
    return {};
  }
  const Geometry &      to = map.geometry;
  SoAFieldMemory        moved(context, to.grid.NumberOfVoxels());
  std::array<double, 3> scale{};
  for (int axis = 0; axis < 3; ++axis)
  {
    scale[axis] = from.grid.spacing[axis] / to.grid.spacing[axis];
  }
  const Extent extent = ExtentOf(to.grid);
  ResampleField(context,
                ExtentOf(from.grid),
                field.View(),
                Compose(PointToIndex(from), IndexToPoint(to)),
                scale,
                extent,
                moved.View());
  map.CountRepair(SmoothKinks(context, scale, minimumJacobian, extent, moved.View()));
  return moved;
}

LevelMap
MakeIdentity(const RegistrationRun & run)
{
  const auto zeros = [&run] {
    SoAFieldMemory memory(run.context, run.NumberOfVoxels());
    const SoAField field = memory.View();
    for (float * const component : { field.x, field.y, field.z })
    {
      FillWithZeros(run.context, run.NumberOfVoxels(), component);
    }
    return memory;
  };
  return { run.GetGeometry(), zeros(), run.parameters.isSymmetric ? zeros() : SoAFieldMemory() };
}

} // namespace

SoAFieldMemory
ReadInitialField(const RegistrationRun & run)
{
  return ReadFieldInPlane(run.context, "initial displacement field", run.GetGeometry(), run.images.initialField);
}

LevelMap
MakeInitialMap(const RegistrationRun & run)
{
  LevelMap map = MakeIdentity(run);
  if (run.images.initialField.data != nullptr)
  {
    map.displacement = ReadInitialField(run);
    const JacobianResult jacobian = JacobianDeterminant(run.context, run.GetExtent(), map.displacement.View(), nullptr);
    RequireNoFolds("initial displacement field", jacobian);
    RequireBound("initial displacement field", jacobian, run.parameters.jacobianBound);
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
  LevelMap moved{ geometry, {}, {}, {}, map.mendingRounds };
  moved.displacement = MoveField(context, map.geometry, minimumJacobian, map.displacement, moved);
  moved.toFixed = MoveField(context, map.geometry, minimumJacobian, map.toFixed, moved);
  map = std::move(moved);
}

} // namespace cudaneuro
