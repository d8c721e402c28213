// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_GroupShrinkageKernel_cuh
#define cudaneuro_denoising_adaptive_GroupShrinkageKernel_cuh

#include "denoising/adaptive/BlockMatchingKernel.cuh"
#include "denoising/adaptive/BlockTransform.h"

namespace cudaneuro::gpu
{

constexpr int shrinkageThreads = 256;
constexpr int groupsOfThreads = shrinkageThreads / groupSize;

/** The references of a block of threads, which shrinks their groups and sums in shared memory before global memory. */
template <typename TShape, int VPlanes>
using ShrinkageBox = BlockBox<TShape, 8, (TShape::depth > 1 ? 2 : 4), VPlanes>;

/** Returns the dynamic shared memory: the noisy voxels, sums, counts, and the guide's voxels. */
template <typename TBox>
constexpr std::size_t
ShrinkageBytes(ShrinkagePass pass)
{
  return TBox::size * sizeof(float) * (pass == ShrinkagePass::First ? 3 : 4);
}

/** Sums values over the groupSize lanes of a group. Each lane receives VCount / groupSize of the sums, starting with
 * number lane * VCount / groupSize. */
template <int VCount>
__device__ __forceinline__ void
SumOverGroup(const float (&values)[VCount], int lane, float (&sums)[VCount / groupSize])
{
  static_assert(groupSize == 16);
  constexpr unsigned int all = 0xffffffffu;
  float                  part[VCount / 2];
#pragma unroll
  for (int i = 0; i < VCount / 2; ++i)
  {
    const bool  isUpper = (lane & 8) != 0;
    const float sent = isUpper ? values[i] : values[i + VCount / 2];
    part[i] = (isUpper ? values[i + VCount / 2] : values[i]) + __shfl_xor_sync(all, sent, 8);
  }
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2)
  {
    const bool isUpper = (lane & distance) != 0;
    const int  half = distance * VCount / groupSize;
#pragma unroll
    for (int i = 0; i < VCount / 4; ++i)
    {
      if (i < half)
      {
        const float sent = isUpper ? part[i] : part[i + half];
        part[i] = (isUpper ? part[i + half] : part[i]) + __shfl_xor_sync(all, sent, distance);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < VCount / groupSize; ++i)
  {
    sums[i] = part[i];
  }
}

/** Returns the sum of a coefficient from the lane that SumOverGroup assigned it to. */
template <int VOwned>
__device__ __forceinline__ float
OfCoefficient(const float (&owned)[VOwned], int coefficient)
{
  return __shfl_sync(0xffffffffu, owned[coefficient % VOwned], coefficient / VOwned, groupSize);
}

/** A lane's block, with the means and mean squared deviations of the group's coefficients that the lane owns. Blocks
 * are transformed; values are deviations from the mean, and 0 for a missing member. */
template <typename TShape, typename TBox>
struct GroupMember
{
  static constexpr int owned = TShape::voxels / groupSize;

  float values[TShape::voxels];
  float means[owned];
  float deviations[owned];

  __device__ __forceinline__
  GroupMember(const float * block, bool isThere, float count, int lane)
  {
#pragma unroll
    for (int i = 0; i < TShape::voxels; ++i)
    {
      const int row = i / blockEdge / blockEdge * TBox::height + i / blockEdge % blockEdge;
      values[i] = block[row * TBox::width + i % blockEdge];
    }
    TransformBlock(values);
#pragma unroll
    for (float & value : values)
    {
      value = isThere ? value : 0.0f;
    }
    SumOverGroup(values, lane, means);
#pragma unroll
    for (float & mean : means)
    {
      mean /= count;
    }
    float squares[TShape::voxels];
#pragma unroll
    for (int i = 0; i < TShape::voxels; ++i)
    {
      const float deviation = values[i] - OfCoefficient(means, i);
      values[i] = isThere ? deviation : 0.0f;
      squares[i] = values[i] * values[i];
    }
    SumOverGroup(squares, lane, deviations);
#pragma unroll
    for (float & deviation : deviations)
    {
      deviation /= count;
    }
  }
};

/** Turns the member's values into the changes of its voxels. \param guide null in the first pass */
template <typename TShape, typename TBox, ShrinkagePass VPass>
__device__ __forceinline__ void
ShrinkMember(const float * noisy,
             const float * guide,
             bool          isThere,
             float         count,
             float         variance,
             int           lane,
             float (&residuals)[TShape::voxels])
{
  constexpr int owned = GroupMember<TShape, TBox>::owned;
  float         guideMeans[owned] = {};
  float         guideDeviations[owned] = {};
  if constexpr (VPass == ShrinkagePass::Second)
  {
    const GroupMember<TShape, TBox> member(guide, isThere, count, lane);
#pragma unroll
    for (int i = 0; i < owned; ++i)
    {
      guideMeans[i] = member.means[i];
      guideDeviations[i] = member.deviations[i];
    }
  }
  const GroupMember<TShape, TBox> member(noisy, isThere, count, lane);
  float                           shifts[owned];
  float                           slopes[owned];
#pragma unroll
  for (int i = 0; i < owned; ++i)
  {
    const bool      isMean = i == 0 && lane == 0;
    const Shrinkage shrinkage =
      VPass == ShrinkagePass::First
        ? FirstShrinkage(isMean, member.means[i], member.deviations[i], variance, count)
        : SecondShrinkage(isMean, member.means[i], guideMeans[i], guideDeviations[i], variance, count);
    shifts[i] = shrinkage.shift;
    slopes[i] = shrinkage.slope;
  }
#pragma unroll
  for (int i = 0; i < TShape::voxels; ++i)
  {
    residuals[i] = OfCoefficient(slopes, i) * member.values[i] + OfCoefficient(shifts, i);
  }
  InvertBlock(residuals);
}

/** Reads the noisy volume, in the second pass the guide, and the groups; adds to the sums. Each group has 16 lanes, one
 * for each of its blocks. Thread blocks are in the order of their references. */
template <typename TShape, int VPlanes, ShrinkagePass VPass>
__global__ void
__launch_bounds__(shrinkageThreads, 2) ShrinkGroupsKernel(const __grid_constant__ BlockImage image,
                                                          const float *                      noisy,
                                                          const float *                      guide,
                                                          BlockGroups                        groups,
                                                          ResidualSums                       residuals)
{
  using Box = ShrinkageBox<TShape, VPlanes>;
  extern __shared__ float noisyBox[];
  auto * const            sums = reinterpret_cast<int *>(noisyBox + Box::size);
  int * const             counts = sums + Box::size;
  float * const           guideBox = noisyBox + 3 * Box::size;
  const auto              thread = static_cast<int>(threadIdx.x);
  const int               firstX = static_cast<int>(blockIdx.x) * Box::referencesX;
  const int               firstY = static_cast<int>(blockIdx.y) * Box::referencesY;
  const int               firstZ = static_cast<int>(blockIdx.z) * Box::referencesZ;
  const Box               box(image, firstX, firstY, firstZ);
  box.Load(image.extent, noisy, noisyBox, thread, shrinkageThreads);
  if constexpr (VPass == ShrinkagePass::Second)
  {
    box.Load(image.extent, guide, guideBox, thread, shrinkageThreads);
  }
  for (int i = thread; i < 2 * Box::size; i += shrinkageThreads)
  {
    sums[i] = 0;
  }
  __syncthreads();
  const int lane = thread % groupSize;
#pragma unroll 1
  for (int i = thread / groupSize; i < Box::referencesX * Box::referencesY * Box::referencesZ; i += groupsOfThreads)
  {
    const int  referenceX = firstX + i % Box::referencesX;
    const int  referenceY = firstY + i / Box::referencesX % Box::referencesY;
    const int  referenceZ = firstZ + i / Box::referencesX / Box::referencesY;
    const bool isInImage =
      referenceX < image.references.x && referenceY < image.references.y && referenceZ < image.references.z;
    const std::int64_t reference =
      (static_cast<std::int64_t>(referenceZ) * image.references.y + referenceY) * image.references.x + referenceX;
    const float         variance = isInImage ? groups.variances[reference] : 0.0f;
    const bool          hasGroup = variance > 0.0f;
    const std::uint16_t candidate = hasGroup ? groups.members[groupSize * reference + lane] : noMember;
    const bool          isThere = candidate != noMember;
    const unsigned int  ofWarp = __ballot_sync(0xffffffffu, isThere);
    if (ofWarp == 0)
    {
      continue;
    }
    const unsigned int ofGroup = ofWarp >> (thread % 32 / groupSize * groupSize) & 0xffffu;
    const auto         count = static_cast<float>(max(__popc(ofGroup), 1));
    int                place = 0;
    if (isThere)
    {
      const int row = candidate / TShape::width;
      place = box.Place(ReferenceX(image, referenceX) - TShape::reach + candidate % TShape::width,
                        ReferenceY(image, referenceY) - TShape::reach + row % TShape::width,
                        ReferencePlane(TShape(), image, referenceZ) - TShape::reachZ + row / TShape::width);
    }
    float values[TShape::voxels];
    ShrinkMember<TShape, Box, VPass>(
      noisyBox + place, guideBox + place, isThere, count, hasGroup ? variance : 1.0f, lane, values);
    if (isThere)
    {
#pragma unroll
      for (int k = 0; k < TShape::voxels; ++k)
      {
        const int row = k / blockEdge / blockEdge * Box::height + k / blockEdge % blockEdge;
        atomicAdd(sums + place + row * Box::width + k % blockEdge, __float2int_rn(residualsPerNoise * values[k]));
      }
      atomicAdd(counts + place, 1);
    }
  }
  __syncthreads();
  box.ForEach(thread, shrinkageThreads, [&](int i, int x, int y, int z) {
    const int sum = sums[i];
    const int count = counts[i];
    if (sum != 0 || count != 0)
    {
      const std::int64_t voxel = box.Index(image.extent, x, y, z);
      atomicAdd(reinterpret_cast<unsigned long long *>(residuals.sums + voxel),
                static_cast<unsigned long long>(static_cast<long long>(sum)));
      atomicAdd(residuals.counts + voxel, count);
    }
  });
}

} // namespace cudaneuro::gpu

#endif
