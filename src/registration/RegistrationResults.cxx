// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/FieldVolumes.h"
#include "fields/Jacobian.h"
#include "fields/warp/Warp.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

void
WriteWarped(const RegistrationRun & run, const PreparedImages & images, const LevelMap & map)
{
  IndexMapping mapping;
  mapping.indexMap = IndexMapBetween(run.GetGeometry(), run.images.transform, run.images.movingGeometry);
  mapping.field = map.displacement.View();
  SoAFieldMemory whole;
  if (images.transformField)
  {
    whole = SoAFieldMemory(run.context, run.NumberOfVoxels());
    ComposeFields(run.context, run.GetExtent(), map.displacement.View(), images.transformField->View(), whole.View());
    mapping.field = whole.View();
  }
  FloatOutput warped(run.context, run.GetGeometry().grid, run.outputs.warped, run.images.movingImage.data);
  WarpVolume(run.context,
             { ExtentOf(run.images.movingGeometry.grid),
               images.moving->Data(),
               images.inMoving->Mask(),
               run.GetExtent(),
               mapping,
               run.outputs.warping.interpolation,
               static_cast<float>(run.outputs.warping.edgePaddingValue),
               warped.Data() });
  warped.Finish();
}

/** Measures the inverse error both ways. Interpolation leaves an error where the map or its inverse bends within a
 * voxel, which can be large one way and small the other way. */
void
MeasureInverse(const RegistrationRun & run,
               const SoAField &        field,
               const SoAField &        inverse,
               RegistrationResult &    result)
{
  const std::array<double, 3> & spacing = run.GetGeometry().grid.spacing;
  const InversionResult         there = InverseResidual(run.context, run.GetExtent(), field, inverse, spacing);
  const InversionResult         back = InverseResidual(run.context, run.GetExtent(), inverse, field, spacing);
  result.meanInverseError = 0.5 * (there.meanResidual + back.meanResidual);
  result.maximumInverseError = std::max(there.maximumResidual, back.maximumResidual);
}

} // namespace

void
WriteFields(const RegistrationRun & run, const LevelMap & map, RegistrationResult & result)
{
  const SoAField field = map.displacement.View();
  if (run.outputs.displacement.data != nullptr)
  {
    WriteField(run.context, run.GetGeometry(), field, run.outputs.displacement);
    result.hasField = true;
  }
  SoAFieldMemory inverse = map.inverse;
  if (inverse.View().x == nullptr && run.outputs.inverse.data != nullptr)
  {
    inverse = SoAFieldMemory(run.context, run.NumberOfVoxels());
    result.inversion = InvertMap(run.context, run.parameters.inversion, run.GetExtent(), field, inverse.View());
  }
  if (inverse.View().x == nullptr)
  {
    return;
  }
  if (run.outputs.inverse.data != nullptr)
  {
    WriteField(run.context, run.GetGeometry(), inverse.View(), run.outputs.inverse);
  }
  MeasureInverse(run, field, inverse.View(), result);
}

void
WriteResults(const RegistrationRun & run,
             const PreparedImages &  images,
             const LevelMap &        map,
             RegistrationResult &    result)
{
  Context::ProgressSteps progress(run.context);
  progress.UpTo(0.3);
  progress.UpTo(0.3); // several steps, each of which reports from 0 to 1
  WriteFields(run, map, result);
  progress.UpTo(0.6);
  progress.UpTo(0.8);
  {
    FloatOutput jacobian(run.context, run.GetGeometry().grid, run.outputs.jacobian);
    result.jacobian = JacobianDeterminant(run.context, run.GetExtent(), map.displacement.View(), jacobian.Data());
    jacobian.Finish();
  }
  if (run.outputs.warped.data != nullptr)
  {
    progress.UpTo(1.0);
    WriteWarped(run, images, map);
  }
}

} // namespace cudaneuro
