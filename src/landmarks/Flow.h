// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_Flow_h
#define cudaneuro_landmarks_Flow_h

#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "landmarks/FlowLandmarks.h"

/** The flow of many points. Points are in working units. */
namespace cudaneuro
{

/** Points of which a step backward has no inverse. */
struct FlowFailures
{
  std::int64_t count = 0;
  /** The one of lowest index. */
  std::int64_t first = 0;
};

/** Voxels as points: position = matrix (x, y, z) + offset, the matrix with a row for each dimension of the
 * landmarks. */
struct FlowGrid
{
  Extent extent;
  double matrix[9] = {};
  double offset[3] = {};
};

/** Where displacements in mm are written to: that many floats a voxel, in memory of the context's device. */
struct FlowField
{
  float * data = nullptr;
  int     components = 3;
};

namespace cpu
{
/** Moves one point on the calling thread.
 * \param displacement receives that in working units.
 * \param jacobian null, or receives the derivatives, by rows.
 * \returns whether each step has an inverse */
bool
MovePoint(const FlowStates & states,
          FlowDirection      direction,
          const double *     position,
          double *           displacement,
          double *           jacobian);

/** Looks for a step that turns space over, so that some points come from several: at the landmarks, where those
 * compress space that move towards each other, and ahead of each by sigma, where its own velocity falls off the most.
 * \returns the first such step, or -1 */
int
FindFoldedStep(Context & context, const FlowStates & states);
} // namespace cpu

/** Replaces positions, of shape (points, dimension) in host memory, by displacements in working units. */
CUDANEURO_ON_BOTH(FlowFailures MovePoints(
  Context & context, const FlowStates & states, FlowDirection direction, std::vector<double> & points));

CUDANEURO_ON_BOTH(FlowFailures ComputeField(Context &          context,
                                            const FlowStates & states,
                                            FlowDirection      direction,
                                            const FlowGrid &   grid,
                                            const FlowField &  field));

} // namespace cudaneuro

#endif
