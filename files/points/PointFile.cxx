// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFile.h"

#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/input/InputFile.h"
#include "files/points/MeshCells.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"
#include "files/system/SystemFile.h"

#include <algorithm>
#include <fstream>
#include <ostream>
#include <stdexcept>

namespace cudaneuro::files
{

namespace
{

/** What a format holds of a point beside its place. */
enum class Held
{
  Nothing,
  /** Labels, and what 3D Slicer notes. */
  Markups,
  All
};

/** A format, and what reads and writes it. */
struct PointFormat
{
  const char *  ending;
  PointReader * read;
  PointWriter * write;
  bool          is3DOnly = true;
  Held          held = Held::Nothing;
  HeldCells     cells = HeldCells::Nothing;
  bool          isRas = false;
  bool          needsCells = false;
};

constexpr PointFormat formats[] = {
  { ".csv", ReadPointTable, WriteCsv, false, Held::All },
  { ".tsv", ReadPointTable, WriteCsv, false, Held::All },
  { ".txt", ReadPointTable, WriteTxt, false },
  { ".pts", ReadElastix, WriteElastix, false },
  { ".json", ReadMarkups, WriteMarkups, true, Held::Markups },
  { ".fcsv", ReadFcsv, WriteFcsv, true, Held::Markups },
  { ".vtk", ReadVtkPolyData, WriteVtkPolyData, true, Held::Nothing, HeldCells::All },
  { ".ply", ReadPly, WritePly, true, Held::Nothing, HeldCells::Polygons },
  { ".obj", ReadObj, WriteObj, true, Held::Nothing, HeldCells::All },
  { ".off", ReadOff, WriteOff, true, Held::Nothing, HeldCells::Polygons, false, true },
  { ".stl", ReadStl, WriteStl, true, Held::Nothing, HeldCells::Triangles, false, true },
  { ".gii", ReadGifti, WriteGifti, true, Held::Nothing, HeldCells::Triangles, true },
  { ".gii.gz", ReadGifti, WriteGifti, true, Held::Nothing, HeldCells::Triangles, true },
  { ".asc", ReadFreeSurfer, WriteFreeSurferText, true, Held::Nothing, HeldCells::Triangles, true, true },
  { ".fsa", ReadFreeSurfer, WriteFreeSurferText, true, Held::Nothing, HeldCells::Triangles, true, true },
  { ".surf", ReadFreeSurfer, WriteFreeSurferBinary, true, Held::Nothing, HeldCells::Triangles, true, true },
  { ".fsb", ReadFreeSurfer, WriteFreeSurferBinary, true, Held::Nothing, HeldCells::Triangles, true, true }
};

/** Whether a file is named as FreeSurfer's are of one half of a brain. */
bool
IsOfHemisphere(const std::string & path)
{
  const std::string start = ToPath(path).filename().string().substr(0, 3);
  return start == "lh." || start == "rh.";
}

/** FreeSurfer's surfaces are named lh.pial, rh.sphere.reg, with any ending that is not that of another kind of file. */
bool
HasFreeSurferName(const std::string & path)
{
  const std::string others =
    " .nii .nii.gz .gz .mha .mhd .nrrd .nhdr .mgh .mgz .vtp .stl .png .csv .txt .json .label .annot ";
  return IsOfHemisphere(path) && others.find(' ' + EndingOf(path) + ' ') == std::string::npos;
}

bool
HasFreeSurferContent(const std::string & path)
{
  char start[7] = {};
  if (std::filesystem::is_regular_file(std::filesystem::status(ToPath(path))))
  {
    std::ifstream(path, std::ios::binary).read(start, sizeof(start));
  }
  return std::string(start, 3) == "\xff\xff\xfe" || std::string(start, sizeof(start)) == "#!ascii";
}

/** The format of a file's name; null where it is none. */
const PointFormat *
FindFormatOfName(const std::string & path)
{
  const auto * const found =
    std::find_if(std::begin(formats), std::end(formats), [ending = EndingOf(path)](const PointFormat & format) {
      return ending == format.ending;
    });
  return found != std::end(formats) ? found : HasFreeSurferName(path) ? std::end(formats) - 1 : nullptr;
}

/** The format of the name of a file that is read, or else of its content; null where it is none. */
const PointFormat *
FindFormat(const std::string & path)
{
  const PointFormat * const found = FindFormatOfName(path);
  const bool                isFreeSurfer = found == nullptr && !IsOfHemisphere(path) && HasFreeSurferContent(path);
  return isFreeSurfer ? std::end(formats) - 1 : found;
}

std::string
EndingsOf(bool withTables)
{
  std::vector<std::string> endings;
  for (const PointFormat & format : formats)
  {
    if (withTables || format.cells != HeldCells::Nothing)
    {
      endings.emplace_back(format.ending);
    }
  }
  return Listed(endings);
}

void
CheckCell(const std::string & path, const MeshCell & cell, std::size_t numberOfPoints)
{
  const std::size_t least = LeastPoints(cell);
  if (cell.points.size() < least)
  {
    RefuseField(path,
                std::string("the number of points of a ") + (least == 3 ? "polygon" : "line"),
                cell.points.size(),
                "it must be at least " + std::to_string(least));
  }
  for (const std::uint32_t point : cell.points)
  {
    if (point >= numberOfPoints)
    {
      RefuseInput(path,
                  "a cell of it has point " + std::to_string(point) + ", counted from 0; there are " +
                    std::to_string(numberOfPoints) + " points");
    }
  }
}

/** \throws std::runtime_error for a mesh of which a format has no cells, and for one that has too few */
void
RequireCells(const PointFormat & format, const PointData & data, const PointData & written)
{
  if (!data.cells.empty() && written.cells.empty())
  {
    throw std::runtime_error(
      "the mesh has lines or vertices alone, which files of its ending do not have; .vtk has all");
  }
  if (format.needsCells && written.cells.empty())
  {
    throw std::runtime_error(
      "there are no triangles, which files of its ending must have; .vtk, .obj and .csv need none");
  }
}

/** Returns whether a file of 3D Slicer has a name for a column. */
bool
HasPlaceFor(const std::string & column, const std::string & path)
{
  const MarkupsField * const field = FindField(column);
  return field != nullptr && *(EndingOf(path) == ".fcsv" ? field->fcsv : field->json) != '\0';
}

/** Says what a format does not hold of some points. */
void
WarnOfLoss(const std::string & path, Held held, const PointData & data)
{
  std::vector<std::string> lost;
  if (held == Held::Nothing && !data.labels.empty())
  {
    lost.emplace_back("label");
  }
  for (const PointColumn & column : data.columns)
  {
    const bool isHeld = held == Held::All || (held == Held::Markups && HasPlaceFor(column.name, path));
    if (!isHeld && column.name != "id")
    {
      lost.push_back(column.name);
    }
  }
  if (!lost.empty())
  {
    Warn(path + " has no place for what else the input says of points: " + Listed(lost));
  }
}

} // namespace

bool
IsPointFile(const std::string & path)
{
  return FindFormat(path) != nullptr;
}

std::string
PointEndings()
{
  return EndingsOf(true);
}

HeldCells
CellsHeldBy(const std::string & path)
{
  const PointFormat * const format = FindFormat(path);
  return format == nullptr ? HeldCells::Nothing : format->cells;
}

bool
IsMesh(const std::string & path)
{
  return CellsHeldBy(path) != HeldCells::Nothing;
}

bool
IsMeshName(const std::string & path)
{
  const PointFormat * const format = FindFormatOfName(path);
  return format != nullptr && format->cells != HeldCells::Nothing;
}

std::string
MeshEndings()
{
  return EndingsOf(false);
}

PointData
ReadPointFile(const std::string & path)
{
  CheckRegularFile(path);
  const PointFormat * const format = FindFormat(path);
  if (format == nullptr)
  {
    RefuseInput(path, "its ending is that of no file of points that is known here, which are " + EndingsOf(true));
  }
  PointData data = format->read(path);
  ThrowIfInterrupted();
  if (data.coordinates.empty())
  {
    RefuseInput(path, data.placeless.empty() ? "it has no points" : "none of its points has a place");
  }
  for (const MeshCell & cell : data.cells)
  {
    CheckCell(path, cell, data.GetNumberOfPoints());
  }
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    CheckCoordinate(path,
                    std::string("coordinate ") + "xyz"[i % data.dimension] + " of point " +
                      std::to_string(i / data.dimension),
                    data.coordinates[i]);
  }
  if (format->isRas || data.mesh.space == "RAS")
  {
    TurnAround(data);
  }
  if (!data.placeless.empty())
  {
    data.notes.push_back("has points without a place, which are left out: " + Listed(data.placeless));
  }
  return data;
}

