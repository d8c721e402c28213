// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/TrajectoryKernelChoice.cuh"

namespace cudaneuro
{
namespace
{

/** Kernels as for float, except that lanes have one point each: two would need too many registers. */
template <int VDimension>
TrajectoryKernelChoices<double>
Choose(std::int64_t numberOfPoints, int multiprocessors)
{
  if (numberOfPoints <= 32 * multiprocessors && numberOfPoints <= mostPointsOfTeams)
  {
    return TrajectoryTeamKernels<double, VDimension>();
  }
  const auto choice = TrajectoryKernelOf<PairTile<double, VDimension, 1, 1, 8, 1>>();
  return { choice, choice };
}

} // namespace

template <>
TrajectoryKernelChoices<double>
ChooseTrajectoryKernels<double>(int dimension, std::int64_t numberOfPoints, int multiprocessors)
{
  return dimension == 2 ? Choose<2>(numberOfPoints, multiprocessors) : Choose<3>(numberOfPoints, multiprocessors);
}

} // namespace cudaneuro
