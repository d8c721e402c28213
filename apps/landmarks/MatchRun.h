// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_MatchRun_h
#define apps_landmarks_MatchRun_h

#include "landmarks/MatchJob.h"

/** Matches the points of a job, writes all that was asked for, and notes the results. The files of a target are moved
 * into their places when all of them are complete.
 * \throws UserError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
void
MatchPointsOf(MatchJob & job);

#endif
