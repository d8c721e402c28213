// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_MeshCells_h
#define files_points_MeshCells_h

#include "files/points/PointFile.h"

namespace cudaneuro::files
{

/** What joins points in files of a format. */
enum class HeldCells
{
  Nothing,
  Triangles,
  Polygons,
  All
};

/** What cells files of a name's ending have. */
HeldCells
CellsHeldBy(const std::string & path);

/** Cuts a polygon into triangles of its points, which run around as it does. It may have notches, and be bent. */
std::vector<MeshCell>
TrianglesOf(const PointData & data, const MeshCell & polygon);

/** The cells of a mesh as a format has them: lines and vertices are left out where it has none, and polygons become
 * triangles where it has these alone. */
std::vector<MeshCell>
FittingCells(HeldCells held, const PointData & data);

/** Returns the least number of points of a cell of its kind. */
std::size_t
LeastPoints(const MeshCell & cell);

/** Whether a format leaves out lines or vertices of a mesh. */
bool
LeavesOutCells(HeldCells held, const PointData & data);

} // namespace cudaneuro::files

#endif
