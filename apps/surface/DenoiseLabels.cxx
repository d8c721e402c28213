// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceMethods.h"

namespace
{

DenoisedSurface
Denoise(cudaneuro::Context & context,
        const SurfaceOptions &,
        const SurfaceInput & input,
        std::size_t          item,
        PartSeconds &        seconds)
{
  cudaneuro::Context::ProgressSteps progress(context);
  DenoisedSurface                   surface;
  progress.UpTo(0.05);
  const Stopwatch finding;
  surface.before = input.MakeSteps(context, item);
  seconds.Add("surface", finding);
  progress.UpTo(1.0);
  const Stopwatch denoising;
  context.ResetStatistics();
  double noise = 0.0;
  surface.after = cudaneuro::LabelToSurface(context, input.MakeVoxels(item), &noise);
  surface.found["noise_mm"] = noise;
  seconds.Add("denoising", denoising);
  seconds.AddDevice(context);
  return surface;
}

void
Note(const SurfaceOptions &, Report & report)
{
  report.Set("/method", "labels");
  report.Set("/parameters", Report::Json::object());
}

} // namespace

SurfaceMethodFunctions
LabelsFunctions()
{
  return { Denoise, Note };
}
