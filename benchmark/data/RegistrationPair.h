// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationPair_h
#define RegistrationPair_h

#include "Table.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/Geometry.h"

#include <vector>

namespace cudaneuro::benchmark
{

/** Two images that differ by a smooth map, which moves voxels by up to a twentieth of the grid, and memory for
 * results. All are float in the memory of a context's device, with voxels of 1 mm. */
struct RegistrationPair
{
  Geometry    geometry;
  ConstVolume fixed;
  ConstVolume moving;
  /** Half of the displacement from the fixed to the moving image, and its negative. */
  ConstField halfWay;
  ConstField halfWayBack;

  Volume warped;
  Field  displacement;
  Field  inverse;

  std::vector<DeviceMemory> memory;
};

/** Makes a pair, which is the same on every machine except for rounding.
 * \throws OutOfMemoryError, Error */
RegistrationPair
MakeRegistrationPair(Context & context, const Size & size);

} // namespace cudaneuro::benchmark

#endif
