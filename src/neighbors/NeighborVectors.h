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

/** Makes working vectors, as NeighborSearch has them, of a caller's. All arrays are in the memory of the context's
 * device. */
struct VectorPadding
{
  int           dimension = 0;
  std::int64_t  count = 0;
  const float * input = nullptr;
  int           stride = 0;
  float *       output = nullptr;
};

/** Whether all distances between such components are finite, in single precision, too; NaN is refused. */
CUDANEURO_HOST_DEVICE bool
IsSearchable(float component)
{
  return fabsf(component) <= 1e15f;
}

/** A component that is refused. */
struct RefusedComponent
{
  /** Counted through all vectors; -1 where there is none. */
  std::int64_t index = -1;
  float        value = 0.0f;
};

/** Pads all vectors. On a GPU it is used inside RunDeviceJob and waits for the result.
 * \returns the first component that is refused */
CUDANEURO_ON_BOTH(RefusedComponent PadVectors(Context & context, const VectorPadding & padding));

} // namespace cudaneuro

#endif
