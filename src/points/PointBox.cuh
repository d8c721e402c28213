// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointBox_cuh
#define cudaneuro_points_PointBox_cuh

#include "points/PointRecords.cuh"

namespace cudaneuro
{

/** The bounding box of points. */
template <typename T, int VDimension>
struct PointBox
{
  T lowest[VDimension];
  T highest[VDimension];

  template <typename TRead>
  __device__ static PointBox
  Read(const T * record)
  {
    constexpr int perPiece = 16 / static_cast<int>(sizeof(T));
    T             values[boxWidth];
    for (int piece = 0; piece < boxWidth / perPiece; ++piece)
    {
      const int4 bits = TRead::Read(reinterpret_cast<const int4 *>(record) + piece);
      memcpy(values + piece * perPiece, &bits, sizeof(bits));
    }
    PointBox box;
    for (int d = 0; d < VDimension; ++d)
    {
      box.lowest[d] = values[d];
      box.highest[d] = values[boxHighest + d];
    }
    return box;
  }

  __device__ void
  Include(const PointBox & other)
  {
    for (int d = 0; d < VDimension; ++d)
    {
      lowest[d] = min(lowest[d], other.lowest[d]);
      highest[d] = max(highest[d], other.highest[d]);
    }
  }

  /** The squared distance between the nearest points of two boxes. A coordinate that is NaN counts as distance
   * 0. */
  __device__ T
  SquaredDistance(const PointBox & other) const
  {
    T sum = 0;
    for (int d = 0; d < VDimension; ++d)
    {
      const T gap = max(max(lowest[d] - other.highest[d], other.lowest[d] - highest[d]), static_cast<T>(0));
      sum += gap * gap;
    }
    return sum;
  }

  /** The squared distance of a point from the box, with the same rule for NaN. */
  __device__ T
  SquaredDistance(const T (&point)[VDimension]) const
  {
    T sum = 0;
    for (int d = 0; d < VDimension; ++d)
    {
      const T gap = max(max(lowest[d] - point[d], point[d] - highest[d]), static_cast<T>(0));
      sum += gap * gap;
    }
    return sum;
  }
};

} // namespace cudaneuro

#endif
