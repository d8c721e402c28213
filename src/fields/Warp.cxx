// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/BuildConfiguration.h"
#include "core/ParameterChecks.h"
#include "fields/FieldChecks.h"
#include "fields/FieldPrimitives.h"
#include "fields/FieldVolumes.h"
#include "fields/WarpCpu.h"
#include "fields/WarpGpu.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

void
WarpVolume(Context &             context,
           Interpolation         interpolation,
           float                 defaultValue,
           const Extent &        inputExtent,
           const float *         input,
           const unsigned char * inputMask,
           const Extent &        outputExtent,
           const IndexMapping &  mapping,
           float *               output,
           unsigned char *       validity)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::WarpVolume(
        context, interpolation, defaultValue, inputExtent, input, inputMask, outputExtent, mapping, output, validity);
      return;
    }
  }
  cpu::WarpVolume(
    context, interpolation, defaultValue, inputExtent, input, inputMask, outputExtent, mapping, output, validity);
}

namespace
{

/** WarpImage of what has been checked. */
void
WarpOnDevice(Context &              context,
             const WarpParameters & parameters,
             const Geometry &       inputGeometry,
             const ConstVolume &    input,
             const ConstVolume &    inputMask,
             const Geometry &       outputGeometry,
             const AffineMap &      transform,
             const ConstField &     field,
             const Volume &         output)
{
  const FloatInput source = [&] {
    const Context::ProgressRange range(context, 0.0, 0.2);
    return FloatInput(context, inputGeometry.grid, input);
  }();
  const MaskInput mask = [&] {
    const Context::ProgressRange range(context, 0.2, 0.3);
    return MaskInput(context, inputGeometry.grid, inputMask);
  }();
  SoAFieldMemory planes;
  if (field.data)
  {
    const Context::ProgressRange range(context, 0.3, 0.5);
    planes = ReadField(context, outputGeometry, outputGeometry, field);
  }
  IndexMapping mapping;
  mapping.indexMap = Compose(Compose(PointToIndex(inputGeometry), transform), IndexToPoint(outputGeometry));
  mapping.field = planes.View();
  FloatOutput result(context, outputGeometry.grid, output, input.data);
  {
    const Context::ProgressRange range(context, 0.5, 0.9);
    WarpVolume(context,
               parameters.interpolation,
               static_cast<float>(parameters.defaultValue),
               ExtentOf(inputGeometry.grid),
               source.Data(),
               mask.Data(),
               ExtentOf(outputGeometry.grid),
               mapping,
               result.Data(),
               nullptr);
  }
  const Context::ProgressRange range(context, 0.9, 1.0);
  result.Finish();
}

} // namespace

void
WarpImage(Context &              context,
          const WarpParameters & parameters,
          const Geometry &       inputGeometry,
          const ConstVolume &    input,
          const ConstVolume &    inputMask,
          const Geometry &       outputGeometry,
          const AffineMap &      transform,
          const ConstField &     field,
          const Volume &         output)
{
  RequireGeometry("inputGeometry", inputGeometry);
  RequireGeometry("outputGeometry", outputGeometry);
  RequireVolume("input", context, input);
  RequireMask(context, inputMask);
  RequirePixelValue("defaultValue", parameters.defaultValue);
  RequireTransform("transform", transform);
  if (field.data)
  {
    RequireField("field", context, outputGeometry.grid, field);
  }
  RequireVolume("output", context, output);
  RunDeviceJob(context, [&] {
    WarpOnDevice(context, parameters, inputGeometry, input, inputMask, outputGeometry, transform, field, output);
  });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
