// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceMethods.h"

namespace
{

DenoisedSurface
Denoise(cudaneuro::Context &   context,
        const SurfaceOptions & options,
        const SurfaceInput &   input,
        std::size_t,
        PartSeconds & seconds)
{
  const Stopwatch denoising;
  context.ResetStatistics();
  cudaneuro::MeshDenoisingParameters parameters;
  parameters.noise = options.noise.value_or(0.0);
  cudaneuro::MeshDenoisingResult result;
  DenoisedSurface                surface;
  surface.before = input.GetSurface();
  surface.after = cudaneuro::DenoiseSurface(context, parameters, surface.before, &result);
  surface.isClosed = result.borderEdges == 0;
  surface.found["noise_mm"] = result.noise;
  surface.found["mean_edge_mm"] = result.meanEdgeLength;
  surface.found["border_edges"] = result.borderEdges;
  surface.found["has_flat_faces"] = result.hasFlatFaces;
  seconds.Add("denoising", denoising);
  seconds.AddDevice(context);
  if (result.hasFlatFaces)
  {
    PrintWarning(options.input +
                 " has the flat faces of a construction, which noise would not have left flat, and stays "
                 "as it is; --noise, in mm, denoises it all the same");
  }
  if (!surface.isClosed)
  {
    PrintWarning(options.input + " is open, and stays so: " + std::to_string(result.borderEdges) +
                 (result.borderEdges == 1 ? " edge has" : " edges have") + " one triangle");
  }
  return surface;
}

void
Note(const SurfaceOptions & options, Report & report)
{
  report.Set("/method", "normals");
  options.noise ? report.Set("/parameters/noise", *options.noise) : report.Set("/parameters/noise", "auto");
}

} // namespace

SurfaceMethodFunctions
NormalsFunctions()
{
  return { Denoise, Note };
}
