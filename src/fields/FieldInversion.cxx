// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldInversion.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"

#include <algorithm>

namespace cudaneuro
{

InversionResult
InvertField(Context &                   context,
            const InversionParameters & parameters,
            const Extent &              extent,
            const ConstSoAField &       field,
            const SoAField &            inverse)
{
  const FieldInversion inversion{
    extent, field, 1.0f, parameters.maximumNumberOfIterations, static_cast<float>(parameters.tolerance), inverse
  };
  CUDANEURO_DISPATCH(context, InvertField(context, inversion));
}

InversionResult
InverseResidual(Context &                     context,
                const Extent &                extent,
                const ConstSoAField &         field,
                const SoAField &              inverse,
                const std::array<double, 3> & spacing)
{
  // The first iterate is the given inverse, and the only one: it is written back unchanged.
  FieldInversion inversion{ extent, field, 1.0f, 1, 0.0f, inverse, true };
  std::transform(
    spacing.begin(), spacing.end(), inversion.spacing, [](double length) { return static_cast<float>(length); });
  CUDANEURO_DISPATCH(context, InvertField(context, inversion));
}

InversionResult
InvertDisplacementField(Context &                   context,
                        const InversionParameters & parameters,
                        const Geometry &            geometry,
                        const ConstField &          field,
                        const Field &               inverse)
{
  RequireParameters(parameters, geometry.grid);
  RequireGeometry("geometry", geometry);
  RequireField("field", context, geometry.grid, field);
  RequireField("inverse", context, geometry.grid, inverse);
  InversionResult result;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.2);
    const SoAFieldMemory planes = ReadField(context, geometry, geometry, field);
    const SoAFieldMemory inversePlanes(context, geometry.grid.NumberOfVoxels());
    progress.UpTo(0.8);
    result = InvertField(context, parameters, ExtentOf(geometry.grid), planes.View(), inversePlanes.View());
    progress.UpTo(1.0);
    WriteField(context, geometry, inversePlanes.View(), inverse);
  });
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro
