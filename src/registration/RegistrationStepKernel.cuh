// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationStepKernel_cuh
#define cudaneuro_registration_RegistrationStepKernel_cuh

#include "fields/CellSampler.h"
#include "registration/LevelSolver.h"
#include "registration/LevelState.cuh"

namespace cudaneuro
{
namespace
{

constexpr int judgeThreads = 256;

struct JudgeArguments
{
  LevelState *         state;
  LevelRecord *        records;
  const ForcePartial * partials;
  int                  numberOfPartials;
  /** More terms of the image energy; may be none. */
  const double * imagePartials;
  int            numberOfImagePartials;
  /** 1 / voxels, and that times the weight of the bias. */
  double voxelWeight;
  double biasWeight;
  /** Image energy of a voxel whose partial is 0. */
  double imageOffset;
  /** 0 never ends a level. */
  double convergenceThreshold;
};

/** Sums the partials, in a fixed order; the result is thread 0's. */
__device__ __forceinline__ ForcePartial
SumPartials(const JudgeArguments & arguments)
{
  __shared__ ForcePartial sums[judgeThreads];
  ForcePartial            sum{ 0.0, 0.0, 3.4e38f };
  for (int i = threadIdx.x; i < arguments.numberOfPartials; i += judgeThreads)
  {
    const ForcePartial & partial = arguments.partials[i];
    sum.imageEnergy += partial.imageEnergy;
    sum.biasEnergy += partial.biasEnergy;
    sum.minimumJacobian = fminf(sum.minimumJacobian, partial.minimumJacobian);
  }
  for (int i = threadIdx.x; i < arguments.numberOfImagePartials; i += judgeThreads)
  {
    sum.imageEnergy += arguments.imagePartials[i];
  }
  sums[threadIdx.x] = sum;
  for (int half = judgeThreads / 2; half > 0; half /= 2)
  {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half)
    {
      const ForcePartial & other = sums[threadIdx.x + half];
      sum.imageEnergy += other.imageEnergy;
      sum.biasEnergy += other.biasEnergy;
      sum.minimumJacobian = fminf(sum.minimumJacobian, other.minimumJacobian);
      sums[threadIdx.x] = sum;
    }
  }
  return sum;
}

/** Accepts the candidate or refuses it for folding, chooses the scale of the next step, and notes a record. One block. */
static __global__ void
__launch_bounds__(judgeThreads) AcceptStepKernel(JudgeArguments arguments)
{
  LevelState & state = *arguments.state;
  if (state.run == 0)
  {
    return;
  }
  const ForcePartial sum = SumPartials(arguments);
  if (threadIdx.x != 0)
  {
    return;
  }
  LevelRecord & record = arguments.records[state.records];
  record.imageEnergy = arguments.imageOffset + arguments.voxelWeight * sum.imageEnergy;
  record.biasEnergy = arguments.voxelWeight * sum.biasEnergy;
  record.minimumJacobian = sum.minimumJacobian;
  // A Jacobian that is not a number is no good map, either.
  record.folded = !(sum.minimumJacobian > 0.0f);
  const double energy = record.imageEnergy + arguments.biasWeight * record.biasEnergy;
  if (record.folded)
  {
    state.scale *= static_cast<float>(StepControl::scaleAfterFold);
    state.solve = 0;
    ++state.shortenedSteps;
  }
  else
  {
    const bool isFirst = state.records == 0;
    const auto factor = energy > state.energy ? StepControl::scaleAfterRise : StepControl::scaleAfterFall;
    state.scale = isFirst ? state.scale : fminf(1.0f, state.scale * static_cast<float>(factor));
    state.current = 1 - state.current;
    state.energy = energy;
    state.solve = 1;
    state.largestSquare = 0;
    const int window = state.records - StepControl::convergenceWindow;
    if (arguments.convergenceThreshold > 0.0 && window >= 0 && !arguments.records[window].folded)
    {
      const LevelRecord & before = arguments.records[window];
      const double        energyBefore = before.imageEnergy + arguments.biasWeight * before.biasEnergy;
      state.run = energyBefore - energy < arguments.convergenceThreshold * fabs(energyBefore) ? 0 : 1;
      state.solve = state.run;
    }
  }
  record.scale = state.scale;
  ++state.records;
}

struct CarryArguments
{
  Extent             extent;
  CellGrid           grid;
  CandidatePair      displacements;
  const LevelState * state;
  ConstSoAField      velocity;
  float              maximumStep;
  /** Where the new displacement goes; null for the candidate. */
  SoAField output;
};

constexpr int carryThreadsX = 32;
constexpr int carryThreadsY = 8;
constexpr int carryPlanes = 8;

/** Carries the map along the velocity: candidate(x) = current(x - t v(x)) + t v(x), with t such that the fastest voxel
 * moves by the step.
 *
 * Reads the velocity (12 bytes a voxel) and the current displacement around x (12), writes the candidate (12). A thread
 * does 8 voxels in z, so that planes are still in the cache when they are needed again. */
static __global__ void
__launch_bounds__(carryThreadsX * carryThreadsY) AdvectMapKernel(CarryArguments arguments)
{
  const LevelState & state = *arguments.state;
  const CellGrid &   grid = arguments.grid;
  const Extent &     extent = arguments.extent;
  const int          x = blockIdx.x * carryThreadsX + threadIdx.x;
  const int          y = blockIdx.y * carryThreadsY + threadIdx.y;
  if (state.run == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const float largest = sqrtf(__uint_as_float(state.largestSquare));
  // Without a velocity the map stays as it is, to the bit.
  const float    time = largest > 0.0f ? arguments.maximumStep * state.scale / largest : 0.0f;
  const SoAField from = arguments.displacements.Current(state);
  SoAField       to = arguments.displacements.Candidate(state);
  if (arguments.output.x != nullptr)
  {
    to = arguments.output;
  }
  const int begin = blockIdx.z * carryPlanes;
  const int end = min(begin + carryPlanes, extent.z);
  int       i = begin * grid.plane + y * grid.row + x;
  for (int z = begin; z < end; ++z, i += grid.plane)
  {
    const float dx = time * arguments.velocity.x[i];
    const float dy = time * arguments.velocity.y[i];
    const float dz = time * arguments.velocity.z[i];
    const Cell  cell =
      Cell::Nearest(grid, static_cast<float>(x) - dx, static_cast<float>(y) - dy, static_cast<float>(z) - dz);
    to.x[i] = cell.Interpolate(grid, from.x) + dx;
    to.y[i] = cell.Interpolate(grid, from.y) + dy;
    to.z[i] = cell.Interpolate(grid, from.z) + dz;
  }
}

/** Copies a field to the candidate. Reads 12 bytes a voxel and writes 12. */
static __global__ void
CopyToCandidateKernel(std::int64_t       numberOfVoxels,
                      ConstSoAField      from,
                      CandidatePair      displacements,
                      const LevelState * state)
{
  const std::int64_t i = std::int64_t{ blockIdx.x } * blockDim.x + threadIdx.x;
  if (state->run == 0 || i >= numberOfVoxels)
  {
    return;
  }
  const SoAField to = displacements.Candidate(*state);
  to.x[i] = from.x[i];
  to.y[i] = from.y[i];
  to.z[i] = from.z[i];
}

} // namespace
} // namespace cudaneuro

#endif
