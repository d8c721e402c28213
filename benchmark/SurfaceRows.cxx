// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "SurfaceSteps.h"

#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

Size
SizeOf(std::int64_t bandVoxels)
{
  const NonLocalMeansLevelSetParameters parameters;
  const std::int64_t                    edge = parameters.patchSize;
  return { bandVoxels, edge * edge * edge, parameters.numberOfNeighbors };
}

/** Adds the rows of a surface, whose band size is known after the first of them has denoised it. */
void
AddRows(Table & table, const Settings & settings, std::int64_t bandVoxels)
{
  const Lazy<SurfaceCase> surface([&settings, bandVoxels] { return SurfaceCase(settings.device, bandVoxels); });
  const Lazy<std::vector<SurfaceStep>> steps(
    [&settings, surface] { return TimeSurfaceSteps(settings, surface.Get()); });
  const auto sizeOfData = [surface] { return SizeOf(surface.Get().GetNumberOfBandVoxels()); };
  const auto add = [&](Row row) {
    row.size = SizeOf(bandVoxels);
    row.sizeOfData = sizeOfData;
    table.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < std::size(namesOfSurfaceSteps); ++i)
  {
    add({ namesOfSurfaceSteps[i],
          {},
          [steps, i](const Limits & limits) { return FloorOf("copy rate", steps.Get()[i].bytes, limits.copyBytes); },
          [steps, i] { return steps.Get()[i].milliseconds; } });
  }
  const auto search = [steps](const Limits &) {
    return Floor{ "search for neighbors", steps.Get()[indexOfNeighborSearch].milliseconds };
  };
  add({ "surface denoised, call", {}, search, [&settings, surface, steps] {
         steps.Get(); // measured before the whole, whose limit is one of the steps
         return MedianByTheClock(settings.repetition, [&] { surface.Get().Denoise(); });
       } });
  AddMemoryRow(
    table,
    settings,
    "surface denoised, memory",
    SizeOf(bandVoxels),
    [&settings, surface] {
      SurfaceCase & oneCase = surface.Get();
      return PeakDeviceBytes(settings.device, [&] { oneCase.Denoise(); });
    },
    sizeOfData);
}

} // namespace

Table
SurfaceRows(const Settings & settings)
{
  Table table;
  AddRows(table, settings, settings.isQuick ? 1000 : 17500);
  if (settings.device.IsCuda() && !settings.isQuick) // a CPU takes a hundred times the time of the smaller one
  {
    AddRows(table, settings, 175000);
    AddRows(table, settings, 1000000);
  }
  return table;
}

} // namespace cudaneuro::benchmark
