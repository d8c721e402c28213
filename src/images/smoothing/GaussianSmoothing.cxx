// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/smoothing/GaussianSmoothing.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{

void
SmoothVolume(Context & context, const std::array<double, 3> & sigma, const VolumeSmoothing & smoothing)
{
  constexpr double      cutoff = 1e-6; // as a fraction of the peak, which cudaneuro/ImageOperations.h documents
  const GaussianWeights weights(sigma, cutoff);
  CUDANEURO_DISPATCH(context, SmoothVolume(context, weights, smoothing));
}

namespace
{

/** GaussianSmoothing with checked parameters, and sigma in voxels. */
void
SmoothOnDevice(Context &                     context,
               const std::array<double, 3> & sigma,
               Boundary                      boundary,
               const Grid &                  grid,
               const ConstVolume &           input,
               const Volume &                output)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.2);
  const FloatInput   source(context, grid, input);
  FloatOutput        result(context, grid, output);
  const DeviceMemory scratch = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
  progress.UpTo(0.8);
  SmoothVolume(
    context, sigma, { ExtentOf(grid), boundary, source.Data(), static_cast<float *>(scratch.Data()), result.Data() });
  progress.UpTo(1.0);
  result.Finish();
}

} // namespace

void
GaussianSmoothing(Context &                           context,
                  const GaussianSmoothingParameters & parameters,
                  const Grid &                        grid,
                  const ConstVolume &                 input,
                  const Volume &                      output)
{
  RequireImages(context, grid, input, ConstVolume(), output);
  RequireParameters(parameters, grid);
  std::array<double, 3> sigma = parameters.sigma;
  for (int axis = 0; axis < 3; ++axis)
  {
    sigma[axis] /= parameters.useImageSpacing ? grid.spacing[axis] : 1.0;
  }
  RunDeviceJob(context, [&] { SmoothOnDevice(context, sigma, parameters.boundary, grid, input, output); });
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
