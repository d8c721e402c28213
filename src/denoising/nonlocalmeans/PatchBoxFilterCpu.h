// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_PatchBoxFilterCpu_h
#define cudaneuro_denoising_nonlocalmeans_PatchBoxFilterCpu_h

#include "core/AlignedBuffer.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro::cpu
{

/** Box sums of one quantity of a tile, plane by plane: along y, along z over a ring of planes, two sums at a time, and
 * along x. All terms are added anew for each sum: a running sum would drift. */
class PatchBoxFilter
{
public:
  /** \param radius of the box; \param largestNumberOfRows of a plane of sums */
  PatchBoxFilter(const std::array<std::int64_t, 3> & radius, std::int64_t rowStride, std::int64_t largestNumberOfRows);

  /** Where the terms of a plane go, which have 2 radius rows more than its sums, half of them before. */
  float *
  Terms()
  {
    return m_Terms.Data();
  }

  /** Takes in the terms of a plane that has \p numberOfRows rows of sums; planes are counted from 0. */
  void
  AddPlane(std::int64_t plane, std::int64_t numberOfRows);

  /** Sums planes first ... first + 2 radius and, withNext, first + 1 ... first + 2 radius + 1, along z. They must be
   * the last that were added. */
  void
  SumAlongZ(std::int64_t first, bool withNext, std::int64_t numberOfRows);

  /** Result of SumAlongZ, first or next. It may be read 2 radius elements before and behind. */
  const float *
  SumsAlongZ(bool isNext) const
  {
    return m_SumsAlongZ[isNext ? 1 : 0].Data();
  }

  /** The boxes of a plane from its sums along z. */
  void
  SumAlongX(bool isNext, std::int64_t numberOfRows);

  /** Result of SumAlongX. */
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
  /** The ring's planes twice over: any run of them in order. */
  std::vector<const float *> m_RingPlanes;
};

} // namespace cudaneuro::cpu

#endif
