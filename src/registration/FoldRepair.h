// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FoldRepair_h
#define cudaneuro_registration_FoldRepair_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

/** The primitives that repair two joined maps, in memory of the context's device. */
namespace cudaneuro
{

/** Maximum distance, in voxels, of a joined map from the inverse of the other one; the map is smoothed where it is
 * farther away. Linear interpolation leaves 0.01 to 0.02 voxels on average; the limit is exceeded at 0.1 percent of a
 * brain's voxels, where the map bends within a voxel. */
constexpr float largestInverseError = 0.4f;

/** Which voxels of a joined map are wrong, and from where they come. Fields are in voxels, on grids of one extent. */
struct WrongVoxels
{
  Extent extent;
  /** The Jacobian determinants of the joined map, and the bound that they must keep. */
  const float * jacobian = nullptr;
  float         bound = 0.0f;
  ConstSoAField map;
  /** The displacement of the other map after this one; 0 where they are inverses. */
  ConstSoAField residual;
  /** The displacement from the grid of the joined map to the middle, where the halves are. */
  ConstSoAField toMiddle;
  /** Marks on the middle grid, 0 or 1. */
  float * marks = nullptr;
};

/** Sets marks to 1 at the voxels of the middle grid from which the wrong voxels come. */
CUDANEURO_DISPATCHED(void MarkOrigins(Context & context, const WrongVoxels & wrong));

/** component += min(1, scale * marks) * (smoothed - component), where marks have been smoothed. */
CUDANEURO_DISPATCHED(void RepairComponent(Context &     context,
                                          std::int64_t  numberOfVoxels,
                                          const float * marks,
                                          float         scale,
                                          const float * smoothed,
                                          float *       component));

} // namespace cudaneuro

#endif
