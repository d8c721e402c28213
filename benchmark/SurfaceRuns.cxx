// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceRuns.h"

#include "MemoryUse.h"
#include "SurfaceSteps.h"
#include "Timing.h"
#include "core/Dispatch.h"

#include <algorithm>
#include <iterator>

namespace cudaneuro::benchmark
{

namespace
{

constexpr const char * wholeName = "surface denoised, call";
constexpr const char * memoryName = "surface denoised, memory";

Size
SizeOf(std::int64_t bandVoxels)
{
  const NonLocalMeansLevelSetParameters parameters;
  const std::int64_t                    edge = parameters.patchSize;
  return { bandVoxels, edge * edge * edge, parameters.numberOfNeighbors };
}

bool
WantsAny(const Settings & settings)
{
  const auto wants = [&](SurfaceStep step) { return settings.wants(NameOf(step)); };
  return settings.wants(wholeName) || settings.wants(memoryName) ||
         std::any_of(std::begin(surfaceSteps), std::end(surfaceSteps), wants);
}

/** Reports the steps that are wanted.
 * \returns the time of the search for neighbors as a limit */
Floor
RunSteps(const Settings & settings, const Limits & limits, SurfaceCase & surface, const Size & size)
{
  Floor search;
  for (const SurfaceStepTime & time : TimeSurfaceSteps(settings, surface))
  {
    if (settings.wants(NameOf(time.step)))
    {
      const Floor floor = time.bytes > 0.0 ? Floor{ "copy rate", 1000.0 * time.bytes / limits.copyBytes } : Floor();
      settings.report({ NameOf(time.step), size, time.milliseconds, floor });
    }
    if (time.step == SurfaceStep::Neighbors)
    {
      search = { "search for neighbors", time.milliseconds };
    }
  }
  return search;
}

void
RunSurface(const Settings & settings, const Limits & limits, std::int64_t bandVoxels)
{
  if (!WantsAny(settings))
  {
    return;
  }
  SurfaceCase surface(settings.device, bandVoxels);
  const Size  size = SizeOf(surface.Denoise().bandVoxels);
  const Floor search = RunSteps(settings, limits, surface, size);
  if (settings.wants(wholeName))
  {
    const double milliseconds =
      MedianOfRuns(settings.repetition, [&] { return WallMilliseconds([&] { surface.Denoise(); }); });
    settings.report({ wholeName, size, milliseconds, search });
  }
  if constexpr (builtWithCuda)
  {
    if (settings.device.IsCuda() && settings.wants(memoryName))
    {
      settings.reportMemory({ memoryName, size, PeakDeviceBytes(settings.device, [&] { surface.Denoise(); }) });
    }
  }
}

} // namespace

void
RunSurfaces(const Settings & settings, const Limits & limits)
{
  if (settings.isQuick)
  {
    RunSurface(settings, limits, 1000);
    return;
  }
  RunSurface(settings, limits, 17500);
  if (settings.device.IsCuda()) // a CPU takes a hundred times the time of the smaller one
  {
    RunSurface(settings, limits, 175000);
    RunSurface(settings, limits, 1000000);
  }
}

} // namespace cudaneuro::benchmark
