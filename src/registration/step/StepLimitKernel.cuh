// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_StepLimitKernel_cuh
#define cudaneuro_registration_step_StepLimitKernel_cuh

#include "cuda/GridBarrier.cuh"
#include "cuda/ResidentBlocks.cuh"
#include "registration/step/Step.h"
#include "registration/step/StepLimitFormulas.h"

/** EnqueueLimit as two kernels: one searches the whole volume for offenders, and the other one, which mostly returns at
 * once, runs all rounds around the offenders. */
namespace cudaneuro
{
namespace
{

/** Shape of the search: each thread has some neighbors along x, and marches along z. */
constexpr int searchThreads = 128;
/** Blocks per multiprocessor, which limits the registers. */
constexpr int searchBlocks = 5;

/** LimitKernel has one block per multiprocessor, because few blocks soon arrive at a barrier. */
constexpr int limitThreads = 1024;

/** Marks voxels whose factor has been applied and whose J must be checked again. Above all factors. */
constexpr float takenFactor = 2.0f;

struct LimitArguments
{
  Extent            extent;
  MapPair           maps;
  const StepState * state;
  float             bound;
  /** The factor of each voxel, from 0 to 1, or takenFactor. Non-negative floats are ordered like their bits, so that an
   * atomic minimum of integers finds the smallest in any order of threads. */
  float * factor;
  /** Indices of offending voxels, unordered, in even and odd rounds; each has room for all voxels. */
  int * offenders[2];
  /** Planes of a block of the search. */
  int searchPlanes;
  /** Counters, which are 0 at first. */
  LimitCounts * counts;
};

/** The conversion to ConstSoAField, which host code has as an operator. */
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

/** The displacements of VRun neighbors along x. */
template <int VRun>
struct DisplacementRun
{
  float x[VRun];
  float y[VRun];
  float z[VRun];
};

/** Loads VRun values at once. */
template <int VRun>
__device__ __forceinline__ void
LoadRun(const float * from, float (&to)[VRun])
{
  if constexpr (VRun == 4)
  {
    const float4 values = *reinterpret_cast<const float4 *>(from);
    to[0] = values.x;
    to[1] = values.y;
    to[2] = values.z;
    to[3] = values.w;
  }
  else
  {
    for (int k = 0; k < VRun; ++k)
    {
      to[k] = from[k];
    }
  }
}

template <int VRun>
__device__ __forceinline__ DisplacementRun<VRun>
                           RunAt(const ConstSoAField & field, int i)
{
  DisplacementRun<VRun> run;
  LoadRun(field.x + i, run.x);
  LoadRun(field.y + i, run.y);
  LoadRun(field.z + i, run.z);
  return run;
}

/** Offsets in memory of the neighbors of VRun voxels along x in their plane, from the first voxel, and the scales of
 * the differences between neighbors. */
struct PlaneNeighborhood
{
  int   left;
  int   right;
  int   front;
  int   back;
  float scaleFirst;
  float scaleLast;
  float scaleY;
};

template <int VRun>
__device__ __forceinline__ PlaneNeighborhood
NeighborhoodOf(const Extent & extent, int x, int y)
{
  const DifferencePair first = DifferencePairAt(x, extent.x);
  const DifferencePair last = DifferencePairAt(x + VRun - 1, extent.x);
  const DifferencePair alongY = DifferencePairAt(y, extent.y);
  PlaneNeighborhood    neighborhood;
  neighborhood.left = first.lower - x;
  neighborhood.right = last.upper - x;
  neighborhood.front = (alongY.lower - y) * extent.x;
  neighborhood.back = (alongY.upper - y) * extent.x;
  neighborhood.scaleFirst = first.scale;
  neighborhood.scaleLast = last.scale;
  neighborhood.scaleY = alongY.scale;
  return neighborhood;
}

/** The displacements around VRun voxels: their own, and those of their neighbors along z and in the plane. */
template <int VRun>
struct DisplacementsAround
{
  DisplacementRun<VRun> here;
  DisplacementRun<VRun> below;
  DisplacementRun<VRun> above;
  DisplacementRun<VRun> front;
  DisplacementRun<VRun> back;
  DisplacementRun<1>    left;
  DisplacementRun<1>    right;

  __device__ __forceinline__ void
  LoadPlane(const ConstSoAField & field, int i, const PlaneNeighborhood & neighborhood)
  {
    front = RunAt<VRun>(field, i + neighborhood.front);
    back = RunAt<VRun>(field, i + neighborhood.back);
    left = RunAt<1>(field, i + neighborhood.left);
    right = RunAt<1>(field, i + neighborhood.right);
  }

