// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticPhantom_h
#define cudaneuro_synthetic_SyntheticPhantom_h

#include "cudaneuro/Volume.h"

#include <array>

namespace cudaneuro
{

/** A head in intensities from 0 to 1: skin, a dark gap of the skull, fluid, gray and white matter with folds between
 * them, and two ventricles, all with edges two voxels wide. A function of the position in mm along the axes of the
 * grid, from the grid's center; the third coordinate is ignored if the grid's third size is 1. */
class SyntheticPhantom
{
public:
  explicit SyntheticPhantom(const Grid & grid);

  double
  ValueAt(const std::array<double, 3> & position) const;

private:
  /** Half of the grid's extent along each axis, in mm. */
  std::array<double, 3> m_HalfExtent{};
  /** Number of edge widths in half of the grid's extent. */
  double m_EdgesPerUnit;
};

} // namespace cudaneuro

#endif
