// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_PolyData_h
#define files_surfaces_PolyData_h

#include "files/points/PointFile.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>

namespace cudaneuro::files
{

/** Points and cells as VTK has them. */
vtkSmartPointer<vtkPolyData>
FromPointData(const PointData & data);
PointData
ToPointData(vtkPolyData & surface, const MeshNotes & notes);

/** Changes between LPS and RAS, either way, in arrays of its own. */
void
TurnAround(vtkPolyData & surface);

/** Checks what VTK's readers do not: that cells have points that are there, and end where the next ones begin, that
 * there are polygons, and that coordinates are finite.
 * \throws UserError that names the file */
void
CheckSurface(const std::string & path, vtkPolyData & surface);

/** Points of open edges are joined where they are as near to each other as this part of the diagonal of the box of the
 * surface's cells. */
constexpr double joiningTolerance = 1e-6;

/** Repairs what programs of CAD write, of a surface whose points are finite, with warnings that name its file: points
 * of open edges that differ by rounding get the same place, and triangles that are there twice in the same sense are
 * dropped. All points, and the order of all that is left, stay. Edges that have their two triangles stay, however short
 * they are. */
void
RepairSurface(const std::string & path, vtkPolyData & surface);

/** Removes lines and polygons of fewer points than they need, with which VTK's writers of XML, and more of VTK, end the
 * program, and their numbers. The cells must be right otherwise.
 * \return how many they were */
std::size_t
RemoveShortCells(vtkPolyData & surface);

} // namespace cudaneuro::files

#endif
