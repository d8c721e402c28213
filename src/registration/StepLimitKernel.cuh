// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_StepLimitKernel_cuh
#define cudaneuro_registration_StepLimitKernel_cuh

#include "registration/Step.h"
#include "registration/StepLimitFormulas.h"

/** A round of EnqueueLimit: a list of the offenders, factors of the step around them, and the blend. All but the search
 * return at once when a round has no offenders, and so does a search after such a round. */
namespace cudaneuro
{
namespace
{

/** Blocks go through the voxels in strides of the grid: those of a round without work are few, and gone at once. */
constexpr int limitThreads = 256;
constexpr int limitBlocksPerMultiprocessor = 8;

struct LimitArguments
{
  Extent            extent;
  int               numberOfVoxels;
  MapPair           maps;
  const StepState * state;
  float             bound;
  int               round;
  /** Of each voxel, from 0 to 1. As floats that are not negative are ordered like their bits, the least is found with
   * integers, in any order. */
  float * factor;
  /** Indices of voxels, in no order; room for all. */
  int * offenders;
  /** Of each round; 0 at first. */
  int * numberOfOffenders;
};

__device__ __forceinline__ bool
NeedsSearch(const LimitArguments & arguments)
{
  return arguments.state->isRunning != 0 &&
         (arguments.round == 0 || arguments.numberOfOffenders[arguments.round - 1] > 0);
}

/** Whether the search of this round has found any. */
__device__ __forceinline__ bool
HasOffenders(const LimitArguments & arguments)
{
  return arguments.state->isRunning != 0 && arguments.numberOfOffenders[arguments.round] > 0;
}

/** The conversion that host code has. */
__device__ __forceinline__ ConstSoAField
ReadOnly(const SoAField & field)
{
  ConstSoAField readOnly;
  readOnly.x = field.x;
  readOnly.y = field.y;
  readOnly.z = field.z;
  return readOnly;
}

/** Reads the candidate (12 bytes per voxel). */
static __global__ void
__launch_bounds__(limitThreads) FindOffendersKernel(const __grid_constant__ LimitArguments arguments)
{
  const StepState & state = *arguments.state;
  const Extent &    extent = arguments.extent;
  if (!NeedsSearch(arguments))
  {
    return;
  }
  const ConstSoAField accepted = ReadOnly(arguments.maps.Accepted(state));
  const ConstSoAField candidate = ReadOnly(arguments.maps.Candidate(state));
  for (int i = blockIdx.x * limitThreads + threadIdx.x; i < arguments.numberOfVoxels; i += gridDim.x * limitThreads)
  {
    const int row = i / extent.x;
    const int z = row / extent.y;
    if (IsOffender<int>(arguments.bound, accepted, candidate, extent, i - row * extent.x, row - z * extent.y, z))
    {
      arguments.offenders[atomicAdd(&arguments.numberOfOffenders[arguments.round], 1)] = i;
    }
  }
}

static __global__ void
__launch_bounds__(limitThreads) ResetFactorKernel(const __grid_constant__ LimitArguments arguments)
{
  if (!HasOffenders(arguments))
  {
    return;
  }
  for (int i = blockIdx.x * limitThreads + threadIdx.x; i < arguments.numberOfVoxels; i += gridDim.x * limitThreads)
  {
    arguments.factor[i] = 1.0f;
  }
}

/** Lowers the factors around the offenders; a block takes one at a time. */
static __global__ void
__launch_bounds__(limitThreads) LowerFactorKernel(const __grid_constant__ LimitArguments arguments)
{
  if (!HasOffenders(arguments))
  {
    return;
  }
  constexpr int  side = 2 * limitRadius + 1;
  const Extent & extent = arguments.extent;
  const int      offenders = arguments.numberOfOffenders[arguments.round];
  const float    limit = LimitOfRound(arguments.round);
  for (int offender = blockIdx.x; offender < offenders; offender += gridDim.x)
  {
    const int at = arguments.offenders[offender];
    for (int i = threadIdx.x; i < side * side * side; i += limitThreads)
    {
      const int   dx = i % side - limitRadius;
      const int   dy = i / side % side - limitRadius;
      const int   dz = i / (side * side) - limitRadius;
      const int   x = at % extent.x + dx;
      const int   y = at / extent.x % extent.y + dy;
      const int   z = at / (extent.x * extent.y) + dz;
      const bool  isInside = x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z;
      const float factor = LimitAround(limit, dx * dx + dy * dy + dz * dz);
      if (isInside && factor < 1.0f)
      {
        atomicMin(reinterpret_cast<int *>(arguments.factor) + ((z * extent.y + y) * extent.x + x),
                  __float_as_int(factor));
      }
    }
  }
}

/** candidate <- accepted + factor (candidate - accepted). Reads 4 bytes per voxel, and both maps near offenders. */
static __global__ void
__launch_bounds__(limitThreads) BlendKernel(const __grid_constant__ LimitArguments arguments)
{
  if (!HasOffenders(arguments))
  {
    return;
  }
  const SoAField accepted = arguments.maps.Accepted(*arguments.state);
  const SoAField candidate = arguments.maps.Candidate(*arguments.state);
  for (int i = blockIdx.x * limitThreads + threadIdx.x; i < arguments.numberOfVoxels; i += gridDim.x * limitThreads)
  {
    const float factor = arguments.factor[i];
    if (factor < 1.0f)
    {
      candidate.x[i] = accepted.x[i] + factor * (candidate.x[i] - accepted.x[i]);
      candidate.y[i] = accepted.y[i] + factor * (candidate.y[i] - accepted.y[i]);
      candidate.z[i] = accepted.z[i] + factor * (candidate.z[i] - accepted.z[i]);
    }
  }
}

} // namespace
} // namespace cudaneuro

#endif
