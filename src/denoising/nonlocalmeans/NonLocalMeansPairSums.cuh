// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairSums_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansPairSums_cuh

#include <cstdint>

namespace cudaneuro::gpu
{

/** The sums of a block for its tile and for the voxels within a window around it, in shared memory: a ring of VPlanes
 * planes of VRows rows of 32 columns, for each of VSums sums. If there are three, the last is a maximum. A plane to
 * which the block adds no more moves to device memory, and its place serves a plane further up. */
template <int VSums, int VPlanes, int VRows>
struct NonLocalMeansPairSums
{
  static constexpr int sums = VSums;
  static constexpr int floatsPerPlane = VRows * 32;
  static constexpr int floats = VSums * VPlanes * floatsPerPlane;

  float * values;
  /** The place of the lowest plane in the ring. */
  int slot;

  /** Sets all sums to 0. \param shared memory for \c floats values */
  __device__ __forceinline__ void
  Start(float * shared)
  {
    values = shared;
    slot = 0;
    for (int i = threadIdx.x; i < floats; i += blockDim.x)
    {
      values[i] = 0.0f;
    }
  }

  /** Returns plane \p index of a sum, counted from the lowest; 0 <= index < VPlanes. */
  __device__ __forceinline__ float *
  Plane(int sum, int index) const
  {
    const int s = slot + index;
    return values + (sum * VPlanes + (s >= VPlanes ? s - VPlanes : s)) * floatsPerPlane;
  }

  /** Includes a thread's values for successive planes, from \p plane on, at \p place in each. All loads precede all
   * stores, so that the thread waits for memory once. */
  template <int VCount>
  __device__ __forceinline__ void
  Include(const float (&added)[VSums][VCount], int plane, int place) const
  {
    float * targets[VSums][VCount];
    float   results[VSums][VCount];
#pragma unroll
    for (int sum = 0; sum < VSums; ++sum)
    {
#pragma unroll
      for (int i = 0; i < VCount; ++i)
      {
        targets[sum][i] = this->Plane(sum, plane + i) + place;
        const float old = *targets[sum][i];
        results[sum][i] = sum == 2 ? fmaxf(old, added[sum][i]) : old + added[sum][i];
      }
    }
#pragma unroll
    for (int sum = 0; sum < VSums; ++sum)
    {
#pragma unroll
      for (int i = 0; i < VCount; ++i)
      {
        *targets[sum][i] = results[sum][i];
      }
    }
  }

  /** Moves the \p count lowest planes to \p target, of which those in [begin, end) are stored, and makes room for the
   * same number of planes above. All threads of the block must call it, between two barriers. */
  __device__ __forceinline__ void
  Release(int count, int begin, int end, float * target)
  {
    for (int plane = 0; plane < count; ++plane)
    {
      const bool isStored = plane >= begin && plane < end;
      for (int sum = 0; sum < VSums; ++sum)
      {
        float * const from = this->Plane(sum, plane);
        for (int i = threadIdx.x; i < floatsPerPlane; i += blockDim.x)
        {
          if (isStored)
          {
            target[static_cast<std::int64_t>(plane * VSums + sum) * floatsPerPlane + i] = from[i];
          }
          from[i] = 0.0f;
        }
      }
    }
    slot = slot + count >= VPlanes ? slot + count - VPlanes : slot + count;
  }
};

} // namespace cudaneuro::gpu

#endif
