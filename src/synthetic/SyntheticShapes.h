// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_synthetic_SyntheticShapes_h
#define cudaneuro_synthetic_SyntheticShapes_h

#include "cudaneuro/SyntheticSurfaces.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** The surfaces of shapes of size 1, as described by SurfaceView. */
SurfaceView
ViewOfShape(SyntheticShape shape, const std::array<double, 3> & point);

bool
IsInsideShape(SyntheticShape shape, const std::array<double, 3> & point);

/** Maximum distance of shapes from the origin along any axis. */
constexpr double largestExtentOfShapes = 1.75;

/** A view in a plane: distance, negative inside, and its gradient. */
struct OutlineView
{
  double                distance;
  std::array<double, 2> normal;
};

using PlanePoint = std::array<double, 2>;
/** The corners of a polygon, counterclockwise. */
using Outline = std::vector<PlanePoint>;

/** \param isClosed false excludes the side from the last corner to the first from the distance, but not from the
 * inside */
OutlineView
ViewOfOutline(const Outline & outline, bool isClosed, const PlanePoint & point);

/** A ball with folds. */
SurfaceView
ViewOfFolds(const std::array<double, 3> & point);

bool
IsInsideFolds(const std::array<double, 3> & point);

} // namespace cudaneuro

#endif
