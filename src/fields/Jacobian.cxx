// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Jacobian.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output)
{
  CUDANEURO_DISPATCH(context, JacobianDeterminant(context, extent, field, output));
}

JacobianResult
DisplacementFieldJacobianDeterminant(Context &          context,
                                     const Geometry &   geometry,
                                     const ConstField & field,
                                     const Volume &     output)
{
  RequireGeometry("geometry", geometry);
  RequireField("field", context, geometry.grid, field);
  if (output.data)
  {
    RequireVolume("output", context, output);
  }
  JacobianResult result;
  RunDeviceJob(context, [&] {
    // The determinant in voxels along the axes of the grid equals that in mm along the axes of space.
    Context::ProgressSteps progress(context);
    progress.UpTo(0.4);
    const SoAFieldMemory planes = ReadField(context, geometry, geometry, field);
    FloatOutput          determinants(context, geometry.grid, output);
    progress.UpTo(0.8);
    result = JacobianDeterminant(context, ExtentOf(geometry.grid), planes.View(), determinants.Data());
    progress.UpTo(1.0);
    determinants.Finish();
  });
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro
