// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_SignedDistanceAlongGrid_h
#define cudaneuro_surface_SignedDistanceAlongGrid_h

#include "cudaneuro/SignedDistance.h"

namespace cudaneuro
{

/** SignedDistanceOfSurface for a surface that is known to be closed, because the check takes longer than the distances
 * themselves.
 * \param surface its points are in mm along the axes of the grid, from the center of the first voxel
 * \throws InvalidParameterError if it is not inside the grid, Aborted */
SignedDistanceResult
SignedDistanceAlongGrid(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Grid &                     grid,
                        const Volume &                   output);

} // namespace cudaneuro

#endif
