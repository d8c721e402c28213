// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceSteps_h
#define SurfaceSteps_h

#include "Benchmark.h"
#include "SurfaceCase.h"

#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

/** The steps of a pass in their order. */
enum class SurfaceStep
{
  Band,
  Patches,
  Neighbors,
  Weights,
  Diffusion,
  Volume
};

std::string
NameOf(SurfaceStep step);

constexpr SurfaceStep surfaceSteps[] = { SurfaceStep::Band,    SurfaceStep::Patches,   SurfaceStep::Neighbors,
                                         SurfaceStep::Weights, SurfaceStep::Diffusion, SurfaceStep::Volume };

struct SurfaceStepTime
{
  SurfaceStep step;
  double      milliseconds;
  /** Bytes if each array is moved once; 0 where that is not the limit. */
  double bytes;
};

/** Times the steps of a pass one by one: on the device, or by the clock on the CPU. */
std::vector<SurfaceStepTime>
TimeSurfaceSteps(const Settings & settings, SurfaceCase & surface);

} // namespace cudaneuro::benchmark

#endif
