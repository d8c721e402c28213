// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointFormats_h
#define files_points_PointFormats_h

#include "files/input/CsvTable.h"
#include "files/points/PointFile.h"

#include <iosfwd>

namespace cudaneuro::files
{

/** The readers and writers of the formats of PointFile.h, a function each. */

class NumberScanner;

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

/** Tables of text: .csv, .tsv and .txt, those of elastix among them. */
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
PointReader ReadStl;
PointWriter WriteStl;
PointReader ReadGifti;
PointWriter WriteGifti;
PointReader ReadFreeSurfer;
PointWriter WriteFreeSurferText;
PointWriter WriteFreeSurferBinary;

/** The first number at points and cells of a .vtk file in text that is not finite, like "nan" in line 9, or empty. */
std::string
FirstNotFinite(const std::string & path);

/** The points of a table: columns x, y and z, l, p and s, or r, a and s, labels, and what other columns hold. Rows
 * without a place are removed from the table.
 * \throws UserError that names the file and what in it cannot be right */
PointData
TakePoints(const std::string & path, CsvTable & table);

/** The point whose coordinates begin the words of a line; others are weights, colors, normals or textures.
 * \throws UserError that names the line */
void
AddPoint(const NumberScanner & scanner, PointData & data, const std::vector<std::string> & words);

/** What a warning says of a file after its name, when so many lines and polygons of it are left out. */
std::string
NoteOfShortCells(std::size_t count);

/** Leaves out lines and polygons of fewer points than they need, as some programs write them, with a note. */
void
LeaveOutShortCells(PointData & data);

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

/** What 3D Slicer notes of a control point beside its place and label: its names in .json and .fcsv, where each has it,
 * one more in other tables, and what holds where nothing is said. */
struct MarkupsField
{
  const char * json;
  const char * fcsv;
  const char * other;
  const char * normal;
  bool         isFlag = false;
};

constexpr MarkupsField markupsFields[] = { { "id", "id", "", "" },
                                           { "", "ow", "", "0" },
                                           { "", "ox", "", "0" },
                                           { "", "oy", "", "0" },
                                           { "", "oz", "", "1" },
                                           { "visibility", "vis", "visible", "1", true },
                                           { "selected", "sel", "", "1", true },
                                           { "locked", "lock", "", "0", true },
                                           { "description", "desc", "comment", "" },
                                           { "associatedNodeID", "associatedNodeID", "", "" },
                                           { "orientation", "", "", "" } };

/** Whether a field has a name. */
bool
IsNamed(const MarkupsField & field, const std::string & name);

/** The field that a column holds, or null. */
const MarkupsField *
FindField(const std::string & column);

/** The column of a field, or null. */
const PointColumn *
FindColumn(const PointData & data, const MarkupsField & field);

/** Removes columns of fields that say of all points what holds where nothing is said. */
void
RemoveNormal(PointData & data);

} // namespace cudaneuro::files

#endif
