// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_TargetOutputs_h
#define apps_landmarks_TargetOutputs_h

#include "itkGeodesicShootingTransform.h"
#include "landmarks/MatchJob.h"

/** The result for a target. */
template <unsigned int VDimension>
struct TargetResult
{
  /** Includes the alignment, if there is one. */
  typename itk::Transform<double, VDimension, VDimension>::Pointer transform;
  /** The template points at the end. */
  std::vector<double> movedPoints;
  std::vector<double> momenta;
  /** Positions at all times, aligned; empty unless NeedsTrajectory. */
  std::vector<double> trajectory;
};

/** Returns whether any output needs the positions at all times. */
bool
NeedsTrajectory(const MatchOptions & options);

/** Writes all outputs of a target, and moves them to their places when all are complete.
 * \param grid of --reference, if there is one
 * \return the paths of the outputs, by kind
 * \throws UserError, Interrupted, itk::ExceptionObject */
template <unsigned int VDimension>
Report::Json
WriteOutputs(const MatchJob &                   job,
             std::size_t                        target,
             const itk::ImageBase<VDimension> * grid,
             const TargetResult<VDimension> &   result);

#endif
