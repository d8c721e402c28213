// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearSearch_h
#define cudaneuro_linear_LinearSearch_h

#include "linear/LinearRun.h"
#include "linear/LinearStart.h"

namespace cudaneuro
{

/** The candidates to refine: the starts, or with searchAngle and searchDistance the best of their rotations and
 * shifts. */
std::vector<LinearCandidate>
FindCandidates(LinearRun & run, const LinearLevel & level, const LinearStarts & starts);

/** Keeps the best \p count candidates, best first, at distances of at least \p distance, in mm at the corners of the
 * fixed image. */
void
KeepBest(const LinearRun & run, double distance, std::size_t count, std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
