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
 * along x. Each sum adds all its terms, because rounding errors would accumulate in a running sum. */
class PatchBoxFilter
{
public:
  /** \param radius half-widths of the box; \param largestNumberOfRows maximum number of rows in a plane of sums */
  PatchBoxFilter(const std::array<std::int64_t, 3> & radius, std::int64_t rowStride, std::int64_t largestNumberOfRows);

  /** Returns the memory for the terms of a plane, which have \c radius more rows than the sums on either side. */
  float *
  Terms()
  {
    return m_Terms.Data();
  }

  /** Adds the terms of plane \p plane, counted from 0, with \p numberOfRows rows of sums. */
  void
  AddPlane(std::int64_t plane, std::int64_t numberOfRows);

  /** Sums planes first to first + 2 radius along z, and, withNext, planes first + 1 to first + 2 radius + 1. These must
   * be the planes that were added last. */
  void
  SumAlongZ(std::int64_t first, bool withNext, std::int64_t numberOfRows);

  /** Returns the first or next result of SumAlongZ. It is readable up to 2 radius elements before and after. */
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
  /** Pointers to the rows of m_Terms. */
  std::vector<const float *> m_TermRows;
  /** Pointers to the rows of the ring's planes, by plane and row. */
  std::vector<float *> m_RingRows;
  /** Pointers to the ring's planes, listed twice, so that any run of successive planes is contiguous here. */
  std::vector<const float *> m_RingPlanes;
};

} // namespace cudaneuro::cpu

#endif
