// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TileLossTerms_cuh
#define cudaneuro_landmarks_TileLossTerms_cuh

#include "cuda/WarpReduce.cuh"
#include "landmarks/TrajectoryArguments.h"
#include "points/PointRecords.cuh"

/** The contributions of a tile to the terms of a loss, summed by one warp in a fixed order, in double precision.
 * Vectors of the tile's points are in shared memory, coordinate by coordinate. */
namespace cudaneuro
{

/** Calls body(point of the tile) for the lane's share of the first \p points of the tile. */
template <int VPoints, typename TBody>
__device__ __forceinline__ void
ForPointsOfLane(std::int64_t points, const TBody & body)
{
  for (int point = static_cast<int>(threadIdx.x % 32); point < VPoints; point += 32)
  {
    if (point < points)
    {
      body(point);
    }
  }
}

/** 1/2 sum_i u_i.(dx_i/dt). \param states of the tile's points */
template <int VDimension, int VPoints, typename T>
__device__ double
TileKineticEnergy(const T (&velocities)[VDimension][VPoints], const T * states, std::int64_t points)
{
  double energy = 0.0;
  ForPointsOfLane<VPoints>(points, [&](int point) {
    for (int d = 0; d < VDimension; ++d)
    {
      energy += 0.5 * velocities[d][point] * states[point * recordWidth<VDimension> + VDimension + d];
    }
  });
  return WarpReduce(energy, [](double a, double b) { return a + b; });
}

/** Writes all terms except the energy, from the differences from a target. \param targets the records of the tile's
 * points */
template <int VDimension, int VPoints, typename T>
__device__ void
WriteDistances(const T (&differences)[VDimension][VPoints], const T * targets, std::int64_t points, LossTerms & output)
{
  LossTerms terms{};
  ForPointsOfLane<VPoints>(points, [&](int point) {
    double squared = 0.0;
    for (int d = 0; d < VDimension; ++d)
    {
      const double difference = differences[d][point];
      squared += difference * difference;
    }
    const double weight = targets[point * targetWidth + targetWeight];
    const double distance = weight > 0.0 ? sqrt(squared) : 0.0;
    terms.weightedSquaredDistance += weight * squared;
    terms.sumOfDistances += distance;
    terms.maximumDistance = max(terms.maximumDistance, distance);
  });
  const auto add = [](double a, double b) { return a + b; };
  terms.weightedSquaredDistance = WarpReduce(terms.weightedSquaredDistance, add);
  terms.sumOfDistances = WarpReduce(terms.sumOfDistances, add);
  terms.maximumDistance = WarpReduce(terms.maximumDistance, [](double a, double b) { return max(a, b); });
  if (threadIdx.x % 32 == 0)
  {
    output.weightedSquaredDistance = terms.weightedSquaredDistance;
    output.sumOfDistances = terms.sumOfDistances;
    output.maximumDistance = terms.maximumDistance;
  }
}

} // namespace cudaneuro

#endif
