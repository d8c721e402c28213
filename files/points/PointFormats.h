// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointFormats_h
#define files_points_PointFormats_h

#include "files/points/PointFile.h"

#include <iosfwd>

namespace cudaneuro::files
{

/** The readers and writers of the formats of PointFile.h, a function each. */

/** Reads as many points and cells as the file announces, those of meshes in the file's own space. The caller checks
 * coordinates and the points of cells, and turns what is RAS.
 *
 * Libraries read none of the meshes: where a file is cut short, ITK's readers go on with the numbers that memory has,
 * and VTK's of .vtk, .ply and .obj write to memory that is not theirs, that of .obj also for good files.
 * \throws UserError that names the file, and the line where there are lines */
using PointReader = PointData(const std::string & path);

/** Writes what the format can hold, which the caller has checked and turned.
 * \throws std::runtime_error */
using PointWriter = void(const std::string & path, const PointData & data);

/** Tables of text: .csv and .txt, those of elastix among them. */
PointReader ReadPointTable;
PointWriter WriteCsv;
PointWriter WriteTxt;

/** Files of elastix: "point", the number of points, and a point a line. */
PointReader ReadElastix;
PointWriter WriteElastix;

/** 3D Slicer's markups of today, JSON, and of old, a table. */
PointReader ReadMarkups;
PointWriter WriteMarkups;
PointReader ReadFcsv;
PointWriter WriteFcsv;

/** Meshes. */
PointReader ReadVtkPolyData;
PointWriter WriteVtkPolyData;
PointReader ReadPly;
PointWriter WritePly;
PointReader ReadObj;
PointWriter WriteObj;
PointReader ReadOff;
PointWriter WriteOff;
PointReader ReadGifti;
PointWriter WriteGifti;
PointReader ReadFreeSurferText;
PointWriter WriteFreeSurferText;
PointReader ReadFreeSurferBinary;
PointWriter WriteFreeSurferBinary;

/** Changes between LPS and RAS, either way. */
void
TurnAround(PointData & data);

/** "RAS" or "LPS" where a text has the note that 3D Slicer writes: SPACE=RAS. */
std::string
SpaceOf(const std::string & text);

/** The note of a space, which is LPS where none is named. */
std::string
SpaceNote(const MeshNotes & notes);

/** Writes the coordinates of a point a line, with words before and after them. */
void
WritePlaces(std::ostream & file, const PointData & data, const char * before = "", const char * after = "");

/** Writes a cell a line: the number of its points, and these, counted from 0. */
void
WriteCells(std::ostream & file, const std::vector<MeshCell> & cells);

} // namespace cudaneuro::files

#endif
