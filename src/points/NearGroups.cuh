// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_NearGroups_cuh
#define cudaneuro_points_NearGroups_cuh

#include "core/IntegerMath.h"
#include "points/PointBox.cuh"

namespace cudaneuro
{

/** Number of groups that are tested at once, which limits the size of the list. */
constexpr int windowGroups = 2048;

/** Shared memory of NearGroups. */
struct NearGroupMemory
{
  unsigned int isNear[windowGroups / 32];
  int          list[windowGroups];
};

/** Makes the list of groups that are near a tile, in order. Called by all threads of a block.
 *
 * Reads all boxes of a window, one per thread; the votes of a warp form a word of bits. Each warp then counts the bits
 * of the preceding words and writes the numbers of its own words' groups. */
template <int VWarps>
struct NearGroups
{
  /** \returns the number of groups of [first, min(first + windowGroups, groups)) in memory.list */
  template <typename T, int VDimension>
  static __device__ int
  List(const PointBox<T, VDimension> & tile,
       const T *                       boxes,
       int                             first,
       int                             groups,
       T                               negligibleSquaredDistance,
       NearGroupMemory &               memory)
  {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int warp = static_cast<int>(threadIdx.x / 32);
    const int words = DivideUp(min(groups - first, windowGroups), 32);
    for (int word = warp; word < words; word += VWarps)
    {
      const int group = first + 32 * word + lane;
      bool      isNear = false;
      if (group < groups)
      {
        const auto box =
          PointBox<T, VDimension>::template Read<ReadThroughL2>(boxes + static_cast<std::int64_t>(group) * boxWidth);
        isNear = !(tile.SquaredDistance(box) > negligibleSquaredDistance);
      }
      const unsigned int votes = __ballot_sync(0xffffffffu, isNear);
      if (lane == 0)
      {
        memory.isNear[word] = votes;
      }
    }
    __syncthreads();
    const int count = Expand(first, words, lane, warp, memory);
    __syncthreads();
    return count;
  }

private:
  static __device__ int
  Expand(int first, int words, int lane, int warp, NearGroupMemory & memory)
  {
    static_assert(windowGroups == 64 * 32, "each lane counts the bits of two words");
    const int even = 2 * lane < words ? __popc(memory.isNear[2 * lane]) : 0;
    const int odd = 2 * lane + 1 < words ? __popc(memory.isNear[2 * lane + 1]) : 0;
    int       end = even + odd;
    for (int distance = 1; distance < 32; distance *= 2)
    {
      const int before = __shfl_up_sync(0xffffffffu, end, distance);
      end += lane >= distance ? before : 0;
    }
    for (int word = warp; word < words; word += VWarps)
    {
      const int          beginOfPair = __shfl_sync(0xffffffffu, end - even - odd, word / 2);
      const int          evenOfPair = __shfl_sync(0xffffffffu, even, word / 2);
      const unsigned int votes = memory.isNear[word];
      const unsigned int before = votes & ((1u << lane) - 1u);
      if ((votes >> lane) & 1u)
      {
        memory.list[beginOfPair + (word % 2) * evenOfPair + __popc(before)] = first + 32 * word + lane;
      }
    }
    return __shfl_sync(0xffffffffu, end, 31);
  }
};

} // namespace cudaneuro

#endif
