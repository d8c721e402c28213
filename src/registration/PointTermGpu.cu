// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/GpuContext.h"
#include "registration/PointTermFormulas.h"

namespace cudaneuro::gpu
{

namespace
{

constexpr int pointThreads = pointsOfSum;

struct PointArguments
{
  LevelPoints       points;
  const StepState * state;
  MapPair           maps;
  /** Null pointers where one map alone moves. */
  MapPair  others;
  float    sign;
  SoAField force;
  double * energy;
};

/** The sum of a value of each thread, in a fixed order; of the first thread alone. */
__device__ double
SumOfBlock(double value)
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

/** Writes the energy of as many points as there are threads. The last block to do so adds up all, in a fixed order. */
__device__ void
SumEnergies(const LevelPoints & points, const PointMaps & maps, int block, int blocks, double * energy)
{
  __shared__ bool isLast;
  const int       thread = static_cast<int>(threadIdx.x);
  const int       i = block * pointThreads + thread;
  const double    ofBlock = SumOfBlock(i < points.numberOfPoints ? EnergyOfPoint(points, i, maps) : 0.0);
  if (thread == 0)
  {
    points.sums[block] = ofBlock;
    __threadfence();
    isLast = atomicAdd(points.finishedBlocks, 1u) == static_cast<unsigned int>(blocks - 1);
  }
  __syncthreads();
  if (!isLast)
  {
    return;
  }
  __threadfence();
  double sum = 0.0;
  for (int other = thread; other < blocks; other += pointThreads)
  {
    sum += __ldcg(points.sums + other);
  }
  sum = SumOfBlock(sum);
  if (thread == 0)
  {
    *energy = sum;
    *points.finishedBlocks = 0;
  }
}

/** The first blocks add up the energy of the points, the others add the forces to the voxels around them: a thread has a
 * point or a voxel. Blocks are small, because loads that lie far from each other take a multiprocessor a cycle each.
 * Reads the displacements around each point nine times, 20 bytes a share, and reads and writes 12 a voxel. */
__global__ void
__launch_bounds__(pointThreads) PointForceKernel(const __grid_constant__ PointArguments arguments)
{
  const StepState & state = *arguments.state;
  if (state.isRunning == 0)
  {
    return;
  }
  const LevelPoints & points = arguments.points;
  const PointMaps     maps{ arguments.maps.Candidate(state), arguments.others.Candidate(state), arguments.sign };
  const int           energyBlocks = DivideUp(points.numberOfPoints, pointThreads);
  const int           block = static_cast<int>(blockIdx.x);
  if (block < energyBlocks)
  {
    SumEnergies(points, maps, block, energyBlocks, arguments.energy);
    return;
  }
  const int i = (block - energyBlocks) * pointThreads + static_cast<int>(threadIdx.x);
  if (i < points.numberOfVoxels)
  {
    AddPointForces(points, i, maps, arguments.force);
  }
}

} // namespace

void
EnqueuePointForce(Context & context, const LevelPoints & points, const StepBuffers & buffers, const MapPair * others)
{
  const cudaStream_t   stream = GpuOf(context).ComputeStream();
  const PointArguments arguments{ points,
                                  buffers.state,
                                  buffers.maps,
                                  others != nullptr ? *others : MapPair(),
                                  buffers.velocitySign,
                                  buffers.force,
                                  buffers.terms + pointTerm };
  const int blocks = DivideUp(points.numberOfPoints, pointThreads) + DivideUp(points.numberOfVoxels, pointThreads);
  PointForceKernel<<<static_cast<unsigned int>(blocks), pointThreads, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("PointForceKernel");
}

} // namespace cudaneuro::gpu
