// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointGroupsCpu_h
#define cudaneuro_points_PointGroupsCpu_h

#include "core/VectorDispatch.h"
#include "points/PointOrder.h"

#include <algorithm>
#include <cstdint>
#include <limits>

/** Consecutive points side by side in the processor's vectors, and searches for near ones. For loops inside
 * VectorDispatch. */
namespace cudaneuro::cpu
{

/** Positions and momenta of consecutive points, one per lane, or their slopes or derivatives. */
template <int VDimension, typename T>
struct alignas(64) PointGroup
{
  T position[VDimension][pointsPerGroup];
  T momentum[VDimension][pointsPerGroup];
};

template <int VDimension, typename T>
struct Box
{
  T low[VDimension];
  T high[VDimension];
};

/** Number of consecutive groups' bounding boxes that are side by side, one per lane. */
constexpr int boxesPerGroup = 16;

template <int VDimension, typename T>
struct alignas(64) BoxGroup
{
  T low[VDimension][boxesPerGroup];
  T high[VDimension][boxesPerGroup];
};

template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE Box<VDimension, T>
                        BoxOf(const BoxGroup<VDimension, T> * boxes, int group)
{
  Box<VDimension, T> box = {};
  for (int d = 0; d < VDimension; ++d)
  {
    box.low[d] = boxes[group / boxesPerGroup].low[d][group % boxesPerGroup];
    box.high[d] = boxes[group / boxesPerGroup].high[d][group % boxesPerGroup];
  }
  return box;
}

/** Sets the box of a group of points. */
template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE void
SetBox(const PointGroup<VDimension, T> & points, int group, BoxGroup<VDimension, T> * boxes)
{
  BoxGroup<VDimension, T> & box = boxes[group / boxesPerGroup];
  for (int d = 0; d < VDimension; ++d)
  {
    T low = points.position[d][0];
    T high = points.position[d][0];
    for (int i = 1; i < pointsPerGroup; ++i)
    {
      const T x = points.position[d][i];
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    box.low[d][group % boxesPerGroup] = low;
    box.high[d][group % boxesPerGroup] = high;
  }
}

/** A bit for each of 16 boxes whose squared distance from \p box is below the limit, or NaN. */
template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE std::uint32_t
NearLanes(const Box<VDimension, T> & box, const T (&low)[VDimension][16], const T (&high)[VDimension][16], T limit)
{
  std::uint32_t near = 0;
  for (int i = 0; i < 16; ++i)
  {
    T square = 0;
    for (int d = 0; d < VDimension; ++d)
    {
      const T above = low[d][i] - box.high[d];
      const T below = box.low[d] - high[d][i];
      const T outside = above > below ? above : below;
      const T gap = outside < T(0) ? T(0) : outside;
      square += gap * gap;
    }
    near |= square >= limit ? 0u : 1u << i;
  }
  return near;
}

/** A bit for each of a group's points, as boxes without extent, whose squared distance is below the limit, or NaN. */
template <int VDimension, typename T>
CUDANEURO_ALWAYS_INLINE std::uint32_t
                        NearPoints(const Box<VDimension, T> & box, const PointGroup<VDimension, T> & points, T limit)
{
  return NearLanes(box, points.position, points.position, limit);
}

/** Maximum number of points in a run of ForNearPoints. */
constexpr int termsPerSum = 32;

/** Calls body(indices, count) for all points whose squared distance from a box is below the limit, in runs of
 * termsPerSum points, and a shorter last one. */
template <int VDimension, typename T, typename TBody>
CUDANEURO_ALWAYS_INLINE void
ForNearPoints(const Box<VDimension, T> &        box,
              const PointGroup<VDimension, T> * points,
              const BoxGroup<VDimension, T> *   boxes,
              int                               groups,
              T                                 limit,
              const TBody &                     body)
{
  std::uint32_t indices[termsPerSum + boxesPerGroup * pointsPerGroup];
  int           count = 0;
  for (int first = 0; first < groups; first += boxesPerGroup)
  {
    const BoxGroup<VDimension, T> & others = boxes[first / boxesPerGroup];
    const std::uint32_t             nearGroups = NearLanes(box, others.low, others.high, limit);
    const int                       end = std::min(groups - first, boxesPerGroup);
    for (int i = 0; i < end && nearGroups >> i != 0; ++i)
    {
      if ((nearGroups >> i & 1u) != 0)
      {
        const std::uint32_t near = NearPoints(box, points[first + i], limit);
        for (int lane = 0; lane < pointsPerGroup; ++lane)
        {
          indices[count] = static_cast<std::uint32_t>((first + i) * pointsPerGroup + lane);
          count += static_cast<int>(near >> lane & 1u);
        }
      }
    }
    const bool isLast = first + boxesPerGroup >= groups;
    int        done = 0;
    while (count - done >= termsPerSum || (isLast && done < count))
    {
      const int terms = std::min(termsPerSum, count - done);
      body(indices + done, terms);
      done += terms;
    }
    count = static_cast<int>(std::copy(indices + done, indices + count, indices) - indices);
  }
}

} // namespace cudaneuro::cpu

#endif
