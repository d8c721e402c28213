// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_PolyData_h
#define files_surfaces_PolyData_h

#include "files/points/PointFile.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

/** Points and polygons as VTK has them; other cells are no part of a surface. */
vtkSmartPointer<vtkPolyData>
FromPointData(const PointData & data);
PointData
ToPointData(vtkPolyData & surface, const MeshNotes & notes);

/** Changes between LPS and RAS, either way, in arrays of its own. */
void
TurnAround(vtkPolyData & surface);

#endif
