// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_RigidPart_h
#define cudaneuro_atlas_means_RigidPart_h

#include "atlas/means/VolumeReductions.h"
#include "cudaneuro/Geometry.h"

namespace cudaneuro
{

/** The rigid motion nearest to a displacement field, in the sense of least squares over the grid (Procrustes). */
struct RigidPart
{
  /** The motion as a map of indices of the grid. */
  AffineMap             onIndices;
  double                rotationDegrees = 0.0;
  std::array<double, 3> translation{}; // in mm, at the center of the grid
};

RigidPart
RigidPartOf(const FieldMoments & moments, const Geometry & geometry);

} // namespace cudaneuro

#endif
