// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearRefinement_h
#define cudaneuro_linear_LinearRefinement_h

#include "linear/LinearRun.h"

namespace cudaneuro
{

struct LinearStage
{
  LinearTransformType type = LinearTransformType::Affine;
  /** Index of the level. */
  int level = 0;
  /** Most iterations of a candidate at the level. */
  int iterations = 100;
  /** The end is where a step is no longer than this, in voxels of the level. */
  double convergenceThreshold = 0.01;
  /** Whether to look around where a descent has ended, for a better point to go on from. */
  bool looksAround = true;
  /** The progress of the run at its begin and at its end. */
  double begin = 0.0;
  double end = 1.0;
};

/** Improves all candidates at a level, those that need an evaluation at the same time as one batch. Leaves them in
 * order, the best first, without those that cannot be taken.
 * \returns whether to go on: false when the observer does not want more */
bool
RefineCandidates(LinearRun &                    run,
                 const LinearLevel &            level,
                 const LinearStage &            stage,
                 std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
