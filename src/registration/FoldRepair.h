// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FoldRepair_h
#define cudaneuro_registration_FoldRepair_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

/** The parts of repair two maps that are joined, in memory of the context's device. */
namespace cudaneuro
{

/** A joined map is smoothed where it is farther than this from the inverse of the other one, in voxels. Linear
 * interpolation leaves 0.01 to 0.02 on average; what is above this limit is at 0.1 percent of a brain's voxels,
 * where the map bends within a voxel. */
constexpr float largestInverseError = 0.4f;

/** Where a joined map is wrong, and how it comes there. All fields are in voxels, on grids of one extent. */
struct WrongVoxels
{
  Extent extent;
  /** The Jacobian determinant of the joined map, and its minimum. */
  const float * jacobian = nullptr;
  float         bound = 0.0f;
  ConstSoAField map;
  /** The displacement that is left when the other map follows this one. */
  ConstSoAField residual;
  /** From the grid of the joined map to the middle, where the halves are. */
  ConstSoAField toMiddle;
  /** On the middle grid. */
  float * marks = nullptr;
};

/** Sets marks to 1 where the wrong voxels come from. */
CUDANEURO_DISPATCHED(void MarkOrigins(Context & context, const WrongVoxels & wrong));

/** component += min(1, scale * marks) * (smoothed - component), with smoothed marks. */
CUDANEURO_DISPATCHED(void RepairComponent(Context &     context,
                                          std::int64_t  numberOfVoxels,
                                          const float * marks,
                                          float         scale,
                                          const float * smoothed,
                                          float *       component));

} // namespace cudaneuro

#endif
