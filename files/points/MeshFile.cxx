// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/MeshFile.h"

#include "files/input/InputFile.h"
#include "files/points/MeshFormats.h"
#include "files/points/PointFormats.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace
{

/** What joins points in files of a format. */
enum class Cells
{
  All,
  Polygons,
  Triangles
};

struct MeshFormat
{
  const char * ending;
  bool         isRas;
  Cells        cells;
  bool         needsCells;
  PointData (*read)(const std::string &);
  void (*write)(const std::string &, const PointData &);
};

constexpr MeshFormat formats[] = {
  { ".vtk", false, Cells::All, false, ReadVtkPolyData, WriteVtkPolyData },
  { ".ply", false, Cells::Polygons, false, ReadPly, WritePly },
  { ".obj", false, Cells::All, false, ReadObj, WriteObj },
  { ".off", false, Cells::Polygons, true, ReadOff, WriteOff },
  { ".gii", true, Cells::Triangles, false, ReadGifti, WriteGifti },
  { ".fsa", true, Cells::Triangles, true, ReadFreeSurferText, WriteFreeSurferText },
  { ".fsb", true, Cells::Triangles, true, ReadFreeSurferBinary, WriteFreeSurferBinary }
};

const MeshFormat * const freeSurferBinary = std::end(formats) - 1;

const MeshFormat *
FormatOf(const std::string & path)
{
  const std::string  ending = EndingOf(path);
  const auto * const found = std::find_if(
    std::begin(formats), std::end(formats), [&](const MeshFormat & format) { return ending == format.ending; });
  return found == std::end(formats) ? nullptr : found;
}

const MeshFormat *
FormatOfInput(const std::string & path)
{
  const MeshFormat * const format = FormatOf(path);
  if (format != nullptr || !std::filesystem::is_regular_file(std::filesystem::status(path)))
  {
    return format;
  }
  char start[3] = {};
  std::ifstream(path, std::ios::binary).read(start, 3);
  return std::string(start, 3) == "\xff\xff\xfe" ? freeSurferBinary : nullptr;
}

/** FreeSurfer's names are lh.pial, rh.sphere.reg, with any ending that is not that of another kind of file. */
const MeshFormat *
FormatOfOutput(const std::string & path)
{
  const MeshFormat * const format = FormatOf(path);
  const std::string        start = std::filesystem::path(path).filename().string().substr(0, 3);
  const std::string        others = " .nii .nii.gz .gz .mha .mhd .nrrd .nhdr .mgh .mgz .vtp .stl .png .csv .txt .json ";
  const bool               isOther = others.find(' ' + EndingOf(path) + ' ') != std::string::npos;
  return format == nullptr && !isOther && (start == "lh." || start == "rh.") ? freeSurferBinary : format;
}

void
CheckCell(const std::string & path, const MeshCell & cell, std::size_t numberOfPoints)
{
  const bool        isPolygon = cell.kind == MeshCell::Kind::Polygon;
  const std::size_t least = isPolygon ? 3 : cell.kind == MeshCell::Kind::Line ? 2 : 1;
  if (cell.points.size() < least)
  {
    RefuseInput(path,
                "a " + std::string(isPolygon ? "polygon" : "line") + " of it has " +
                  std::to_string(cell.points.size()) + " points; it must have at least " + std::to_string(least));
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

/** \throws std::runtime_error for cells that a format does not have */
void
RequireCells(const MeshFormat & format, const PointData & data)
{
  for (const MeshCell & cell : data.cells)
  {
    const bool isPolygon = cell.kind == MeshCell::Kind::Polygon;
    if ((format.cells != Cells::All && !isPolygon) || (format.cells == Cells::Triangles && cell.points.size() != 3))
    {
      throw std::runtime_error("the mesh has " +
                               std::string(isPolygon ? "polygons of 4 points or more" : "lines or vertices") +
                               ", which files of its ending do not have; .vtk has all");
    }
  }
  if (format.needsCells && data.cells.empty())
  {
    throw std::runtime_error(
      "there are no triangles, which files of its ending must have; .vtk, .obj and .csv need none");
  }
}

} // namespace

std::string
MeshEndings()
{
  std::string endings;
  for (const MeshFormat & format : formats)
  {
    endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  }
  return endings;
}

bool
IsMesh(const std::string & path)
{
  return FormatOfInput(path) != nullptr;
}

bool
IsMeshName(const std::string & path)
{
  return FormatOfOutput(path) != nullptr;
}

PointData
ReadMesh(const std::string & path)
{
  const MeshFormat & format = *FormatOfInput(path);
  PointData          data = format.read(path);
  for (const MeshCell & cell : data.cells)
  {
    CheckCell(path, cell, data.GetNumberOfPoints());
  }
  if (format.isRas || data.mesh.space == "RAS")
  {
    TurnAround(data);
  }
  return data;
}

void
WriteMesh(const std::string & path, const PointData & data)
{
  const MeshFormat & format = *FormatOfOutput(path);
  RequireCells(format, data);
  PointData own = data;
  if (format.isRas || data.mesh.space == "RAS")
  {
    TurnAround(own);
  }
  format.write(path, own);
}

std::string
SpaceOf(const std::string & text)
{
  return text.find("SPACE=RAS") != std::string::npos ? "RAS" : text.find("SPACE=LPS") != std::string::npos ? "LPS" : "";
}

std::string
SpaceNote(const MeshNotes & notes)
{
  return notes.space == "RAS" ? "SPACE=RAS" : "SPACE=LPS";
}
