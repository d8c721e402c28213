// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NearestNeighbors_h
#define cudaneuro_neighbors_NearestNeighbors_h

#include "cudaneuro/NearestNeighbors.h"
#include "core/Dispatch.h"

namespace cudaneuro
{

/** A search on working vectors. All arrays are in the memory of the context's device. */
struct NeighborSearch
{
  /** Number of components from one vector to the next; a multiple of componentGranularity. */
  int stride = 0;
  /** Number of components that may differ from 0; those from here to the stride are 0. */
  int          dimension = 0;
  int          numberOfNeighbors = 1;
  bool         excludeSelf = false;
  std::int64_t numberOfQueries = 0;
  std::int64_t numberOfPoints = 0;
  /** Finite vectors with magnitudes of at most 1e15. Both may be the same array. */
  const float * queries = nullptr;
  const float * points = nullptr;
  /** Results as in Neighbors. */
  std::int32_t * indices = nullptr;
  float *        squaredDistances = nullptr;
};

/** Enqueues the search on the context's compute stream and waits for the result. */
CUDANEURO_ON_BOTH(void FindNeighbors(Context & context, const NeighborSearch & search));

} // namespace cudaneuro

#endif