std::string
NotesOf(const PointData & data, const std::string & path)
{
  std::string text;
  for (const std::string & note : data.notes)
  {
    text += (text.empty() ? path + ' ' : "; it ") + note;
  }
  return text;
}

void
CheckPointFormat(const std::string & path, unsigned int dimension)
{
  const PointFormat * const format = FindFormatOfName(path);
  if (format == nullptr)
  {
    throw UserError("cannot write " + path + ": its ending is that of no format for points, which are " +
                    EndingsOf(true));
  }
  if (format->is3DOnly && dimension != 3)
  {
    throw UserError("cannot write " + path + ": the points are of 2D, which .csv, .tsv, .txt and .pts can hold");
  }
}

void
WarnOfArrays(const std::string & path, const MeshNotes & notes)
{
  if (!notes.arrays.empty())
  {
    Warn(path +
         " is without what the input has at points and cells: " + Listed({ notes.arrays.begin(), notes.arrays.end() }));
  }
}

void
WritePointFile(const std::string & path, const PointData & data)
{
  const PointFormat & format = *FindFormatOfName(path);
  if (format.cells == HeldCells::Nothing)
  {
    format.write(path, data);
    return;
  }
  PointData own = data;
  own.cells = FittingCells(format.cells, data);
  RequireCells(format, data, own);
  if (format.isRas || data.mesh.space == "RAS")
  {
    TurnAround(own);
  }
  format.write(path, own);
}

StagedFile
StagePointFile(const OutputFile & file, const PointData & data)
{
  CheckPointFormat(file.GetPath(), data.dimension);
  const PointFormat & format = *FindFormatOfName(file.GetPath());
  WarnOfLoss(file.GetPath(), format.held, data);
  WarnOfArrays(file.GetPath(), data.mesh);
  StagedFile staged = file.Stage([&](const std::string & path) { WritePointFile(path, data); });
  if (LeavesOutCells(format.cells, data))
  {
    Warn(file.GetPath() + " is without the lines and vertices of the mesh: .vtk and .obj have such");
  }
  return staged;
}

} // namespace cudaneuro::files