  /** The derivative of the displacement at voxel \p k. */
  __device__ __forceinline__ FieldGradient
  GradientAt(int k, const PlaneNeighborhood & neighborhood, float scaleZ) const
  {
    const float scaleX = k == 0 ? neighborhood.scaleFirst : k == VRun - 1 ? neighborhood.scaleLast : 0.5f;
    const float scaleY = neighborhood.scaleY;
    const auto  alongX = [&](const float(&values)[VRun], float lower, float upper) {
      const float previous = k > 0 ? values[k > 0 ? k - 1 : 0] : lower;
      const float next = k + 1 < VRun ? values[k + 1 < VRun ? k + 1 : k] : upper;
      return scaleX * (next - previous);
    };
    FieldGradient gradient;
    gradient.xx = alongX(here.x, left.x[0], right.x[0]);
    gradient.xy = scaleY * (back.x[k] - front.x[k]);
    gradient.xz = scaleZ * (above.x[k] - below.x[k]);
    gradient.yx = alongX(here.y, left.y[0], right.y[0]);
    gradient.yy = scaleY * (back.y[k] - front.y[k]);
    gradient.yz = scaleZ * (above.y[k] - below.y[k]);
    gradient.zx = alongX(here.z, left.z[0], right.z[0]);
    gradient.zy = scaleY * (back.z[k] - front.z[k]);
    gradient.zz = scaleZ * (above.z[k] - below.z[k]);
    return gradient;
  }
};

/** Adds the offenders among the voxels of a warp that are near the bound. Bit k of \p near is the voxel \p i + k. Near
 * voxels are few and lie close together, so the lanes share them evenly. Called by a whole warp. */
template <int VRun>
__device__ __forceinline__ void
CheckNear(
  const LimitArguments & arguments, const ConstSoAField & candidate, unsigned int near, int i, int (&voxels)[32 * VRun])
{
  constexpr unsigned int all = 0xffffffffu;
  const int              lane = static_cast<int>(threadIdx.x) % 32;
  int                    count = 0;
#pragma unroll
  for (int k = 0; k < VRun; ++k)
  {
    const bool         isNear = (near & 1u << k) != 0;
    const unsigned int lanes = __ballot_sync(all, isNear);
    if (isNear)
    {
      voxels[count + __popc(lanes & ((1u << lane) - 1))] = i + k;
    }
    count += __popc(lanes);
  }
  __syncwarp();
  const Extent &      extent = arguments.extent;
  const ConstSoAField accepted = ReadOnly(arguments.maps.Accepted(*arguments.state));
  for (int index = lane; index < count; index += 32)
  {
    const int voxel = voxels[index];
    const int x = voxel % extent.x;
    const int y = voxel / extent.x % extent.y;
    const int z = voxel / (extent.x * extent.y);
    if (IsOffender<int>(arguments.bound, accepted, candidate, extent, x, y, z))
    {
      AddOffender(arguments, 0, voxel);
    }
  }
  __syncwarp();
}

/** Finds the offenders of the first round. Reads the candidate (12 bytes per voxel), and the accepted map near the
 * bound. Each thread keeps the displacements of its columns in registers, so that each plane is read once, except for
 * neighbors in the plane, which are cached. VRun neighbors along x share their loads: 4 where rows and volumes begin at
 * multiples of 16 bytes, otherwise 1. */
template <int VRun>
static __global__ void
__launch_bounds__(searchThreads, ResidentBlocks(searchBlocks, searchThreads))
  FindOffendersKernel(const __grid_constant__ LimitArguments arguments)
{
  const StepState & state = *arguments.state;
  const Extent &    extent = arguments.extent;
  if (state.isRunning == 0)
  {
    return;
  }
  __shared__ int voxels[searchThreads / 32][32 * VRun];
  // Warps stay whole: threads beyond the last run process that run, and add nothing.
  const int                 runs = extent.x / VRun;
  const int                 ownRun = blockIdx.x * searchThreads + threadIdx.x;
  const int                 run = min(ownRun, runs * extent.y - 1);
  const int                 x = run % runs * VRun;
  const int                 y = run / runs;
  const ConstSoAField       candidate = ReadOnly(arguments.maps.Candidate(state));
  const PlaneNeighborhood   neighborhood = NeighborhoodOf<VRun>(extent, x, y);
  const float               nearBound = NearBound(arguments.bound);
  const int                 plane = extent.x * extent.y;
  const int                 begin = blockIdx.y * arguments.searchPlanes;
  const int                 end = min(begin + arguments.searchPlanes, extent.z);
  int                       i = begin * plane + y * extent.x + x;
  DisplacementsAround<VRun> around;
  around.here = RunAt<VRun>(candidate, i);
  around.below = begin > 0 ? RunAt<VRun>(candidate, i - plane) : around.here;
  for (int z = begin; z < end; ++z, i += plane)
  {
    around.above = z + 1 < extent.z ? RunAt<VRun>(candidate, i + plane) : around.here;
    around.LoadPlane(candidate, i, neighborhood);
    const float  scaleZ = DifferencePairAt(z, extent.z).scale;
    unsigned int near = 0;
#pragma unroll
    for (int k = 0; k < VRun; ++k)
    {
      const float jacobian = Determinant(IdentityPlus(around.GradientAt(k, neighborhood, scaleZ)));
      near |= (jacobian >= nearBound ? 0u : 1u) << k;
    }
    near = run == ownRun ? near : 0u;
    if (__any_sync(0xffffffffu, near != 0))
    {
      CheckNear<VRun>(arguments, candidate, near, i, voxels[threadIdx.x / 32]);
    }
    around.below = around.here;
    around.here = around.above;
  }
}

/** Calls function(index, x, y, z, squared distance) for all voxels of the grid in boxes of half-width limitRadius
 * around the offenders of a round, divided among all threads. Voxels in several boxes occur repeatedly. */
template <typename TFunction>
__device__ __forceinline__ void
ForBoxes(const LimitArguments & arguments, int round, int numberOfOffenders, const TFunction & function)
{
  constexpr int          side = 2 * limitRadius + 1;
  constexpr unsigned int box = side * side * side;
  const Extent &         extent = arguments.extent;
  const int * const      offenders = arguments.offenders[round % 2];
  const auto             voxels = static_cast<unsigned long long>(numberOfOffenders) * box;
  for (unsigned long long voxel = blockIdx.x * limitThreads + threadIdx.x; voxel < voxels;
       voxel += gridDim.x * limitThreads)
  {
    const auto offender = static_cast<int>(voxel / box);
    const int  i = static_cast<int>(voxel % box);
    const int  at = offenders[offender];
    const int  dx = i % side - limitRadius;
    const int  dy = i / side % side - limitRadius;
    const int  dz = i / (side * side) - limitRadius;
    const int  x = at % extent.x + dx;
    const int  y = at / extent.x % extent.y + dy;
    const int  z = at / (extent.x * extent.y) + dz;
    if (x >= 0 && x < extent.x && y >= 0 && y < extent.y && z >= 0 && z < extent.z)
    {
      function((z * extent.y + y) * extent.x + x, x, y, z, dx * dx + dy * dy + dz * dz);
    }
  }
}

/** Runs all rounds: computes factors of the step around the offenders of a round; candidate <- accepted + factor
 * (candidate - accepted); finds the offenders of the next round, which can only be where the candidate has changed. A
 * cooperative launch. Reads and writes both maps near offenders. */
static __global__ void
__launch_bounds__(limitThreads, 1) LimitKernel(const __grid_constant__ LimitArguments arguments)
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
  for (int round = 0; round < limitRounds; ++round)
  {
    const int offenders = arguments.counts->offenders[round];
    if (offenders == 0)
    {
      return;
    }
    ForBoxes(arguments, round, offenders, [&](int i, int, int, int, int) { arguments.factor[i] = 1.0f; });
    waitForAll();
    const float limit = LimitOfRound(round);
    ForBoxes(arguments, round, offenders, [&](int i, int, int, int, int squaredDistance) {
      const float factor = LimitAround(limit, squaredDistance);
      if (factor < 1.0f)
      {
        atomicMin(factorBits + i, __float_as_int(factor));
      }
    });
    waitForAll();
    // Where boxes overlap, only the first thread to reach a voxel gets its factor.
    ForBoxes(arguments, round, offenders, [&](int i, int, int, int, int) {
      const float factor = __int_as_float(atomicExch(factorBits + i, __float_as_int(takenFactor)));
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
      if (atomicExch(factorBits + i, __float_as_int(1.0f)) == __float_as_int(takenFactor) &&
          IsOffender<int>(arguments.bound, ReadOnly(accepted), ReadOnly(candidate), arguments.extent, x, y, z))
      {
        AddOffender(arguments, round + 1, i);
      }
    });
    waitForAll();
  }
}

} // namespace
} // namespace cudaneuro

#endif
