// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearSearch_h
#define cudaneuro_linear_LinearSearch_h

#include "linear/LinearRun.h"
#include "linear/LinearStart.h"

namespace cudaneuro
{

/** The starts, or with searchAngle and searchDistance the best of the starts' rotations and shifts, that are worth a
 * refinement. */
std::vector<LinearCandidate>
FindCandidates(LinearRun & run, const LinearLevel & level, const LinearStarts & starts);

/** Leaves the best \p count candidates, best first, of which no two are closer than \p distance, in mm at the
 * corners of the fixed image. */
void
KeepBest(const LinearRun & run, double distance, std::size_t count, std::vector<LinearCandidate> & candidates);

} // namespace cudaneuro

#endif
