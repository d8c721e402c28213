// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_SignedDistanceAlongGrid_h
#define cudaneuro_surface_SignedDistanceAlongGrid_h

#include "cudaneuro/SignedDistance.h"

namespace cudaneuro
{

/** SignedDistanceOfSurface for a surface that is known to be closed, which takes longer to look for than to compute
 * with.
 * \param surface its points are in mm along the axes of the grid, from the center of the first voxel
 * \throws InvalidParameterError where it is not inside the grid, Aborted */
SignedDistanceResult
SignedDistanceAlongGrid(Context &                        context,
                        const SignedDistanceParameters & parameters,
                        const ConstTriangles &           surface,
                        const Grid &                     grid,
                        const Volume &                   output);

} // namespace cudaneuro

#endif
