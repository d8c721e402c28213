// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricSums_h
#define cudaneuro_metrics_MetricSums_h

#include "fields/IndexPosition.h"

namespace cudaneuro::gpu
{

/** A map in the form of a kernel argument: for the axes of the fixed grid in one of its orders. */
struct OrderedTransform
{
  IndexTransform transform;
  int            order;
};

/** The numbers that a device computes for a map: for each axis of the moving grid four derivatives, by a row of the
 * matrix and an element of the offset, then the value and the number of voxels, as the metric's kernels define them. */
constexpr int numbersOfMap = 16;
constexpr int numbersOfAxis = 4;
constexpr int valueNumber = 12;
constexpr int countNumber = 13;

/** Device memory for the numbers of several maps. */
struct MapSums
{
  double *       parts = nullptr;    // numbersOfMap for each map and block of its sums
  unsigned int * arrivals = nullptr; // one for each map, 0 between kernels
  double *       numbers = nullptr;  // numbersOfMap for each map
};

} // namespace cudaneuro::gpu

#endif
