// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/input/TextScanner.h"
#include "files/output/WholeFile.h"
#include "files/points/MeshFormats.h"
#include "files/points/MeshNumberType.h"

#include <filesystem>
#include <iomanip>
#include <sstream>

namespace
{

constexpr std::size_t triangle = 3;

void
AddBigEndian(std::string & bytes, std::uint32_t value)
{
  for (int shift = 24; shift >= 0; shift -= 8)
  {
    bytes += static_cast<char>(value >> shift & 0xffu);
  }
}

/** The footer may place the surface's origin in the scanner's space. Points stay where FreeSurfer's tools and nibabel have them. */
void
WarnOfOrigin(const std::string & path, MeshNotes & notes)
{
  const std::string & footer = notes.freeSurfer;
  const std::size_t   at = footer.find("cras");
  const std::size_t   equals = at == std::string::npos ? at : footer.find('=', at);
  double              origin[3] = {};
  if (equals != std::string::npos)
  {
    std::istringstream(footer.substr(equals + 1)) >> origin[0] >> origin[1] >> origin[2];
  }
  if (origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0)
  {
    std::ostringstream text;
    text << path << " is in FreeSurfer's surface space, whose origin (c_ras) is at " << origin[0] << ", " << origin[1]
         << ", " << origin[2] << " mm of the scanner's RAS; its coordinates are taken as they are";
    notes.warnings.push_back(text.str());
  }
}

} // namespace

PointData
ReadFreeSurferText(const std::string & path)
{
  TextScanner scanner(path);
  if (scanner.TakeLine().rfind("#!ascii", 0) != 0)
  {
    scanner.Refuse("it is no surface of FreeSurfer in text: it does not begin with \"#!ascii\"");
  }
  PointData         data;
  const std::size_t points = scanner.TakeSize("the number of points", 8);
  const std::size_t triangles = scanner.TakeSize("the number of triangles", 8);
  for (std::size_t i = 0; i < points; ++i)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      data.coordinates.push_back(scanner.TakeNumber("a coordinate"));
    }
    scanner.TakeNumber("a number after a point");
  }
  for (std::size_t i = 0; i < triangles; ++i)
  {
    MeshCell cell;
    for (std::size_t corner = 0; corner < triangle; ++corner)
    {
      cell.points.push_back(static_cast<std::uint32_t>(scanner.TakeCount("a point of a triangle", 0xffffffff)));
    }
    data.cells.push_back(std::move(cell));
    scanner.TakeNumber("a number after a triangle");
  }
  return data;
}

PointData
ReadFreeSurferBinary(const std::string & path)
{
  TextScanner scanner(path);
  if (std::string(scanner.TakeBytes(3), 3) != "\xff\xff\xfe")
  {
    RefuseInput(path,
                "it is no binary surface of triangles of FreeSurfer: it does not begin with the bytes FF FF FE; "
                "mris_convert makes such of others");
  }
  scanner.TakeLine();
  // The comment ends with one line's end or with two.
  if (scanner.PeekByte() == '\n')
  {
    scanner.TakeBytes(1);
  }
  const auto take = [&] { return static_cast<std::uint32_t>(ToDouble<std::uint32_t>(scanner.TakeBytes(4), true)); };
  const std::uint32_t points = take();
  const std::uint32_t triangles = take();
  const std::size_t   count = triangle * static_cast<std::size_t>(points);
  PointData           data;
  const char *        bytes = scanner.TakeBytes(4 * count);
  for (std::size_t i = 0; i < count; ++i)
  {
    data.coordinates.push_back(ToDouble<float>(bytes + 4 * i, true));
  }
  bytes = scanner.TakeBytes(4 * triangle * static_cast<std::size_t>(triangles));
  for (std::uint32_t i = 0; i < triangles; ++i)
  {
    MeshCell cell;
    for (std::size_t corner = 0; corner < triangle; ++corner, bytes += 4)
    {
      cell.points.push_back(static_cast<std::uint32_t>(ToDouble<std::uint32_t>(bytes, true)));
    }
    data.cells.push_back(std::move(cell));
  }
  const std::size_t rest = scanner.GetRemainingBytes();
  data.mesh.freeSurfer.assign(scanner.TakeBytes(rest), rest);
  WarnOfOrigin(path, data.mesh);
  return data;
}

void
WriteFreeSurferText(const std::string & path, const PointData & data)
{
  std::ostringstream text;
  text << "#!ascii version of " << std::filesystem::path(path).filename().string() << '\n';
  text << data.GetNumberOfPoints() << ' ' << data.cells.size() << '\n' << std::setprecision(9);
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    text << static_cast<float>(data.coordinates[i]) << (i % 3 == 2 ? " 0\n" : " ");
  }
  for (const MeshCell & cell : data.cells)
  {
    text << cell.points[0] << ' ' << cell.points[1] << ' ' << cell.points[2] << " 0\n";
  }
  WriteBytes(path, text.str());
}

void
WriteFreeSurferBinary(const std::string & path, const PointData & data)
{
  std::string content = "\xff\xff\xfe"
                        "created by ITKCudaNeuro\n\n";
  AddBigEndian(content, static_cast<std::uint32_t>(data.GetNumberOfPoints()));
  AddBigEndian(content, static_cast<std::uint32_t>(data.cells.size()));
  for (const double coordinate : data.coordinates)
  {
    const auto    value = static_cast<float>(coordinate);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    AddBigEndian(content, bits);
  }
  for (const MeshCell & cell : data.cells)
  {
    for (const std::uint32_t point : cell.points)
    {
      AddBigEndian(content, point);
    }
  }
  WriteBytes(path, content + data.mesh.freeSurfer);
}
