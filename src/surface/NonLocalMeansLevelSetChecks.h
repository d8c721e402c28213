// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_NonLocalMeansLevelSetChecks_h
#define cudaneuro_surface_NonLocalMeansLevelSetChecks_h

#include "surface/BandFormulas.h"
#include "surface/NonLocalMeansLevelSet.h"

/** Checks before any computation, and before any output. */
namespace cudaneuro
{

/** Requires two voxels or more along each axis.
 * \throws InvalidParameterError */
void
RequireThreeDimensions(const Grid & grid);

/** Requires that the distances are valid, and that the band is neither empty nor the whole image.
 * \param distances in memory of the context's device
 * \throws InvalidParameterError */
void
RequireBand(Context & context, double bandWidth, const Grid & grid, const float * distances, const BandSurvey & survey);

} // namespace cudaneuro

#endif
