// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_DecisionKernel_cuh
#define cudaneuro_registration_step_DecisionKernel_cuh

#include "cuda/DependentLaunch.cuh"
#include "registration/step/PointForces.cuh"
#include "registration/step/StepFormulas.h"

namespace cudaneuro
{
namespace
{

constexpr int decisionThreads = 256;

struct DecisionArguments
{
  DecisionParameters parameters;
  StepState *        state;
  StepRecord *       records;
  /** The sums of the force kernel's blocks, followed by a place for their total. */
  ForceSums * sums;
  int         numberOfSums;
  /** Further terms of the image energy, one per block of another kernel; may be none. */
  const double * imageTerms;
  int            numberOfImageTerms;
  /** See StepBuffers. */
  const double * terms;
};

/** Adds up the blocks' sums in a fixed order. The result is valid in thread 0. */
__device__ __forceinline__ ForceSums
AddUp(const DecisionArguments & arguments)
{
  __shared__ ForceSums sums[decisionThreads];
  ForceSums            sum = ForceSums::Empty();
  for (int i = threadIdx.x; i < arguments.numberOfSums; i += decisionThreads)
  {
    sum.Include(arguments.sums[i]);
  }
  for (int i = threadIdx.x; i < arguments.numberOfImageTerms; i += decisionThreads)
  {
    sum.imageEnergy += arguments.imageTerms[i];
  }
  sums[threadIdx.x] = sum;
  for (int half = decisionThreads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
    {
      sum.Include(sums[threadIdx.x + half]);
      sums[threadIdx.x] = sum;
    }
  }
  return sum;
}

/** The sums of the candidate or, with \p VJoint, those of two maps. The result is valid in thread 0. */
template <bool VJoint>
__device__ __forceinline__ ForceSums
AddUp(const DecisionArguments & first, const DecisionArguments & second)
{
  const ForceSums ofFirst = AddUp(first);
  if constexpr (VJoint)
  {
    // All threads have read the first sums before the second ones overwrite them.
    __syncthreads();
    return JoinHalves(ofFirst, AddUp(second));
  }
  return ofFirst;
}

/** DecideStep for the candidate or, with \p VJoint, for those of two maps, whose state and records are those of
 * \p first. Block 0 adds up the sums of the forces, the blocks after it add the forces of points, if any, and the last
 * block to end decides. Blocks of points read the maps before they wait for the end of the force kernel. */
template <bool VJoint>
static __global__ void
__launch_bounds__(decisionThreads) DecisionKernel(const __grid_constant__ DecisionArguments first,
                                                  const __grid_constant__ DecisionArguments second,
                                                  const __grid_constant__ PointForces       points)
{
  const bool isOfPoints = blockIdx.x > 0;
  if (isOfPoints && threadIdx.x >= pointThreads)
  {
    return;
  }
  const bool isRunning = first.state->isRunning != 0;
  VoxelForce added;
  if (isOfPoints && isRunning)
  {
    added = PointForcesOfBlock(points, *first.state, static_cast<int>(blockIdx.x) - 1);
  }
  WaitForKernelBefore();
  if (!isRunning)
  {
    return;
  }
  added.Add();
  ForceSums sums{};
  if (!isOfPoints)
  {
    sums = AddUp<VJoint>(first, second);
  }
  if (gridDim.x > 1)
  {
    ForceSums * const total = first.sums + first.numberOfSums;
    if (threadIdx.x >= pointThreads)
    {
      return;
    }
    if (!isOfPoints && threadIdx.x == 0)
    {
      *total = sums;
    }
    if (!IsLastOfBlocks(points.points.finishedBlocks))
    {
      return;
    }
    SumPointEnergies(points);
    sums = { __ldcg(&total->imageEnergy), __ldcg(&total->biasEnergy), __ldcg(&total->minimumJacobian) };
  }
  if (threadIdx.x == 0)
  {
    DecideStep(first.parameters, sums, { first.terms, VJoint ? second.terms : nullptr }, *first.state, first.records);
  }
}

/** Writes the energy of a channel after the first one, a mean over the grid. One block. */
static __global__ void
__launch_bounds__(decisionThreads) ChannelEnergyKernel(DecisionArguments arguments, double * energy)
{
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const ForceSums sums = AddUp(arguments);
  if (threadIdx.x == 0)
  {
    *energy = MeanImageEnergy(arguments.parameters, sums);
  }
}

} // namespace
} // namespace cudaneuro

#endif
