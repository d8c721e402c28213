// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_SurfaceFile_h
#define files_surfaces_SurfaceFile_h

#include "files/output/OutputFile.h"
#include "files/points/PointFile.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <string>

namespace cudaneuro::files
{

/** Files of surfaces, in builds with VTK: the meshes of PointFile.h, and VTK's XML (.vtp). */

/** Whether a file is read as a surface: by its ending, or as FreeSurfer's by its first bytes. */
bool
IsSurface(const std::string & path);

/** Like ".vtk, .vtp, ...": the endings of all formats. */
std::string
SurfaceFileEndings();

/** Reads points and polygons, those of strips too, and the arrays of .vtk and .vtp, in ITK's space, LPS, and repairs it
 * as RepairSurface does.
 * \param notes null, or for what else the file says of itself
 * \throws UserError that names the file and what in it cannot be right: no polygons, coordinates that are not finite,
 * cells of points that are not there, and what VTK's readers have against it */
vtkSmartPointer<vtkPolyData>
ReadSurfaceFile(const std::string & path, MeshNotes * notes = nullptr);

/** \throws UserError when the ending of the name is that of no format */
void
CheckSurfaceFormat(const std::string & path);

/** Whether files of the name's ending hold arrays of numbers at points and cells. */
bool
HoldsArrays(const std::string & path);

/** Writes a surface in the space that the notes name to a temporary place, from where Commit moves it, and looks
 * whether it is complete.
 * \throws UserError that names the file */
StagedFile
StageSurfaceFile(const OutputFile & file, vtkPolyData * surface, const MeshNotes & notes = {});

} // namespace cudaneuro::files

#endif
