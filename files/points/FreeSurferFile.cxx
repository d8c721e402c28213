// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/system/SystemFile.h"
#include "files/points/PointFormats.h"

#include <ostream>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

/** Takes points and triangles, which in text are rows of three numbers and one that is not used. */
PointData
TakeMesh(NumberScanner & scanner, std::size_t points, std::size_t triangles)
{
  using Type = NumberScanner::Type;
  const std::size_t columns = scanner.IsBinary() ? 3 : 4;
  const auto        coordinates = scanner.TakeNumbers(columns * points, Type::FLOAT, "a coordinate");
  const auto        corners = scanner.TakeIndices(columns * triangles, Type::UINT, "a point of a triangle");
  PointData         data;
  for (std::size_t i = 0; i < columns * points; i += columns)
  {
    data.coordinates.insert(data.coordinates.end(), { coordinates[i], coordinates[i + 1], coordinates[i + 2] });
  }
  for (std::size_t i = 0; i < columns * triangles; i += columns)
  {
    data.cells.push_back({ MeshCell::Kind::Polygon, { corners[i], corners[i + 1], corners[i + 2] } });
  }
  return data;
}

/** The footer may place the surface's origin in the scanner's space. Points stay where FreeSurfer's tools and
 * nibabel have them. */
void
NoteOrigin(PointData & data)
{
  const std::string & footer = data.mesh.freeSurfer;
  std::istringstream  text(footer.substr(std::min(footer.find("cras"), footer.size())));
  double              origin[3] = {};
  text.ignore(std::numeric_limits<std::streamsize>::max(), '=') >> origin[0] >> origin[1] >> origin[2];
  if (origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0)
  {
    std::ostringstream note;
    note << "is in FreeSurfer's surface space, whose origin (c_ras) is at " << origin[0] << ", " << origin[1] << ", "
         << origin[2] << " mm of the scanner's RAS; its coordinates are taken as they are";
    data.notes.push_back(note.str());
  }
}

PointData
ReadText(NumberScanner & scanner)
{
  scanner.TakeLine();
  const std::size_t points = scanner.TakeSize("the number of points", 8);
  const std::size_t triangles = scanner.TakeSize("the number of triangles", 8);
  return TakeMesh(scanner, points, triangles);
}

PointData
ReadBinary(NumberScanner & scanner)
{
  scanner.TakeLine();
  // The comment ends with one line's end or with two.
  if (scanner.PeekByte() == '\n')
  {
    scanner.TakeBytes(1);
  }
  scanner.BeginBinary(true);
  const auto        counts = scanner.TakeIndices(2, NumberScanner::Type::UINT, "the number of points");
  PointData         data = TakeMesh(scanner, counts[0], counts[1]);
  const std::size_t rest = scanner.GetRemainingBytes();
  data.mesh.freeSurfer.assign(scanner.TakeBytes(rest), rest);
  NoteOrigin(data);
  return data;
}

} // namespace

PointData
ReadFreeSurfer(const std::string & path)
{
  NumberScanner     scanner(path);
  const std::string start = scanner.PeekWord();
  if (start.rfind("#!ascii", 0) == 0)
  {
    return ReadText(scanner);
  }
  if (start.rfind("\xff\xff\xfe", 0) != 0)
  {
    RefuseInput(path,
                "it is no surface of triangles of FreeSurfer: it begins neither with the bytes FF FF FE nor, as text, "
                "with \"#!ascii\"; mris_convert makes such of others");
  }
  return ReadBinary(scanner);
}

void
WriteFreeSurferText(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << "#!ascii version of " << ToPath(path).filename().string() << '\n'
         << data.GetNumberOfPoints() << ' ' << data.cells.size() << '\n';
    WritePlaces(file, data, "", " 0");
    for (const MeshCell & cell : data.cells)
    {
      file << cell.points[0] << ' ' << cell.points[1] << ' ' << cell.points[2] << " 0\n";
    }
  });
}

void
WriteFreeSurferBinary(const std::string & path, const PointData & data)
{
  constexpr bool isBigEndian = true;
  std::string    content = "\xff\xff\xfe"
                           "created by ITKCudaNeuro\n\n";
  AppendNumber(content, static_cast<std::uint32_t>(data.GetNumberOfPoints()), isBigEndian);
  AppendNumber(content, static_cast<std::uint32_t>(data.cells.size()), isBigEndian);
  for (const double coordinate : data.coordinates)
  {
    AppendNumber(content, static_cast<float>(coordinate), isBigEndian);
  }
  for (const MeshCell & cell : data.cells)
  {
    for (const std::uint32_t point : cell.points)
    {
      AppendNumber(content, point, isBigEndian);
    }
  }
  WriteBytes(path, content + data.mesh.freeSurfer);
}

} // namespace cudaneuro::files
