// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_StepLimitKernel_cuh
#define cudaneuro_registration_StepLimitKernel_cuh

#include "cuda/GridBarrier.cuh"
#include "cuda/ResidentBlocks.cuh"
#include "registration/Step.h"
#include "registration/StepLimitFormulas.h"

/** EnqueueLimit as two kernels: one looks for offenders in the whole volume, and the other one, which mostly returns at
 * once, runs all rounds around those that were found. */
namespace cudaneuro
{
namespace
{

/** A tile of the search: a warp is a row, and each thread goes along z. */
constexpr int searchThreadsX = 32;
constexpr int searchThreadsY = 8;
constexpr int searchPlanes = 16;
constexpr int searchBlocks = 5;

constexpr int limitThreads = 256;
/** Blocks of LimitKernel that are on a multiprocessor at the same time. */
constexpr int limitBlocks = 4;

/** Factor of the step at voxels that a search around offenders has found. It is above all factors, so that lowering
 * clears it. */
constexpr float foundFactor = 2.0f;

struct LimitArguments
{
  Extent            extent;
  int               numberOfVoxels;
  MapPair           maps;
  const StepState * state;
  float             bound;
  /** Of each voxel, from 0 to 1, or foundFactor. As floats that are not negative are ordered like their bits, the least
   * is found with integers, in any order. */
  float * factor;
  /** Indices of voxels, in no order, of even and odd rounds; room for all. */
  int * offenders[2];
  /** All 0 at first. */
  LimitCounts * counts;
};

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

__device__ __forceinline__ void
AddOffender(const LimitArguments & arguments, int round, int voxel)
{
  arguments.offenders[round % 2][atomicAdd(&arguments.counts->offenders[round], 1)] = voxel;
}

__device__ __forceinline__ float3
DisplacementAt(const ConstSoAField & field, int i)
{
  return make_float3(field.x[i], field.y[i], field.z[i]);
}

/** The offenders of the first round. Reads the candidate (12 bytes per voxel), and the accepted map near the bound. A
 * thread keeps the displacements of its column in registers, so that each plane is read once but for the neighbors in
 * it, which are in the cache. */
static __global__ void
__launch_bounds__(searchThreadsX * searchThreadsY, ResidentBlocks(searchBlocks, searchThreadsX * searchThreadsY))
  FindOffendersKernel(const __grid_constant__ LimitArguments arguments)
{
  const StepState & state = *arguments.state;
  const Extent &    extent = arguments.extent;
  const int         x = blockIdx.x * searchThreadsX + threadIdx.x;
  const int         y = blockIdx.y * searchThreadsY + threadIdx.y;
  if (state.isRunning == 0 || x >= extent.x || y >= extent.y)
  {
    return;
  }
  const ConstSoAField  candidate = ReadOnly(arguments.maps.Candidate(state));
  const DifferencePair alongX = DifferencePairAt(x, extent.x);
  const DifferencePair alongY = DifferencePairAt(y, extent.y);
  const int            plane = extent.x * extent.y;
  const int            begin = blockIdx.z * searchPlanes;
  const int            end = min(begin + searchPlanes, extent.z);
  int                  i = begin * plane + y * extent.x + x;
  float3               here = DisplacementAt(candidate, i);
  float3               below = begin > 0 ? DisplacementAt(candidate, i - plane) : here;
  for (int z = begin; z < end; ++z, i += plane)
  {
    const float3  above = z + 1 < extent.z ? DisplacementAt(candidate, i + plane) : here;
    const float3  left = DisplacementAt(candidate, i + (alongX.lower - x));
    const float3  right = DisplacementAt(candidate, i + (alongX.upper - x));
    const float3  front = DisplacementAt(candidate, i + (alongY.lower - y) * extent.x);
    const float3  back = DisplacementAt(candidate, i + (alongY.upper - y) * extent.x);
    const float   scaleZ = DifferencePairAt(z, extent.z).scale;
    FieldGradient gradient;
    gradient.xx = alongX.scale * (right.x - left.x);
    gradient.xy = alongY.scale * (back.x - front.x);
    gradient.xz = scaleZ * (above.x - below.x);
    gradient.yx = alongX.scale * (right.y - left.y);
    gradient.yy = alongY.scale * (back.y - front.y);
    gradient.yz = scaleZ * (above.y - below.y);
    gradient.zx = alongX.scale * (right.z - left.z);
    gradient.zy = alongY.scale * (back.z - front.z);
    gradient.zz = scaleZ * (above.z - below.z);
    const float jacobian = Determinant(IdentityPlus(gradient));
    if (!(jacobian >= farJacobian))
    {
      const ConstSoAField accepted = ReadOnly(arguments.maps.Accepted(state));
      if (NeedsLimit(arguments.bound, MapJacobianAt<int>(accepted, extent, x, y, z), jacobian))
      {
        AddOffender(arguments, 0, i);
      }
    }
    below = here;
    here = above;
  }
}

/** Calls function(index, x, y, z, squared distance) for all voxels of the grid in boxes of half-width limitRadius around
 * the offenders of a round. A block takes a box at a time; where boxes overlap, a voxel comes more than once. */
template <typename TFunction>
__device__ __forceinline__ void
ForBoxes(const LimitArguments & arguments, int round, int numberOfOffenders, const TFunction & function)
{
  constexpr int     side = 2 * limitRadius + 1;
  const Extent &    extent = arguments.extent;
  const int * const offenders = arguments.offenders[round % 2];
  for (int offender = blockIdx.x; offender < numberOfOffenders; offender += gridDim.x)
  {
    const int at = offenders[offender];
    for (int i = threadIdx.x; i < side * side * side; i += limitThreads)
    {
      const int dx = i % side - limitRadius;
      const int dy = i / side % side - limitRadius;
      const int dz = i / (side * side) - limitRadius;
      const int x = at % extent.x + dx;
      const int y = at / extent.x % extent.y + dy;
      const int z = at / (extent.x * extent.y) + dz;
      if (x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z)
      {
        function((z * extent.y + y) * extent.x + x, x, y, z, dx * dx + dy * dy + dz * dz);
      }
    }
  }
}

/** All rounds: factors of the step around the offenders of a round; candidate <- accepted + factor (candidate -
 * accepted), and factors 1 again; the offenders of the next round, which can only be where the candidate has changed.
 * A cooperative launch. Writes 4 bytes per voxel if there are offenders, and reads and writes both maps near these. */
static __global__ void
__launch_bounds__(limitThreads, ResidentBlocks(limitBlocks, limitThreads))
  LimitKernel(const __grid_constant__ LimitArguments arguments)
{
  if (arguments.counts->offenders[0] == 0)
  {
    return;
  }
  const SoAField accepted = arguments.maps.Accepted(*arguments.state);
  const SoAField candidate = arguments.maps.Candidate(*arguments.state);
  int * const    factorBits = reinterpret_cast<int *>(arguments.factor);
  GridBarrier    barrier(&arguments.counts->arrivals);
  const auto     waitForAll = [&barrier] {
    barrier.Arrive();
    barrier.Wait();
  };
  for (int i = blockIdx.x * limitThreads + threadIdx.x; i < arguments.numberOfVoxels; i += gridDim.x * limitThreads)
  {
    arguments.factor[i] = 1.0f;
  }
  for (int round = 0; round < limitRounds; ++round)
  {
    waitForAll();
    const int offenders = arguments.counts->offenders[round];
    if (offenders == 0)
    {
      return;
    }
    const float limit = LimitOfRound(round);
    ForBoxes(arguments, round, offenders, [&](int i, int, int, int, int squaredDistance) {
      const float factor = LimitAround(limit, squaredDistance);
      if (factor < 1.0f)
      {
        atomicMin(factorBits + i, __float_as_int(factor));
      }
    });
    waitForAll();
    ForBoxes(arguments, round, offenders, [&](int i, int, int, int, int) {
      const float factor = __int_as_float(atomicExch(factorBits + i, __float_as_int(1.0f)));
      if (factor < 1.0f)
      {
        candidate.x[i] = accepted.x[i] + factor * (candidate.x[i] - accepted.x[i]);
        candidate.y[i] = accepted.y[i] + factor * (candidate.y[i] - accepted.y[i]);
        candidate.z[i] = accepted.z[i] + factor * (candidate.z[i] - accepted.z[i]);
      }
    });
    if (round + 1 == limitRounds)
    {
      return;
    }
    waitForAll();
    ForBoxes(arguments, round, offenders, [&](int i, int x, int y, int z, int) {
      if (IsOffender<int>(arguments.bound, ReadOnly(accepted), ReadOnly(candidate), arguments.extent, x, y, z) &&
          atomicExch(factorBits + i, __float_as_int(foundFactor)) != __float_as_int(foundFactor))
      {
        AddOffender(arguments, round + 1, i);
      }
    });
  }
}

} // namespace
} // namespace cudaneuro

#endif
