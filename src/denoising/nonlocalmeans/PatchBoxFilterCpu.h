// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_PatchBoxFilterCpu_h
#define cudaneuro_denoising_nonlocalmeans_PatchBoxFilterCpu_h

#include "core/HostMemory.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro::cpu
{

/** Box sums of one quantity of a tile, plane by plane: along y, along z over a ring of planes, two sums at a time, and
 * along x. Each sum adds all its terms, since rounding errors would grow in a running sum. */
class PatchBoxFilter
{
public:
  /** \param radius of the box; \param largestNumberOfRows of a plane of sums */
  PatchBoxFilter(const std::array<std::int64_t, 3> & radius, std::int64_t rowStride, std::int64_t largestNumberOfRows);

  /** Returns the memory for the terms of a plane, which have radius more rows than its sums before and after them. */
  float *
  Terms()
  {
    return m_Terms.Data();
  }

  /** Adds the terms of plane \p plane, counted from 0, with \p numberOfRows rows of sums. */
  void
  AddPlane(std::int64_t plane, std::int64_t numberOfRows);

  /** Sums planes first to first + 2 radius along z, and, withNext, planes first + 1 to first + 2 radius + 1. They are
   * the last that were added. */
  void
  SumAlongZ(std::int64_t first, bool withNext, std::int64_t numberOfRows);

  /** Returns the first or next result of SumAlongZ. It is readable up to 2 radius elements before and behind. */
  const float *
  SumsAlongZ(bool isNext) const
  {
    return m_SumsAlongZ[isNext ? 1 : 0].Data();
  }

  /** Computes the boxes of a plane from its sums along z. */
  void
  SumAlongX(bool isNext, std::int64_t numberOfRows);

  /** Returns the result of SumAlongX. */
  float *
  Boxes()
  {
    return m_Boxes.Data();
  }

private:
  std::int64_t
  RingSize() const
  {
    return 2 * m_Radius[2] + 2;
  }

  std::array<std::int64_t, 3>  m_Radius;
  std::int64_t                 m_RowStride;
  AlignedBuffer                m_Terms;
  AlignedBuffer                m_Ring;
  std::array<AlignedBuffer, 2> m_SumsAlongZ;
  AlignedBuffer                m_Boxes;
  /** Rows of m_Terms. */
  std::vector<const float *> m_TermRows;
  /** Rows of the ring's planes: plane by row. */
  std::vector<float *> m_RingRows;
  /** The ring's planes twice, so that any successive planes are successive here. */
  std::vector<const float *> m_RingPlanes;
};

} // namespace cudaneuro::cpu

#endif
