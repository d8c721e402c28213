// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborVectors_h
#define cudaneuro_neighbors_NeighborVectors_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"
#include "core/HostDevice.h"

#include <cmath>
#include <cstdint>

namespace cudaneuro
{

/** Converts a caller's vectors to working vectors, as NeighborSearch requires them. All arrays are in the memory of the
 * context's device. */
struct VectorPadding
{
  int           dimension = 0;
  std::int64_t  count = 0;
  const float * input = nullptr;
  int           stride = 0;
  float *       output = nullptr;
};

/** Whether all distances between such components are finite, also in single precision; false for NaN. */
CUDANEURO_HOST_DEVICE bool
IsSearchable(float component)
{
  return fabsf(component) <= 1e15f;
}

/** An invalid component. */
struct RefusedComponent
{
  /** Index over the components of all vectors; -1 if there is none. */
  std::int64_t index = -1;
  float        value = 0.0f;
};

/** Pads all vectors. On a GPU it is used inside RunDeviceJob and waits for the result.
 * \returns the first invalid component */
CUDANEURO_ON_BOTH(RefusedComponent PadVectors(Context & context, const VectorPadding & padding));

} // namespace cudaneuro

#endif
