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
  /** Maximum number of iterations of a candidate at the level. */
  int iterations = 100;
  /** A descent ends when a step is no longer than this, in voxels of the level. */
  double convergenceThreshold = 0.01;
  /** Whether to probe around the end of a descent for a better point, from which to continue. */
  bool looksAround = true;
  /** The progress of the run at the stage's beginning and end. */
  double begin = 0.0;
  double end = 1.0;
};

/** Improves all candidates at a level; those that need an evaluation at the same time form one batch. Sorts them, best
 * first, and removes invalid ones.
 * \returns whether to continue: false when the observer ends the registration */
bool
RefineCandidates(LinearRun &                    run,
                 const LinearLevel &            level,
                 const LinearStage &            stage,
                 std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
