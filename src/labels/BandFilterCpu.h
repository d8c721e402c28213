// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_BandFilterCpu_h
#define cudaneuro_labels_BandFilterCpu_h

#include "core/VectorDispatch.h"
#include "labels/LabelLevels.h"

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

/** Applies Chebyshev series of a band's Laplacian to four numbers for each voxel, and finds the changes of level sets.
 * One object serves one thread. */
class BandFilter
{
public:
  BandFilter(const LabelGrid & grid, const LabelBand & band, const BandRows & rows);

  /** Applies a series to the input; the result stands in Result(). */
  void
  Apply(const std::vector<float> & series);
  /** Finds the change of level sets that is likely; it stands in Result().
   * \param votes of the voxels, for each voxel, beside those by distance; may be null */
  void
  Solve(const VersionValues &      levels,
        const LabelFit &           fit,
        const std::vector<float> & series,
        const float *              votes = nullptr);

  VersionValues &
  Input()
  {
    return m_Input;
  }
  const VersionValues &
  Result() const
  {
    return m_Result;
  }

private:
  /** The weights of the labels, with the signs of their sides. */
  void
  WeighLabels(const VersionValues & levels, float reach, const float * votes);

  const LabelBand & m_Band;
  const BandRows &  m_Rows;
  AxisShares        m_Shares;
  VersionValues     m_First;
  VersionValues     m_Second;
  VersionValues     m_Input;
  VersionValues     m_Result;
  VersionValues     m_Weights;
};

} // namespace cudaneuro::cpu

#endif
