// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldComposition.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"

namespace cudaneuro
{

void
ComposeFields(Context & context, const FieldComposition & composition)
{
  CUDANEURO_DISPATCH(context, ComposeFields(context, composition));
}

void
ComposeFields(Context &             context,
              const Extent &        extent,
              const ConstSoAField & first,
              const ConstSoAField & second,
              const SoAField &      output)
{
  FieldComposition composition;
  composition.extent = extent;
  composition.first = first;
  composition.secondExtent = extent;
  composition.second = second;
  composition.isSameGrid = true;
  composition.output = output;
  ComposeFields(context, composition);
}

void
ResampleField(Context &                     context,
              const Extent &                inputExtent,
              const ConstSoAField &         input,
              const AffineMap &             indexMap,
              const std::array<double, 3> & scale,
              const Extent &                outputExtent,
              const SoAField &              output)
{
  FieldComposition composition;
  composition.extent = outputExtent;
  composition.secondExtent = inputExtent;
  composition.second = input;
  composition.transform = MakeIndexTransform(indexMap);
  for (int axis = 0; axis < 3; ++axis)
  {
    composition.scale[axis] = static_cast<float>(scale[axis]);
  }
  composition.output = output;
  ComposeFields(context, composition);
}

namespace
{

/** ComposeDisplacementFields with checked parameters; a first field without data is 0. */
void
ComposeOnDevice(Context &          context,
                const Geometry &   geometry,
                const ConstField & first,
                const Geometry &   geometryOfSecond,
                const ConstField & second,
                const Field &      output)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.2);
  const SoAFieldMemory firstPlanes = first.data ? ReadField(context, geometry, geometry, first) : SoAFieldMemory();
  progress.UpTo(0.4);
  const SoAFieldMemory secondPlanes = ReadField(context, geometryOfSecond, geometry, second);
  const SoAFieldMemory outputPlanes(context, geometry.grid.NumberOfVoxels());

  FieldComposition composition;
  composition.extent = ExtentOf(geometry.grid);
  composition.first = firstPlanes.View();
  composition.secondExtent = ExtentOf(geometryOfSecond.grid);
  composition.second = secondPlanes.View();
  composition.isSameGrid = IsSameGeometry(geometry, geometryOfSecond);
  composition.transform = MakeIndexTransform(Compose(PointToIndex(geometryOfSecond), IndexToPoint(geometry)));
  composition.output = outputPlanes.View();
  progress.UpTo(0.8);
  ComposeFields(context, composition);
  progress.UpTo(1.0);
  WriteField(context, geometry, outputPlanes.View(), output);
}

} // namespace

void
ComposeDisplacementFields(Context &          context,
                          const Geometry &   geometry,
                          const ConstField & first,
                          const Geometry &   geometryOfSecond,
                          const ConstField & second,
                          const Field &      output)
{
  RequireGeometry("geometry", geometry);
  RequireGeometry("geometryOfSecond", geometryOfSecond);
  RequireField("first", context, geometry.grid, first);
  RequireField("second", context, geometryOfSecond.grid, second);
  RequireField("output", context, geometry.grid, output);
  RunDeviceJob(context, [&] { ComposeOnDevice(context, geometry, first, geometryOfSecond, second, output); });
  context.ReportProgress(1.0);
}

void
ResampleDisplacementField(Context &          context,
                          const Geometry &   inputGeometry,
                          const ConstField & input,
                          const Geometry &   outputGeometry,
                          const Field &      output)
{
  RequireGeometry("inputGeometry", inputGeometry);
  RequireGeometry("outputGeometry", outputGeometry);
  RequireField("input", context, inputGeometry.grid, input);
  RequireField("output", context, outputGeometry.grid, output);
  RunDeviceJob(context, [&] { ComposeOnDevice(context, outputGeometry, {}, inputGeometry, input, output); });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
