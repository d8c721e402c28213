// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshMeasures_h
#define cudaneuro_meshes_MeshMeasures_h

#include "cudaneuro/Context.h"
#include "cudaneuro/SignedDistance.h"

#include <array>

namespace cudaneuro
{

/** Position and size of a mesh, in mm. */
struct MeshMeasures
{
  /** The mean of the vertices. */
  std::array<double, 3> center{};
  /** The corners of the bounding box of all vertices. */
  std::array<double, 3> low{};
  std::array<double, 3> high{};
  /** The mean length of the triangles' edges. */
  double edgeLength = 0.0;
  /** The standard deviation of these lengths, over their mean. */
  double edgeSpread = 0.0;
  /** Sum of the signed volumes of the tetrahedra between the triangles and the center. */
  double volume = 0.0;

  /** The length of the longest side of the box. */
  double
  Extent() const;
};

/** Measures a mesh. Sums are over blocks of vertices and triangles, in a fixed order.
 * \throws InvalidParameterError where edges have no length */
MeshMeasures
MeasureMesh(Context & context, const ConstTriangles & surface);

/** MeshMeasures::volume of a surface about a point. */
double
VolumeAround(Context & context, const ConstTriangles & surface, const std::array<double, 3> & center);

} // namespace cudaneuro

#endif
