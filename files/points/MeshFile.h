// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_MeshFile_h
#define files_points_MeshFile_h

#include "files/points/PointFile.h"

/** Files of meshes that are read without VTK: VTK's legacy polygonal data (.vtk), .ply, .obj, .off, GIFTI (.gii) and FreeSurfer's
 * surfaces in text (.fsa) and binary (.fsb, lh.*, rh.*, and any file that begins with FF FF FE). */

/** Like ".vtk, .ply, ...": the endings. */
std::string
MeshEndings();

/** Whether a file is read as a mesh: by its ending, or as FreeSurfer's by its first bytes. */
bool
IsMesh(const std::string & path);

/** Whether the name of a file to be written is that of a mesh: by its ending, or as FreeSurfer's by lh. or rh. in front. */
bool
IsMeshName(const std::string & path);

/** Reads points and cells in LPS.
 * \throws UserError that names the file and what in it cannot be right, for cells of points that are not there, too */
PointData
ReadMesh(const std::string & path);

/** Writes a file in the space that the format has, or else that the notes name, and notes it.
 * \throws std::runtime_error that tells what the format cannot hold, or that the disk may be full */
void
WriteMesh(const std::string & path, const PointData & data);

/** "RAS" or "LPS" where a text has the note that 3D Slicer writes: SPACE=RAS. */
std::string
SpaceOf(const std::string & text);

/** That note: of LPS unless the space is RAS. */
std::string
SpaceNote(const MeshNotes & notes);

#endif
