// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/Warp.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

namespace
{

void
SampleVolume(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  CUDANEURO_DISPATCH(context, SampleVolume(context, warp, coefficients));
}

} // namespace

void
RequireMaskedInterpolation(Interpolation interpolation)
{
  if (!TakesMask(interpolation))
  {
    ThrowInvalid("Interpolation", interpolation, "Linear, Nearest or Label where voxels are left out by a mask");
  }
}

void
WarpVolume(Context & context, const VolumeWarp & warp)
{
  if (warp.inputMask != nullptr)
  {
    RequireMaskedInterpolation(warp.interpolation);
  }
  Context::ProgressSteps progress(context);
  SplineCoefficients     coefficients;
  if (warp.interpolation == Interpolation::CubicBSpline)
  {
    progress.UpTo(0.5);
    coefficients = MakeSplineCoefficients(context, warp.inputExtent, warp.input);
  }
  progress.UpTo(1.0);
  SampleVolume(context, warp, coefficients);
}

namespace
{

/** WarpImage with checked parameters. */
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
  Context::ProgressSteps progress(context);
  progress.UpTo(0.2);
  const FloatInput source(context, inputGeometry.grid, input);
  progress.UpTo(0.3);
  const MaskInput mask(context, inputGeometry.grid, inputMask);
  progress.UpTo(field.data ? 0.5 : 0.3);
  const FloatInput vectors(
    context, GridOfComponents(outputGeometry.grid, field.components), { field.data, PixelType::Float, field.space });
  FloatOutput     result(context, outputGeometry.grid, output, input.data);
  const AffineMap pointToInput = Compose(PointToIndex(inputGeometry), transform);
  VolumeWarp      warp;
  warp.inputExtent = ExtentOf(inputGeometry.grid);
  warp.input = source.Data();
  warp.inputMask = mask.Data();
  warp.outputExtent = ExtentOf(outputGeometry.grid);
  warp.mapping.indexMap = Compose(pointToInput, IndexToPoint(outputGeometry));
  warp.vectors = { vectors.Data(), MakeVectorMatrix(pointToInput.matrix), field.components };
  warp.interpolation = parameters.interpolation;
  warp.defaultValue = static_cast<float>(parameters.edgePaddingValue);
  warp.output = result.Data();
  progress.UpTo(0.9);
  WarpVolume(context, warp);
  progress.UpTo(1.0);
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
  RequireParameters(parameters);
  if (inputMask.data)
  {
    RequireMaskedInterpolation(parameters.interpolation);
  }
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
