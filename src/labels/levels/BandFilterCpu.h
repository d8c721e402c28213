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

/** The voxels of a band in rows along x. Within a row, the offsets of the neighbors are constant, so that loops over it
 * are loops over plain arrays. */
class BandRows
{
public:
  struct Row
  {
    std::int32_t begin;
    std::int32_t end;
    /** Offsets from a voxel's number to those of its neighbors. */
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

/** Applies Chebyshev series of a band's Laplacian to four numbers per voxel. An object is used by one thread. */
class BandSeries
{
public:
  BandSeries(const AxisShares & shares, const BandRows & rows, std::int32_t count);

  /** Applies a series to Input(); the result is in Result(). */
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
