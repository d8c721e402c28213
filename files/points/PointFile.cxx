// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFile.h"

#include "files/input/InputFile.h"
#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/points/MarkupsFields.h"
#include "files/points/MeshFile.h"
#include "files/points/PointFormats.h"
#include "files/points/PointPairs.h"

#include <algorithm>

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
  const char * ending;
  bool         is3DOnly;
  Held         held;
  PointData (*read)(const std::string &);
  void (*write)(const std::string &, const PointData &);
};

constexpr PointFormat formats[] = { { ".csv", false, Held::All, ReadPointTable, WriteCsv },
                                    { ".txt", false, Held::Nothing, ReadPointTable, WriteTxt },
                                    { ".pts", false, Held::Nothing, ReadElastix, WriteElastix },
                                    { ".json", true, Held::Markups, ReadMarkups, WriteMarkups },
                                    { ".fcsv", true, Held::Markups, ReadFcsv, WriteFcsv } };

const PointFormat *
FindFormat(const std::string & path)
{
  const std::string ending = EndingOf(path);
  for (const PointFormat & format : formats)
  {
    if (ending == format.ending)
    {
      return &format;
    }
  }
  static constexpr PointFormat mesh{ "", true, Held::Nothing, ReadMesh, WriteMesh };
  return IsMesh(path) || IsMeshName(path) ? &mesh : nullptr;
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
    const bool isHeld = held == Held::All || (held == Held::Markups && FindField(column.name) != nullptr);
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

std::string
PointFileEndings()
{
  std::string endings;
  for (const PointFormat & format : formats)
  {
    endings += (endings.empty() ? "" : ", ") + std::string(format.ending);
  }
  return endings + ", " + MeshEndings();
}

PointData
ReadPointFile(const std::string & path)
{
  CheckRegularFile(path);
  const PointFormat * const format = FindFormat(path);
  if (format == nullptr)
  {
    RefuseInput(path, "its ending is that of no file of points that is known here, which are " + PointFileEndings());
  }
  PointData data = format->read(path);
  ThrowIfInterrupted();
  if (data.coordinates.empty())
  {
    RefuseInput(path, data.placeless.empty() ? "it has no points" : "none of its points has a place");
  }
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    CheckCoordinate(path,
                    std::string("coordinate ") + "xyz"[i % data.dimension] + " of point " +
                      std::to_string(i / data.dimension),
                    data.coordinates[i]);
  }
  std::for_each(data.mesh.warnings.begin(), data.mesh.warnings.end(), Warn);
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
  const PointFormat * const format = FindFormat(path);
  if (format == nullptr)
  {
    throw UserError("cannot write " + path + ": its ending is that of no format for points, which are " +
                    PointFileEndings());
  }
  if (format->is3DOnly && dimension != 3)
  {
    throw UserError("cannot write " + path + ": the points are of 2D, which .csv, .txt and .pts can hold");
  }
}

StagedFile
StagePointFile(const OutputFile & file, const PointData & data)
{
  const PointFormat & format = *FindFormat(file.GetPath());
  WarnOfLoss(file.GetPath(), format.held, data);
  return file.Stage([&](const std::string & path) { format.write(path, data); });
}

void
TurnAround(PointData & data)
{
  for (std::size_t i = 0; i < data.coordinates.size(); i += 3)
  {
    // 0.0 - x rather than -x, so that 0 stays 0.
    data.coordinates[i] = 0.0 - data.coordinates[i];
    data.coordinates[i + 1] = 0.0 - data.coordinates[i + 1];
  }
}
