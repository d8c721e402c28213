// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceSteps_h
#define SurfaceSteps_h

#include "Settings.h"
#include "data/SurfaceCase.h"

#include <cstddef>
#include <vector>

namespace cudaneuro::benchmark
{

/** The names of the rows of a pass's steps, in their order. */
constexpr const char * namesOfSurfaceSteps[] = { "surface band, kernel",      "surface patches, kernel",
                                                 "surface neighbors, kernel", "surface weights, kernel",
                                                 "surface diffusion, kernel", "surface volume, kernel" };
constexpr std::size_t  indexOfNeighborSearch = 2;

struct SurfaceStep
{
  double milliseconds;
  /** Bytes if each array is moved once; 0 where that is not the limit. */
  double bytes;
};

/** Times the steps of a pass one by one: on the device, or by the clock on the CPU. */
std::vector<SurfaceStep>
TimeSurfaceSteps(const Settings & settings, SurfaceCase & surface);

} // namespace cudaneuro::benchmark

#endif
