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

constexpr int pullThreads = 512;
constexpr int pointForceThreads = 128;

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

/** What all points pull with, and their energy; one block, which adds up in a fixed order. Reads the displacements around
 * each point, writes 12 bytes a point. */
__global__ void
__launch_bounds__(pullThreads) PointPullKernel(const __grid_constant__ PointArguments arguments)
{
  __shared__ double sums[pullThreads];
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const SoAField own = arguments.maps.Candidate(*arguments.state);
  const SoAField other = arguments.others.Candidate(*arguments.state);
  double         sum = 0.0;
  for (int i = static_cast<int>(threadIdx.x); i < arguments.points.numberOfPoints; i += pullThreads)
  {
    sum += PullOfPoint(arguments.points, i, arguments.sign, own, other.x != nullptr ? &other : nullptr);
  }
  sums[threadIdx.x] = sum;
  for (int half = pullThreads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
    {
      sum += sums[threadIdx.x + half];
      sums[threadIdx.x] = sum;
    }
  }
  if (threadIdx.x == 0)
  {
    *arguments.energy = sum;
  }
}

/** Adds the forces of the points to the voxels around them: a thread has a voxel. Reads 20 bytes a share, and reads and
 * writes 12 a voxel. */
__global__ void
__launch_bounds__(pointForceThreads) PointForceKernel(const __grid_constant__ PointArguments arguments)
{
  const int i = static_cast<int>(blockIdx.x * pointForceThreads + threadIdx.x);
  if (arguments.state->isRunning != 0 && i < arguments.points.numberOfVoxels)
  {
    AddPulls(arguments.points, i, arguments.force);
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
  PointPullKernel<<<1, pullThreads, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("PointPullKernel");
  const auto blocks = static_cast<unsigned int>(DivideUp(points.numberOfVoxels, pointForceThreads));
  PointForceKernel<<<blocks, pointForceThreads, 0, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("PointForceKernel");
}

} // namespace cudaneuro::gpu
