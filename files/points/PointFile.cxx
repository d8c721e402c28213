// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFile.h"

#include "files/input/InputFile.h"
#include "files/points/MeshFile.h"
#include "files/points/PointFormats.h"
#include "files/base/Errors.h"
#include "files/base/Interruption.h"

#include <algorithm>

namespace
{

/** A format, and what reads and writes it. */
struct PointFormat
{
  const char * ending;
  bool         is3DOnly;
  PointData (*read)(const std::string &);
  void (*write)(const std::string &, const PointData &);
};

constexpr PointFormat formats[] = { { ".csv", false, ReadPointTable, WritePointTable },
                                    { ".txt", false, ReadPointTable, WritePointTable },
                                    { ".json", true, ReadMarkups, WriteMarkups } };

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
  static constexpr PointFormat mesh{ "", true, ReadMesh, WriteMesh };
  return IsMesh(path) || IsMeshName(path) ? &mesh : nullptr;
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
    RefuseInput(path, "it has no points");
  }
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    CheckCoordinate(path,
                    std::string("coordinate ") + "xyz"[i % data.dimension] + " of point " +
                      std::to_string(i / data.dimension),
                    data.coordinates[i]);
  }
  std::for_each(data.notes.warnings.begin(), data.notes.warnings.end(), Warn);
  return data;
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
    throw UserError("cannot write " + path + ": the points are of 2D, which .csv and .txt can hold");
  }
}

StagedFile
StagePointFile(const OutputFile & file, const PointData & data)
{
  return file.Stage([&](const std::string & path) { FindFormat(path)->write(path, data); });
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
