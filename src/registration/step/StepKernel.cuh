// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_StepKernel_cuh
#define cudaneuro_registration_step_StepKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "fields/CellSampler.h"
#include "registration/step/StepFormulas.h"

namespace cudaneuro
{
namespace
{

/** field -= other. Reads 24 bytes per voxel, writes 12. */
static __global__ void
SubtractKernel(int voxels, ConstSoAField other, SoAField field)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < voxels)
  {
    field.x[i] -= other.x[i];
    field.y[i] -= other.y[i];
    field.z[i] -= other.z[i];
  }
}

struct AdvectionArguments
{
  Extent            extent;
  CellGrid          grid;
  MapPair           maps;
  const StepState * state;
  ConstSoAField     velocity;
  /** The length of the step for a stepFraction of 1; negative for a map that moves by the opposite velocity. */
  float largestStep;
  /** Output of the new displacement; null for the candidate. */
  SoAField output;
};

/** Shape of the advection's blocks, and the number of planes that each thread computes. */
constexpr int advectionThreadsX = 32;
constexpr int advectionThreadsY = 8;
constexpr int advectionPlanes = 4;
/** Blocks per multiprocessor, which limits the registers. */
constexpr int advectionBlocks = 5;

/** The velocity at a voxel. */
__device__ __forceinline__ float3
VelocityAt(const ConstSoAField & velocity, int i)
{
  return make_float3(__ldg(velocity.x + i), __ldg(velocity.y + i), __ldg(velocity.z + i));
}

/** The time in which the fastest voxel moves by the length of the step; negative if largestStep is. */
__device__ __forceinline__ float
TimeOfStep(const StepState & state, float largestStep)
{
  const float largest = sqrtf(__uint_as_float(state.largestSquaredLength));
  // Without a velocity, the map keeps its bits.
  return largest > 0.0f ? largestStep * state.stepFraction / largest : 0.0f;
}

/** Advects the accepted map along the velocity: candidate(x) = accepted(x - t v(x)) - t v(x), where t lets the fastest
 * voxel move by the length of the step.
 *
 * Reads the velocity (12 bytes per voxel) and the accepted displacement around x (12), writes the candidate (12). Each
 * thread computes some voxels along z, so that planes are still in the cache when they are needed again, and loads the
 * velocity one voxel ahead. */
static __global__ void
__launch_bounds__(advectionThreadsX * advectionThreadsY,
                  ResidentBlocks(advectionBlocks, advectionThreadsX * advectionThreadsY))
  AdvectMapKernel(AdvectionArguments arguments)
{
  const StepState & state = *arguments.state;
  const CellGrid &  grid = arguments.grid;
  const Extent &    extent = arguments.extent;
  const int         x = blockIdx.x * advectionThreadsX + threadIdx.x;
  const int         y = blockIdx.y * advectionThreadsY + threadIdx.y;
  if (state.isRunning == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const float    time = TimeOfStep(state, arguments.largestStep);
  const SoAField from = arguments.maps.Accepted(state);
  SoAField       to = arguments.maps.Candidate(state);
  if (arguments.output.x != nullptr)
  {
    to = arguments.output;
  }
  const int begin = blockIdx.z * advectionPlanes;
  const int end = min(begin + advectionPlanes, extent.z);
  int       i = begin * grid.plane + y * grid.row + x;
  float3    next = VelocityAt(arguments.velocity, i);
  for (int z = begin; z < end; ++z, i += grid.plane)
  {
    const float3 v = next;
    if (z + 1 < end)
    {
      next = VelocityAt(arguments.velocity, i + grid.plane);
    }
    const float dx = time * v.x;
    const float dy = time * v.y;
    const float dz = time * v.z;
    const Cell  cell =
      Cell::Nearest(grid, static_cast<float>(x) - dx, static_cast<float>(y) - dy, static_cast<float>(z) - dz);
    // All loads precede the first store, because the compiler could not move them across it.
    const CellValues valuesX = cell.Load(grid, from.x);
    const CellValues valuesY = cell.Load(grid, from.y);
    const CellValues valuesZ = cell.Load(grid, from.z);
    to.x[i] = cell.Interpolate(valuesX) - dx;
    to.y[i] = cell.Interpolate(valuesY) - dy;
    to.z[i] = cell.Interpolate(valuesZ) - dz;
  }
}

/** Moves the accepted map against the velocity: candidate = accepted - t v, where t lets the fastest voxel move by the
 * length of the step. Reads the velocity (12 bytes per voxel) and the accepted displacement (12), writes the candidate
 * (12). */
static __global__ void
AddStepKernel(const __grid_constant__ AdvectionArguments arguments, int numberOfVoxels)
{
  const StepState & state = *arguments.state;
  const int         i = blockIdx.x * blockDim.x + threadIdx.x;
  if (state.isRunning == 0 || i >= numberOfVoxels)
  {
    return;
  }
  const float    time = TimeOfStep(state, arguments.largestStep);
  const SoAField from = arguments.maps.Accepted(state);
  const SoAField to = arguments.output.x != nullptr ? arguments.output : arguments.maps.Candidate(state);
  const float3   v = VelocityAt(arguments.velocity, i);
  const float3   d = make_float3(from.x[i], from.y[i], from.z[i]);
  to.x[i] = d.x - time * v.x;
  to.y[i] = d.y - time * v.y;
  to.z[i] = d.z - time * v.z;
}

/** Copies a field to the candidate. Reads 12 bytes per voxel and writes 12. */
static __global__ void
CopyToCandidateKernel(std::int64_t numberOfVoxels, ConstSoAField from, MapPair maps, const StepState * state)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * blockDim.x + threadIdx.x;
  if (state->isRunning == 0 || i >= numberOfVoxels)
  {
    return;
  }
  const SoAField to = maps.Candidate(*state);
  to.x[i] = from.x[i];
  to.y[i] = from.y[i];
  to.z[i] = from.z[i];
}

} // namespace
} // namespace cudaneuro

#endif
