// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/TrajectoryKernelChoice.cuh"

namespace cudaneuro
{
namespace
{

/** Small tiles exclude more pairs and occupy more blocks; large tiles read less for each pair. */
template <int VDimension>
TrajectoryKernelChoices<float>
Choose(std::int64_t numberOfPoints, int multiprocessors)
{
  if (numberOfPoints <= 32 * multiprocessors && numberOfPoints <= mostPointsOfTeams)
  {
    return TrajectoryTeamKernels<float, VDimension>();
  }
  const auto choice = numberOfPoints <= 128 * multiprocessors
                        ? TrajectoryKernelOf<PairTile<float, VDimension, 2, 2, 8, 2>>()
                        : TrajectoryKernelOf<PairTile<float, VDimension, 2, 1, 8, 2>>();
  return { choice, choice };
}

} // namespace

template <>
TrajectoryKernelChoices<float>
ChooseTrajectoryKernels<float>(int dimension, std::int64_t numberOfPoints, int multiprocessors)
{
  return dimension == 2 ? Choose<2>(numberOfPoints, multiprocessors) : Choose<3>(numberOfPoints, multiprocessors);
}

} // namespace cudaneuro
