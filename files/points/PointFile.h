// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_points_PointFile_h
#define files_points_PointFile_h

#include "files/output/OutputFile.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Files of points and meshes: tables (.csv, .tsv, .txt), elastix' (.pts), 3D Slicer's markups (.json, .fcsv), and
 * meshes: VTK's polygonal data (.vtk), .ply, .obj, .off, .stl, GIFTI (.gii, .gii.gz), and FreeSurfer's surfaces in text
 * (.asc, .fsa) and binary (.fsb, .surf, lh.*, rh.*), whose content tells which one it is. They need no VTK. */

/** What joins points of a mesh: one point, a line through two or more, or a polygon of three or more. */
struct MeshCell
{
  enum class Kind
  {
    Vertex,
    Line,
    Polygon
  };
  Kind                       kind = Kind::Polygon;
  std::vector<std::uint32_t> points;
};

/** What the file of a mesh says of itself beside points and cells. A file of the same format that is written has it
 * again. */
struct MeshNotes
{
  /** RAS or LPS where the file notes it, as 3D Slicer does; without a note it is LPS. */
  std::string space;
  /** The bytes after the triangles of FreeSurfer's surface: the image that it was made from, and commands. */
  std::string freeSurfer;
  /** The XML of a GIFTI file before its arrays (""), and that of arrays before their numbers, by intents: spaces and
   * metadata. */
  std::map<std::string, std::string> gifti;
  /** The names of what it has at points and cells, as numbers and colors, that is not read. */
  std::set<std::string> arrays;
};

/** What a file says of each point beside its place and its label. */
struct PointColumn
{
  std::string              name;
  std::vector<std::string> values;
};

/** The points of a file, in mm. They are in ITK's space, LPS, whatever the file has. */
struct PointData
{
  unsigned int dimension = 3;
  /** Point after point. */
  std::vector<double> coordinates;
  /** A name of each point; empty where the file has none. */
  std::vector<std::string> labels;
  std::vector<PointColumn> columns;
  /** The labels of points that the file lists without a place. They are not among the points. */
  std::vector<std::string> placeless;
  /** What was assumed, left out or not used, for NotesOf. */
  std::vector<std::string> notes;
  /** A list of 3D Slicer's markups without its points, as JSON; empty where there is none. */
  std::string           markups;
  std::vector<MeshCell> cells;
  MeshNotes             mesh;

  std::size_t
  GetNumberOfPoints() const
  {
    return coordinates.size() / dimension;
  }
};

/** Whether a file is one of points or of a mesh: by its ending, or as IsMesh. */
bool
IsPointFile(const std::string & path);

/** The endings of all files of points, for a message. */
std::string
PointEndings();

/** Whether a file is one of a mesh: by its ending, as FreeSurfer's by lh. or rh. in front, or by its first bytes. */
bool
IsMesh(const std::string & path);

/** Whether a mesh can be written under a name: by its ending, or as FreeSurfer's by lh. or rh. in front. */
bool
IsMeshName(const std::string & path);

/** Like ".vtk, .ply, ...": the endings of meshes. */
std::string
MeshEndings();

/** Reads points and cells.
 * \throws UserError that names the file and what in it cannot be right: no points, coordinates that are not finite,
 * cells of points that are not there */
PointData
ReadPointFile(const std::string & path);

/** What a user is to be told of points that were read, once nothing else is wrong: a warning, or an empty text. */
std::string
NotesOf(const PointData & data, const std::string & path);

/** Reads a weight of each of some points: a column named weight of a CSV file, or one number a line. Weights with
 * labels are those of the points with these labels, where those of both are unique.
 * \throws UserError that names the file, also for another count of numbers, and for negative ones */
std::vector<double>
ReadPointWeights(const std::string & path, const PointData & points, const std::string & pathOfPoints);

/** \throws UserError when the ending of the name is that of no format, or of one for 3D while the points are of 2D */
void
CheckPointFormat(const std::string & path, unsigned int dimension);

/** Warns that a file is written without what its mesh had at points and cells. */
void
WarnOfArrays(const std::string & path, const MeshNotes & notes);

/** Writes a file, a mesh in the space that the format has, or else that the notes name.
 * \throws std::runtime_error that tells what the format cannot hold, or that the disk may be full */
void
WritePointFile(const std::string & path, const PointData & data);

/** Writes points, and of labels, columns and cells what the format holds, to a temporary place, from where Commit moves
 * it. What it does not hold of labels and columns is said in a warning.
 * \throws UserError that names the file, and what the format cannot hold */
StagedFile
StagePointFile(const OutputFile & file, const PointData & data);

} // namespace cudaneuro::files

#endif
