// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageOperations.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{
namespace
{

void
ComputeGradient(Context & context, const VolumeGradient & gradient)
{
  CUDANEURO_DISPATCH(context, ComputeGradient(context, gradient));
}

void
ShrinkVolume(Context & context, const Shrinking & shrinking, const float * input, float * output)
{
  CUDANEURO_DISPATCH(context, ShrinkVolume(context, shrinking, input, output));
}

/** Returns the matrix from derivatives per voxel along the axes of the grid to those per mm along the axes of space. */
VectorMatrix
GradientMatrix(const Geometry & geometry)
{
  const std::array<double, 9> toIndex = PointToIndex(geometry).matrix;
  std::array<double, 9>       transposed{};
  for (int entry = 0; entry < 9; ++entry)
  {
    transposed[entry] = toIndex[entry % 3 * 3 + entry / 3];
  }
  return MakeVectorMatrix(transposed);
}

/** ImageGradient with checked parameters. */
void
GradientOnDevice(Context & context, const Geometry & geometry, const ConstVolume & input, const Field & output)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.3);
  const FloatInput source(context, geometry.grid, input);
  Grid             components = geometry.grid;
  components.size[0] *= output.components;
  FloatOutput result(context, components, { output.data, PixelType::Float, output.space }, source.Data());
  progress.UpTo(0.6);
  ComputeGradient(
    context, { ExtentOf(geometry.grid), GradientMatrix(geometry), source.Data(), output.components, result.Data() });
  progress.UpTo(1.0);
  result.Finish();
}

/** ShrinkImage with checked parameters. */
void
ShrinkOnDevice(Context &                  context,
               const Grid &               grid,
               const Grid &               shrunkGrid,
               const std::array<int, 3> & factors,
               const ConstVolume &        input,
               const Volume &             output)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.3);
  const FloatInput   source(context, grid, input);
  const std::size_t  bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float);
  const DeviceMemory smoothed = context.Allocate(bytes);
  {
    progress.UpTo(0.8);
    const DeviceMemory    scratch = context.Allocate(bytes);
    std::array<double, 3> sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      sigma[axis] = factors[axis] > 1 ? 0.5 * factors[axis] : 0.0;
    }
    SmoothVolume(context,
                 sigma,
                 { ExtentOf(grid),
                   Boundary::Repeat,
                   source.Data(),
                   static_cast<float *>(scratch.Data()),
                   static_cast<float *>(smoothed.Data()) });
  }
  FloatOutput     result(context, shrunkGrid, output, input.data);
  const Shrinking shrinking{ ExtentOf(grid), ExtentOf(shrunkGrid), { factors[0], factors[1], factors[2] } };
  progress.UpTo(0.9);
  ShrinkVolume(context, shrinking, static_cast<const float *>(smoothed.Data()), result.Data());
  progress.UpTo(1.0);
  result.Finish();
}

} // namespace

void
ImageGradient(Context & context, const Geometry & geometry, const ConstVolume & input, const Field & output)
{
  RequireGeometry("geometry", geometry);
  RequireVolume("input", context, input);
  RequireField("output", context, geometry.grid, output);
  RunDeviceJob(context, [&] { GradientOnDevice(context, geometry, input, output); });
  context.ReportProgress(1.0);
}

void
ShrinkImage(Context &                  context,
            const Geometry &           geometry,
            const std::array<int, 3> & factors,
            const ConstVolume &        input,
            const Volume &             output)
{
  RequireGeometry("geometry", geometry);
  RequireVolume("input", context, input);
  RequireVolume("output", context, output);
  const Geometry     shrunk = ShrunkGeometry(geometry, factors);
  std::array<int, 3> factorsInUse = factors;
  for (int axis = 0; axis < 3; ++axis)
  {
    factorsInUse[axis] = geometry.grid.size[axis] > 1 ? factors[axis] : 1;
  }
  RunDeviceJob(context, [&] { ShrinkOnDevice(context, geometry.grid, shrunk.grid, factorsInUse, input, output); });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
