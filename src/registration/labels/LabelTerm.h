// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_labels_LabelTerm_h
#define cudaneuro_registration_labels_LabelTerm_h

#include "registration/step/Step.h"

#include <cstdint>

/** The term of a registration's energy that compares two maps of labels:
 *
 *   E = 1/N sum_x 1/2 sum_l w_l (m_l(x) - f_l(x))^2
 *
 * where m_l is the indicator of label l in the moving map, interpolated linearly at the deformed position. f_l is that
 * of the fixed map, at voxel x or, where both maps move, at its deformed position. Indicators are not stored as
 * volumes: at a voxel, only the labels of the cells around the positions are visited. */
namespace cudaneuro
{

/** The code of a voxel outside a map of labels. Positions that see it have no energy and no force. */
constexpr int noLabel = 0xffff;

/** The code of a cell whose corners have several labels. */
constexpr int severalLabels = noLabel - 1;
static_assert(largestLabelCode < severalLabels);

/** The weight of each label. */
struct LabelWeights
{
  /** Weights of the codes from 0 to count - 1, in memory of the context's device. */
  const float * values = nullptr;
  int           count = 0;
  /** Weight of the codes from count on. */
  float beyond = 0.0f;
};

/** The labels of both heads on the grid of a level, in memory of the context's device. */
struct LevelLabels
{
  Extent                extent;
  const std::uint16_t * fixed = nullptr;
  const std::uint16_t * moving = nullptr;
  LabelWeights          weights;
};

struct LabelTerm
{
  LevelLabels labels;
  /** Whether the fixed labels move, too, as in a symmetric registration. */
  bool bothMove = false;
  /** Weight of the term in the energy of the registration; a weight of 0 leaves forces unchanged to the bit. */
  double weight = 1.0;
  /** See ImagePair. */
  std::array<float, 3> descentScale{ 1.0f, 1.0f, 1.0f };
};

/** The memory that the force of the labels needs besides the buffers. */
namespace cpu
{
struct LabelPlan;
} // namespace cpu
namespace gpu
{
struct LabelPlan;
} // namespace gpu

/** Allocates the memory of a level's term. \throws OutOfMemoryError */
CUDANEURO_ON_BOTH(std::shared_ptr<LabelPlan> MakeLabelPlan(Context & context, const LabelTerm & term));

/** Adds to the force of the candidate, which EnqueueForce has written, the term's weight times descentScale times the
 * gradient of N E by the displacement.
 * \param toFixed where both heads move, the buffers of the map to the fixed image, which share the state; each map gets
 * the gradient by its own displacement. Null otherwise.
 * \param energy in memory of the context's device: E, without the term's weight. It has the same bits in each run, and
 * when the two maps and their labels are swapped. Not written once the level has ended. */
CUDANEURO_ON_BOTH(
  void EnqueueLabelForce(LabelPlan & plan, const StepBuffers & toMoving, const StepBuffers * toFixed, double * energy));

} // namespace cudaneuro

#endif
