// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LabelForces.h"

#include "core/CounterRandom.h"
#include "core/Dispatch.h"
#include "fields/FieldVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "registration/labels/PrepareLabels.h"

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

/** A position in the grid, whose edges are at -1 and 1 along each axis. */
using Place = std::array<float, 3>;

float
SquaredDistance(const Place & a, const Place & b)
{
  float sum = 0.0f;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  }
  return sum;
}

/** Returns centers of the regions; each region contains the points nearest to its center. */
std::vector<Place>
MakeCenters()
{
  std::vector<Place> centers;
  for (std::uint64_t i = 0; i + 1 < numberOfForceLabels; ++i)
  {
    Place center{};
    for (std::uint64_t axis = 0; axis < 3; ++axis)
    {
      center[axis] = static_cast<float>(1.6 * RandomUniform(54, 3 * i + axis) - 0.8);
    }
    centers.push_back(center);
  }
  return centers;
}

unsigned char
LabelAt(const std::vector<Place> & centers, const Place & p)
{
  Place bent = p;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bent[axis] += 0.05f * std::sin(40.0f * p[(axis + 1) % 3]);
  }
  if (SquaredDistance(bent, {}) > 0.81f)
  {
    return 0;
  }
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < centers.size(); ++i)
  {
    nearest = SquaredDistance(bent, centers[i]) < SquaredDistance(bent, centers[nearest]) ? i : nearest;
  }
  return static_cast<unsigned char>(nearest + 1);
}

std::vector<unsigned char>
MakeLabels(const Grid & grid)
{
  const std::vector<Place>   centers = MakeCenters();
  std::vector<unsigned char> labels(static_cast<std::size_t>(grid.NumberOfVoxels()));
  const auto                 at = [&grid](std::int64_t i, std::size_t axis) {
    return static_cast<float>(2 * i + 1) / static_cast<float>(grid.size[axis]) - 1.0f;
  };
  Context host{ Device() };
  host.ParallelFor(grid.size[2], [&](std::int64_t z) {
    auto i = static_cast<std::size_t>(z * grid.VoxelsPerPlane());
    for (std::int64_t y = 0; y < grid.size[1]; ++y)
    {
      for (std::int64_t x = 0; x < grid.size[0]; ++x, ++i)
      {
        labels[i] = LabelAt(centers, { at(x, 0), at(y, 1), at(z, 2) });
      }
    }
  });
  return labels;
}

/** Prepares the same labels for both heads, which differ by the map alone. */
PreparedLabels
Prepare(Context & context, const Geometry & geometry)
{
  const std::vector<unsigned char> labels = MakeLabels(geometry.grid);
  LabelPair                        pair;
  pair.fixedGeometry = geometry;
  pair.fixed = { labels.data(), PixelType::UnsignedChar, MemorySpace::Host };
  pair.movingGeometry = geometry;
  pair.moving = pair.fixed;
  LabelPlaces places;
  places.geometry = geometry;
  return PrepareLabels(context, pair, places);
}

void
Start(Context & context, const StepBuffers & buffers)
{
  CUDANEURO_DISPATCH(context, StartSteps(context, buffers));
}

/** Returns a function that computes the force once. The memory must outlive it. */
std::function<void()>
MakeForce(Context & context, const LabelTerm & term, const StepMemory & memory, bool isSymmetric, double * energy)
{
  const StepBuffers &       toMoving = memory.GetBuffers(0);
  const StepBuffers * const toFixed = isSymmetric ? &memory.GetBuffers(1) : nullptr;
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return [plan = gpu::MakeLabelPlan(context, term), &toMoving, toFixed, energy] {
        gpu::EnqueueLabelForce(*plan, toMoving, toFixed, energy);
      };
    }
  }
  return [plan = cpu::MakeLabelPlan(context, term), &toMoving, toFixed, energy] {
    cpu::EnqueueLabelForce(*plan, toMoving, toFixed, energy);
  };
}

} // namespace

double
TimeLabelForce(const Repetition & repetition, Context & context, const RegistrationPair & pair, bool isSymmetric)
{
  PreparedLabels            labels;
  SoAFieldMemory            toMoving;
  SoAFieldMemory            toFixed;
  std::optional<StepMemory> memory;
  const DeviceMemory        energy = context.Allocate(sizeof(double));
  std::function<void()>     force;
  RunDeviceJob(context, [&] {
    labels = Prepare(context, pair.geometry);
    toMoving = ReadField(context, pair.geometry, pair.geometry, pair.halfWay);
    toFixed = ReadField(context, pair.geometry, pair.geometry, pair.halfWayBack);
    memory.emplace(
      context,
      StepMemorySetting{ labels.extent, toMoving.View(), isSymmetric ? toFixed.View() : SoAField(), 1, true, {} });
    for (std::size_t side = 0; side < (isSymmetric ? 2 : 1); ++side)
    {
      Start(context, memory->GetBuffers(side));
    }
    LabelTerm term;
    term.labels = labels.View();
    term.bothMove = isSymmetric;
    // Forces are accumulated over the runs, and this weight keeps them finite.
    term.weight = 1e-6;
    force = MakeForce(context, term, *memory, isSymmetric, static_cast<double *>(energy.Data()));
  });
  // The force is repeated within a job, so that the start of the job does not count.
  const int    times = context.GetDevice().IsCuda() ? 10 : 1;
  const double milliseconds = MedianOnDevice(repetition, context, [&] {
    RunDeviceJob(context, [&] {
      for (int time = 0; time < times; ++time)
      {
        force();
      }
    });
  });
  return milliseconds / times;
}

} // namespace cudaneuro::benchmark
