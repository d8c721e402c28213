// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_Flow_h
#define cudaneuro_landmarks_Flow_h

#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "landmarks/FlowLandmarks.h"

/** The flow of many points with the landmarks. Points are in working units. */
namespace cudaneuro
{

/** The points for which a backward step has no inverse. */
struct FlowFailures
{
  std::int64_t count = 0;
  /** The lowest index of such a point. */
  std::int64_t first = 0;
};

/** The positions of voxels: matrix (x, y, z) + offset, where the matrix has a row for each dimension of the
 * landmarks. */
struct FlowGrid
{
  Extent extent;
  double matrix[9] = {};
  double offset[3] = {};
};

/** The output of displacements in mm: \c components floats per voxel, in memory of the context's device. */
struct FlowField
{
  float * data = nullptr;
  int     components = 3;
};

namespace cpu
{
/** Moves one point on the calling thread.
 * \param displacement receives the displacement in working units
 * \param jacobian null, or receives the derivatives, by rows
 * \returns whether each step has an inverse */
bool
MovePoint(const FlowStates & states,
          FlowDirection      direction,
          const double *     position,
          double *           displacement,
          double *           jacobian);

/** Searches for a step that folds space: tests the Jacobian at the landmarks, where those that approach each other
 * compress space, and ahead of each by sigma, where its velocity falls off fastest.
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
