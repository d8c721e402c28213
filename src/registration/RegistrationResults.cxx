// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationRun.h"

#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/FieldVolumes.h"
#include "fields/Jacobian.h"
#include "fields/Warp.h"

namespace cudaneuro
{

namespace
{

void
WriteWarped(const RegistrationRun & run, const PreparedImages & images, const LevelMap & map)
{
  IndexMapping mapping;
  mapping.indexMap = run.FixedToMovingIndex();
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
               nullptr,
               run.GetExtent(),
               mapping,
               Interpolation::Linear,
               0.0f,
               warped.Data() });
  warped.Finish();
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
  if (run.outputs.inverse.data != nullptr && map.inverse.View().x != nullptr)
  {
    WriteField(run.context, run.GetGeometry(), map.inverse.View(), run.outputs.inverse);
  }
  else if (run.outputs.inverse.data != nullptr)
  {
    const SoAFieldMemory inverse(run.context, run.NumberOfVoxels());
    result.inversion = InvertField(run.context, run.parameters.inversion, run.GetExtent(), field, inverse.View());
    WriteField(run.context, run.GetGeometry(), inverse.View(), run.outputs.inverse);
  }
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
