// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/BuildConfiguration.h"
#include "fields/FieldChecks.h"
#include "images/ImageOperationsCpu.h"
#include "images/ImageOperationsGpu.h"
#include "images/ImagePrimitives.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{
namespace
{

/** Runs onGpu() or onCpu(), whichever the context's device is. */
template <typename TGpu, typename TCpu>
auto
OnDevice(Context & context, [[maybe_unused]] const TGpu & onGpu, const TCpu & onCpu)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return onGpu();
    }
  }
  return onCpu();
}

/** From derivatives along the axes of the grid, per voxel, to those along the axes of space, per mm. */
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

FloatInput
ReadVolume(Context & context, const Grid & grid, const ConstVolume & volume, double end)
{
  const Context::ProgressRange range(context, 0.0, end);
  return FloatInput(context, grid, volume);
}

/** ImageGradient of what has been checked. */
void
GradientOnDevice(Context & context, const Geometry & geometry, const ConstVolume & input, const Field & output)
{
  const FloatInput source = ReadVolume(context, geometry.grid, input, 0.3);
  Grid             components = geometry.grid;
  components.size[0] *= output.components;
  FloatOutput result(context, components, { output.data, PixelType::Float, output.space }, source.Data());
  {
    const Context::ProgressRange range(context, 0.3, 0.6);
    const auto                   run = [&](const auto & gradient) {
      gradient(
        context, ExtentOf(geometry.grid), GradientMatrix(geometry), source.Data(), output.components, result.Data());
    };
    OnDevice(
      context, [&] { run(gpu::ImageGradient); }, [&] { run(cpu::ImageGradient); });
  }
  const Context::ProgressRange range(context, 0.6, 1.0);
  result.Finish();
}

/** ShrinkImage of what has been checked. */
void
ShrinkOnDevice(Context &                  context,
               const Grid &               grid,
               const Grid &               shrunkGrid,
               const std::array<int, 3> & factors,
               const ConstVolume &        input,
               const Volume &             output)
{
  const FloatInput   source = ReadVolume(context, grid, input, 0.3);
  const std::size_t  bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float);
  const DeviceMemory smoothed = context.Allocate(bytes);
  {
    const DeviceMemory           scratch = context.Allocate(bytes);
    const Context::ProgressRange range(context, 0.3, 0.8);
    std::array<double, 3>        sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      sigma[axis] = factors[axis] > 1 ? 0.5 * factors[axis] : 0.0;
    }
    SmoothVolume(context,
                 ExtentOf(grid),
                 sigma,
                 Boundary::Repeat,
                 source.Data(),
                 static_cast<float *>(smoothed.Data()),
                 static_cast<float *>(scratch.Data()));
  }
  FloatOutput     result(context, shrunkGrid, output, input.data);
  const Shrinking shrinking{ ExtentOf(grid), ExtentOf(shrunkGrid), { factors[0], factors[1], factors[2] } };
  {
    const Context::ProgressRange range(context, 0.8, 0.9);
    const float * const          from = static_cast<const float *>(smoothed.Data());
    OnDevice(
      context,
      [&] { gpu::ShrinkVolume(context, shrinking, from, result.Data()); },
      [&] { cpu::ShrinkVolume(context, shrinking, from, result.Data()); });
  }
  const Context::ProgressRange range(context, 0.9, 1.0);
  result.Finish();
}

} // namespace

ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask)
{
  return OnDevice(
    context,
    [&] { return gpu::VolumeStatistics(context, numberOfVoxels, input, mask); },
    [&] { return cpu::VolumeStatistics(context, numberOfVoxels, input, mask); });
}

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

ImageStatistics
ComputeImageStatistics(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  ImageStatistics statistics;
  RunDeviceJob(context, [&] {
    const FloatInput source = ReadVolume(context, grid, input, 0.5);
    const MaskInput  inside = [&] {
      const Context::ProgressRange range(context, 0.5, 0.7);
      return MaskInput(context, grid, mask);
    }();
    const Context::ProgressRange range(context, 0.7, 1.0);
    statistics = VolumeStatistics(context, grid.NumberOfVoxels(), source.Data(), inside.Data());
  });
  context.ReportProgress(1.0);
  return statistics;
}

} // namespace cudaneuro
