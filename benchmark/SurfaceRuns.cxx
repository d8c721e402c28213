// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceRuns.h"

#include "MemoryUse.h"
#include "SurfaceSteps.h"
#include "Timing.h"
#include "core/Dispatch.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

std::vector<std::string>
StepNames()
{
  std::vector<std::string> names;
  for (const SurfaceStep step : surfaceSteps)
  {
    names.push_back(NameOf(step));
  }
  return names;
}

/** A surface, made by the first row that needs it, with the times of its steps. */
class LazySurface
{
public:
  LazySurface(const Device & device, std::int64_t bandVoxels)
    : m_Device(device)
    , m_BandVoxels(bandVoxels)
  {}

  SurfaceCase &
  Get()
  {
    if (!m_Surface)
    {
      auto surface = std::make_unique<SurfaceCase>(m_Device, m_BandVoxels);
      m_BandVoxels = surface->Denoise().bandVoxels;
      m_Surface = std::move(surface);
    }
    return *m_Surface;
  }

  const std::vector<SurfaceStepTime> &
  GetSteps(const Settings & settings)
  {
    if (m_Steps.empty())
    {
      m_Steps = TimeSurfaceSteps(settings, this->Get());
    }
    return m_Steps;
  }

  /** The size of its rows. Until there is a surface, it is that of the band that was asked for. */
  Size
  GetSize() const
  {
    return SizeOf(m_BandVoxels);
  }

private:
  Device                       m_Device;
  std::int64_t                 m_BandVoxels;
  std::unique_ptr<SurfaceCase> m_Surface;
  std::vector<SurfaceStepTime> m_Steps;
};

/** Reports the steps that are wanted. */
void
ReportSteps(const Settings & settings, const Limits & limits, LazySurface & surface)
{
  for (const SurfaceStepTime & time : surface.GetSteps(settings))
  {
    if (settings.wants(NameOf(time.step)))
    {
      const Floor floor = time.bytes > 0.0 ? Floor{ "copy rate", 1000.0 * time.bytes / limits.copyBytes } : Floor();
      settings.report({ NameOf(time.step), surface.GetSize(), time.milliseconds, floor, {} });
    }
  }
}

/** The limit of the whole: the time of the search for neighbors. */
Floor
SearchFloor(const std::vector<SurfaceStepTime> & steps)
{
  const auto search = std::find_if(
    steps.begin(), steps.end(), [](const SurfaceStepTime & time) { return time.step == SurfaceStep::Neighbors; });
  return search != steps.end() ? Floor{ "search for neighbors", search->milliseconds } : Floor();
}

void
RunSurface(const Settings & settings, const Limits & limits, std::int64_t bandVoxels)
{
  LazySurface surface(settings.device, bandVoxels);
  RunRows(settings, StepNames(), surface.GetSize(), [&] { ReportSteps(settings, limits, surface); });
  RunRow(settings, wholeName, surface.GetSize(), [&] {
    const Floor  search = SearchFloor(surface.GetSteps(settings));
    const double milliseconds =
      MedianOfRuns(settings.repetition, [&] { return WallMilliseconds([&] { surface.Get().Denoise(); }); });
    settings.report({ wholeName, surface.GetSize(), milliseconds, search, {} });
  });
  if constexpr (builtWithCuda)
  {
    if (settings.device.IsCuda())
    {
      RunRow(settings, memoryName, surface.GetSize(), [&] {
        SurfaceCase &     oneCase = surface.Get();
        const std::size_t bytes = PeakDeviceBytes(settings.device, [&] { oneCase.Denoise(); });
        settings.reportMemory({ memoryName, surface.GetSize(), bytes });
      });
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
