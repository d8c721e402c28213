// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_PointForces_cuh
#define cudaneuro_registration_step_PointForces_cuh

#include "core/IntegerMath.h"
#include "registration/step/PointTermFormulas.h"

namespace cudaneuro
{
namespace
{

/** Threads per block of points. They are few, because a multiprocessor takes a cycle for each of their scattered
 * loads. */
constexpr int pointThreads = 64;

/** A map that points pull. */
struct PointSide
{
  MapPair maps;
  /** The other side's maps; null pointers where one map alone moves. */
  MapPair  others;
  float    sign;
  SoAField force;
  double * energy;
};

/** Arguments of the blocks that add the forces of a level's points. */
struct PointForces
{
  LevelPoints points;
  int         numberOfSides = 0;
  PointSide   sides[2];

  CUDANEURO_HOST_DEVICE int
  EnergyBlocksOfSide() const
  {
    return DivideUp(points.numberOfPoints, pointThreads);
  }
  CUDANEURO_HOST_DEVICE int
  BlocksOfSide() const
  {
    return this->EnergyBlocksOfSide() + DivideUp(points.numberOfVoxels, pointThreads);
  }
};

/** The arguments for one map or two. \param points null where there are none */
inline PointForces
PointForcesOf(const LevelPoints * points, const StepBuffers & buffers, const StepBuffers * other)
{
  PointForces forces{};
  if (points != nullptr)
  {
    const MapPair none{};
    const auto    sideOf = [](const StepBuffers & side, const MapPair & others) {
      return PointSide{ side.maps, others, side.velocitySign, side.force, side.terms + pointTerm };
    };
    forces.points = *points;
    forces.numberOfSides = other != nullptr ? 2 : 1;
    forces.sides[0] = sideOf(buffers, other != nullptr ? other->maps : none);
    forces.sides[1] = other != nullptr ? sideOf(*other, buffers.maps) : PointSide{};
  }
  return forces;
}

/** The sum of a value over the threads for points, in a fixed order; valid in the first thread. */
__device__ double
SumOfPointThreads(double value)
{
  __shared__ double values[pointThreads];
  values[threadIdx.x] = value;
  for (int half = pointThreads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
    {
      value += values[threadIdx.x + half];
      values[threadIdx.x] = value;
    }
  }
  __syncthreads();
  return value;
}

/** The force that a thread adds at a voxel. */
struct VoxelForce
{
  /** Index of the voxel; -1 for none. */
  int      voxel = -1;
  float    value[3];
  SoAField force;

  __device__ __forceinline__ void
  Add() const
  {
    if (voxel >= 0)
    {
      AddForce(voxel, value, force);
    }
  }
};

/** The part of a block, for pointThreads threads, each with a point or a voxel. The first blocks of a side write sums
 * of energies; the others compute forces on the voxels around points. Reads the displacements around each point nine
 * times, and 20 bytes per share. */
__device__ __forceinline__ VoxelForce
PointForcesOfBlock(const PointForces & forces, const StepState & state, int block)
{
  const LevelPoints & points = forces.points;
  const int           blocksOfSide = forces.BlocksOfSide();
  const PointSide &   side = forces.sides[block < blocksOfSide ? 0 : 1];
  const PointMaps     maps = PointMapsOf(state, side.maps, &side.others, side.sign);
  const int           ofSide = block < blocksOfSide ? block : block - blocksOfSide;
  const int           energyBlocks = forces.EnergyBlocksOfSide();
  const int           thread = static_cast<int>(threadIdx.x);
  VoxelForce          ofThread;
  if (ofSide < energyBlocks)
  {
    const int    i = ofSide * pointThreads + thread;
    const double sum = SumOfPointThreads(i < points.numberOfPoints ? EnergyOfPoint(points, i, maps) : 0.0);
    if (thread == 0)
    {
      points.sums[(block < blocksOfSide ? 0 : energyBlocks) + ofSide] = sum;
    }
    return ofThread;
  }
  const int i = (ofSide - energyBlocks) * pointThreads + thread;
  if (i < points.numberOfVoxels)
  {
    ofThread.voxel = points.voxels[i];
    ofThread.force = side.force;
    PointForcesAt(points, i, maps, ofThread.value);
  }
  return ofThread;
}

/** Whether all other blocks have called this function; then the writes of their first threads are visible. */
__device__ __forceinline__ bool
IsLastOfBlocks(unsigned int * finishedBlocks)
{
  __shared__ bool isLast;
  __syncthreads();
  if (threadIdx.x == 0)
  {
    __threadfence();
    isLast = atomicAdd(finishedBlocks, 1u) == gridDim.x - 1;
    if (isLast)
    {
      *finishedBlocks = 0;
    }
    __threadfence();
  }
  __syncthreads();
  return isLast;
}

/** Adds up the energies that the blocks have written, in a fixed order, with pointThreads threads. The results are
 * visible to the first thread. */
__device__ __forceinline__ void
SumPointEnergies(const PointForces & forces)
{
  const int energyBlocks = forces.EnergyBlocksOfSide();
  for (int side = 0; side < forces.numberOfSides; ++side)
  {
    double sum = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < energyBlocks; i += pointThreads)
    {
      sum += __ldcg(forces.points.sums + side * energyBlocks + i);
    }
    sum = SumOfPointThreads(sum);
    if (threadIdx.x == 0)
    {
      *forces.sides[side].energy = sum;
    }
  }
}

} // namespace
} // namespace cudaneuro

#endif
