// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectoryKernelChoice_cuh
#define cudaneuro_landmarks_TrajectoryKernelChoice_cuh

#include "landmarks/TrajectoryKernel.cuh"
#include "landmarks/TrajectoryTeamKernel.cuh"

namespace cudaneuro
{

template <typename TTile>
TrajectoryKernelChoice<typename TTile::T>
TrajectoryKernelOf()
{
  return {
    TrajectoryKernel<TTile>, TTile::points, 1, TTile::threads, sizeof(TrajectoryMemory<TTile>) + TTile::sharedBytes
  };
}

template <typename TTile>
TrajectoryKernelChoice<typename TTile::T>
TrajectoryTeamKernelOf()
{
  return {
    TrajectoryTeamKernel<TTile>, TTile::points, TTile::teams, TTile::threads, sizeof(TrajectoryTeamMemory<TTile>)
  };
}

/** Kernels for at most mostPointsOfTeams points. From 8 tiles per multiprocessor on, a warp per tile is faster. */
template <typename T, int VDimension>
TrajectoryKernelChoices<T>
TrajectoryTeamKernels()
{
  return { TrajectoryTeamKernelOf<TeamTile<T, VDimension, warpsOfTeamBlock<T>>>(),
           TrajectoryTeamKernelOf<TeamTile<T, VDimension, 1>>(),
           8 };
}

} // namespace cudaneuro

#endif
