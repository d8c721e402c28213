// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationPair_h
#define RegistrationPair_h

#include "Benchmark.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/Geometry.h"

#include <vector>

namespace cudaneuro::benchmark
{

/** Two images that differ by a smooth map, which moves voxels by up to a twentieth of the grid, and room for results; all
 * float in the memory of a context's device, with voxels of 1 mm. */
struct RegistrationPair
{
  Geometry    geometry;
  ConstVolume fixed;
  ConstVolume moving;
  /** Half of the displacement that takes fixed to moving, and its negative. */
  ConstField halfWay;
  ConstField halfWayBack;

  Volume warped;
  Field  displacement;
  Field  inverse;

  std::vector<DeviceMemory> memory;
};

/** The same on every machine, but for rounding.
 * \throws OutOfMemoryError, Error */
RegistrationPair
MakeRegistrationPair(Context & context, const Size & size);

} // namespace cudaneuro::benchmark

#endif
