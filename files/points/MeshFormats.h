// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_MeshFormats_h
#define files_points_MeshFormats_h

#include "files/points/PointFile.h"

/** The formats of MeshFile.h, one by one. What is read is in the file's own space, with the number of points and cells that
 * the file announces. ReadMesh checks the cells' points and turns what is RAS.
 *
 * Libraries read none of these but GIFTI's structure: where a file is cut short, ITK's readers go on with the numbers that
 * memory has, and VTK's of .vtk, .ply and .obj write to memory that is not theirs, that of .obj also for good files.
 * All throw UserError that names the file and the line. */

PointData
ReadVtkPolyData(const std::string & path);
PointData
ReadPly(const std::string & path);
PointData
ReadObj(const std::string & path);
PointData
ReadOff(const std::string & path);
PointData
ReadFreeSurferText(const std::string & path);
PointData
ReadFreeSurferBinary(const std::string & path);
PointData
ReadGifti(const std::string & path);

/** Writers of what WriteMesh has checked and turned.
 * \throws std::runtime_error */
void
WriteVtkPolyData(const std::string & path, const PointData & data);
void
WritePly(const std::string & path, const PointData & data);
void
WriteObj(const std::string & path, const PointData & data);
void
WriteOff(const std::string & path, const PointData & data);
void
WriteFreeSurferText(const std::string & path, const PointData & data);
void
WriteFreeSurferBinary(const std::string & path, const PointData & data);
void
WriteGifti(const std::string & path, const PointData & data);

#endif
