// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Geometry_h
#define cudaneuro_Geometry_h

#include "CudaNeuroExport.h"
#include "cudaneuro/Volume.h"

#include <array>

namespace cudaneuro
{

/** y = matrix x + offset in three dimensions; the matrix is stored by rows. */
struct AffineMap
{
  std::array<double, 9> matrix{ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  std::array<double, 3> offset{ 0.0, 0.0, 0.0 };
};

/** Position of a grid in space, as in ITK: point = origin + direction diag(spacing) index, in mm. The direction is
 * stored by rows. A 2D image has size 1, spacing 1, origin 0 and the identity along the third axis. */
struct Geometry
{
  Grid                  grid;
  std::array<double, 3> origin{ 0.0, 0.0, 0.0 };
  std::array<double, 9> direction{ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
};

/** Returns the map x -> outer(inner(x)). */
CudaNeuro_EXPORT AffineMap
Compose(const AffineMap & outer, const AffineMap & inner);

/** Returns the inverse map. \throws InvalidParameterError for a matrix without an inverse. */
CudaNeuro_EXPORT AffineMap
Inverse(const AffineMap & map);

/** Returns the map from a continuous index to a point in mm. */
CudaNeuro_EXPORT AffineMap
IndexToPoint(const Geometry & geometry);

/** Returns the map from a point in mm to a continuous index.
 * \throws InvalidParameterError for a direction without an inverse. */
CudaNeuro_EXPORT AffineMap
PointToIndex(const Geometry & geometry);

/** Whether both have the same size, and the same spacing, origin and direction to 1e-6 of a voxel. */
CudaNeuro_EXPORT bool
IsSameGeometry(const Geometry & a, const Geometry & b);

} // namespace cudaneuro

#endif
