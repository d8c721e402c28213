// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_IndexPosition_h
#define cudaneuro_fields_IndexPosition_h

#include "cudaneuro/Geometry.h"
#include "fields/Sampling.h"

/** Positions of the voxels of one grid on another, for both compilers. */
namespace cudaneuro
{

/** The vector of a field at a voxel. */
struct Displacement
{
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
};

/** An AffineMap between indices in the form of a kernel argument. */
struct IndexTransform
{
  double matrix[9];
  double offset[3];
  /** The matrix in float, which is precise enough for displacements and for steps from a thread's first voxel. */
  float linear[9];
};

inline IndexTransform
MakeIndexTransform(const AffineMap & map)
{
  IndexTransform transform{};
  for (int i = 0; i < 9; ++i)
  {
    transform.matrix[i] = map.matrix[i];
    transform.linear[i] = static_cast<float>(map.matrix[i]);
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    transform.offset[axis] = map.offset[axis];
  }
  return transform;
}

/** Maps one coordinate in double precision, and splits it into a voxel, clamped to +-farAway, and the rest. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE void
MapCoordinate(const double * row, double offset, int x, int y, int z, int & voxel, float & rest)
{
  constexpr double farAway = sizeof(TIndex) == 4 ? 2097152.0 : 1e9;
  const double     position = row[0] * x + (row[1] * y + (row[2] * z + offset));
  const double     whole = std::floor(position);
  voxel = static_cast<int>(whole > -farAway ? (whole < farAway ? whole : farAway) : -farAway);
  rest = static_cast<float>(position - voxel);
}

/** Returns the mapped position of a voxel. TIndex is as in Sampling.h, for the grid to which the voxel is mapped. */
template <typename TIndex>
CUDANEURO_HOST_DEVICE SplitPosition
MapVoxel(const IndexTransform & transform, int x, int y, int z)
{
  SplitPosition position{};
  MapCoordinate<TIndex>(transform.matrix, transform.offset[0], x, y, z, position.x, position.restX);
  MapCoordinate<TIndex>(transform.matrix + 3, transform.offset[1], x, y, z, position.y, position.restY);
  MapCoordinate<TIndex>(transform.matrix + 6, transform.offset[2], x, y, z, position.z, position.restZ);
  return position;
}

/** Returns the position of a voxel displaced by (x, y, z) before the map; \p position is that without displacement. */
CUDANEURO_HOST_DEVICE SplitPosition
Moved(const IndexTransform & transform, const SplitPosition & position, float x, float y, float z)
{
  const float * const m = transform.linear;
  SplitPosition       moved = position;
  moved.restX += m[0] * x + (m[1] * y + m[2] * z);
  moved.restY += m[3] * x + (m[4] * y + m[5] * z);
  moved.restZ += m[6] * x + (m[7] * y + m[8] * z);
  return moved;
}

} // namespace cudaneuro

#endif
