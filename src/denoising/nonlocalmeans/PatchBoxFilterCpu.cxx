// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/nonlocalmeans/PatchBoxFilterCpu.h"

#include "denoising/nonlocalmeans/NonLocalMeansLoopsCpu.h"

namespace cudaneuro::cpu
{

PatchBoxFilter::PatchBoxFilter(const std::array<std::int64_t, 3> & radius,
                               std::int64_t                        rowStride,
                               std::int64_t                        largestNumberOfRows)
  : m_Radius(radius)
  , m_RowStride(rowStride)
  , m_Terms(rowStride * (largestNumberOfRows + 2 * radius[1]))
  , m_Ring(rowStride * largestNumberOfRows * this->RingSize())
  , m_SumsAlongZ{ AlignedBuffer(rowStride * largestNumberOfRows, 2 * radius[0]),
                  AlignedBuffer(rowStride * largestNumberOfRows, 2 * radius[0]) }
  , m_Boxes(rowStride * largestNumberOfRows)
{
  for (std::int64_t row = 0; row < largestNumberOfRows + 2 * radius[1]; ++row)
  {
    m_TermRows.push_back(m_Terms.Data() + row * rowStride);
  }
  for (std::int64_t row = 0; row < largestNumberOfRows * this->RingSize(); ++row)
  {
    m_RingRows.push_back(m_Ring.Data() + row * rowStride);
  }
  for (std::int64_t plane = 0; plane < 2 * this->RingSize(); ++plane)
  {
    m_RingPlanes.push_back(m_RingRows[plane % this->RingSize() * largestNumberOfRows]);
  }
}

void
PatchBoxFilter::AddPlane(std::int64_t plane, std::int64_t numberOfRows)
{
  const std::int64_t rowsPerPlane = static_cast<std::int64_t>(m_RingRows.size()) / this->RingSize();
  float * const *    slot = m_RingRows.data() + plane % this->RingSize() * rowsPerPlane;
  SumRows(m_RowStride, m_TermRows.data(), 2 * m_Radius[1] + 1, slot, numberOfRows);
}

void
PatchBoxFilter::SumAlongZ(std::int64_t first, bool withNext, std::int64_t numberOfRows)
{
  float * const sums[2] = { m_SumsAlongZ[0].Data(), m_SumsAlongZ[1].Data() };
  SumRows(numberOfRows * m_RowStride,
          m_RingPlanes.data() + first % this->RingSize(),
          2 * m_Radius[2] + 1,
          sums,
          withNext ? 2 : 1);
}

void
PatchBoxFilter::SumAlongX(bool isNext, std::int64_t numberOfRows)
{
  const float * const sums = this->SumsAlongZ(isNext) - m_Radius[0];
  cpu::SumAlongX(numberOfRows * m_RowStride, sums, 2 * m_Radius[0] + 1, m_Boxes.Data());
}

} // namespace cudaneuro::cpu
