// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_PolyData_h
#define files_surfaces_PolyData_h

#include "files/points/PointFile.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

namespace cudaneuro::files
{

/** Points and polygons as VTK has them; other cells are no part of a surface. */
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

} // namespace cudaneuro::files

#endif
