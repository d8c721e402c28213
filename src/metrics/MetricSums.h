// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricSums_h
#define cudaneuro_metrics_MetricSums_h

#include "fields/IndexPosition.h"

namespace cudaneuro::gpu
{

/** A map as kernels want it: of the axes of the fixed grid in one of its orders. */
struct OrderedTransform
{
  IndexTransform transform;
  int            order;
};

/** What a device finds for one map: for each axis of the moving grid four derivatives, by a row of the matrix and by
 * an element of the offset, then the value and the number of voxels, each as the metric's kernels leave them. */
constexpr int numbersOfMap = 16;
constexpr int numbersOfAxis = 4;
constexpr int valueNumber = 12;
constexpr int countNumber = 13;

/** Memory of the device for the numbers of some maps. */
struct MapSums
{
  double *       parts = nullptr;    // numbersOfMap for each map and block of its sums
  unsigned int * arrivals = nullptr; // one for each map, 0 between kernels
  double *       numbers = nullptr;  // numbersOfMap for each map
};

} // namespace cudaneuro::gpu

#endif
