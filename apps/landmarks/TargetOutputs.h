// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_TargetOutputs_h
#define apps_landmarks_TargetOutputs_h

#include "itkGeodesicShootingTransform.h"
#include "landmarks/MatchJob.h"

/** What was found for a target. */
template <unsigned int VDimension>
struct TargetResult
{
  /** With the alignment, if there is one. */
  typename itk::Transform<double, VDimension, VDimension>::Pointer transform;
  /** The template points at the end. */
  std::vector<double> movedPoints;
  std::vector<double> momenta;
  /** Positions at all times, aligned, where something is made of them. */
  std::vector<double> trajectory;
};

/** Whether any output needs the positions at all times. */
bool
NeedsTrajectory(const MatchOptions & options);

/** Writes all outputs of a target, and moves them into their places when all are complete.
 * \param grid that of --reference, if there is one
 * \return their names, by what they are
 * \throws UserError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
Report::Json
WriteOutputs(const MatchJob &                   job,
             std::size_t                        target,
             const itk::ImageBase<VDimension> * grid,
             const TargetResult<VDimension> &   result);

#endif
