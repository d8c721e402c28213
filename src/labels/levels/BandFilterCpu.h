// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_BandFilterCpu_h
#define cudaneuro_labels_levels_BandFilterCpu_h

#include "core/VectorDispatch.h"
#include "labels/levels/LabelLevels.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace cudaneuro::cpu
{

/** The voxels of a band in rows along x, in each of which all voxels have their neighbors at the same steps, so that
 * loops over them are those of plain arrays. */
class BandRows
{
public:
  struct Row
  {
    std::int32_t begin;
    std::int32_t end;
    /** From a voxel's number to those of its neighbors. */
    std::int32_t steps[6];
  };

  explicit BandRows(const LabelBand & band);

  const std::vector<Row> &
  Get() const
  {
    return m_Rows;
  }

private:
  std::vector<Row> m_Rows;
};

/** Applies Chebyshev series of a band's Laplacian to four numbers for each voxel. One object serves one thread. */
class BandSeries
{
public:
  BandSeries(const AxisShares & shares, const BandRows & rows, std::int32_t count);

  /** Applies a series to the input; the result stands in Result(). */
  void
  Apply(const std::vector<float> & series);

  VersionValues &
  Input()
  {
    return m_Input;
  }
  VersionValues &
  Result()
  {
    return m_Result;
  }

private:
  const BandRows & m_Rows;
  AxisShares       m_Shares;
  VersionValues    m_First;
  VersionValues    m_Second;
  VersionValues    m_Input;
  VersionValues    m_Result;
};

} // namespace cudaneuro::cpu

#endif
