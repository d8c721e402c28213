// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborPanelsCpu_h
#define cudaneuro_neighbors_NeighborPanelsCpu_h

#include "core/HostMemory.h"
#include "neighbors/NearestNeighbors.h"

namespace cudaneuro::cpu
{

/** Number of points in a panel, which are adjacent in the processor's vectors. */
constexpr int pointsPerPanel = 32;

/** All points in the layout of the single-precision search: panels of 32 points, component by component. The last panel
 * is filled up with NaN, which is never near.
 *
 * Components are multiplied by a power of two, which is exact: the largest magnitude is then 2^49 to 2^50, so that
 * squared distances neither overflow nor, unless they are 2^-220 of the largest, underflow. */
class NeighborPanels
{
public:
  /** \throws OutOfMemoryError */
  NeighborPanels(Context & context, const NeighborSearch & search);

  std::int64_t
  GetNumberOfPanels() const
  {
    return m_NumberOfPanels;
  }

  /** Component i of the panel's points begins at i * pointsPerPanel. */
  const float *
  GetPanel(std::int64_t panel) const
  {
    return m_Values.Data() + panel * m_Dimension * pointsPerPanel;
  }

  /** The factor of all components. */
  double
  GetScale() const
  {
    return m_Scale;
  }

private:
  int           m_Dimension;
  std::int64_t  m_NumberOfPanels;
  double        m_Scale;
  AlignedBuffer m_Values;
};

} // namespace cudaneuro::cpu

#endif
