// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_SurfaceFile_h
#define files_surfaces_SurfaceFile_h

#include "files/output/OutputFile.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>

/** Files of surfaces: VTK's polygonal data, legacy (.vtk) and XML (.vtp), .stl, .ply and .obj; in builds with VTK. */

/** Whether the ending of a name is that of a surface. */
bool
IsSurfaceName(const std::string & path);

/** Like ".vtk, .vtp, ...": the endings of all formats. */
std::string
SurfaceFileEndings();

/** Reads points, polygons and strips, and the arrays of .vtk and .vtp, in ITK's space.
 * \throws UserError that names the file and what in it cannot be right: no polygons, coordinates that are not finite,
 * cells of points that are not there, and what VTK's readers have against it */
vtkSmartPointer<vtkPolyData>
ReadSurfaceFile(const std::string & path);

/** \throws UserError when the ending of the name is that of no format */
void
CheckSurfaceFormat(const std::string & path);

/** Whether files of the name's ending hold arrays of numbers at points and cells. */
bool
HoldsArrays(const std::string & path);

/** Writes a surface to a temporary place, from where Commit moves it, and reads it again to see that it is complete.
 * \throws UserError that names the file */
StagedFile
StageSurfaceFile(const OutputFile & file, vtkPolyData * surface);

#endif
