// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFormats.h"
#include "files/input/TextScanner.h"

#include <array>
#include <cstring>

namespace
{

void
TakePoint(TextScanner & scanner, PointData & data)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    data.coordinates.push_back(scanner.TakeNumber("a coordinate"));
  }
}

/** Takes the points of a cell, counted from 0. */
void
TakeCell(TextScanner & scanner, std::size_t count, PointData & data)
{
  MeshCell cell;
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::size_t largest = data.GetNumberOfPoints() - 1;
    cell.points.push_back(static_cast<std::uint32_t>(scanner.TakeCount("a point of a face", largest)));
  }
  data.cells.push_back(std::move(cell));
}

/** Lines of a file of the format .obj. */
class ObjReader
{
public:
  explicit ObjReader(const std::string & path)
    : m_Scanner(path)
  {}

  PointData
  Read()
  {
    while (m_Scanner.GetRemainingBytes() > 0)
    {
      const std::vector<std::string> words = SplitWords(Trimmed(m_Scanner.TakeLine()));
      if (!words.empty() && words[0] == "v")
      {
        this->AddPoint(words);
      }
      else if (!words.empty() && (words[0] == "f" || words[0] == "l"))
      {
        this->AddCell(words);
      }
    }
    return std::move(m_Data);
  }

private:
  void
  AddPoint(const std::vector<std::string> & words)
  {
    if (words.size() < 4)
    {
      m_Scanner.Refuse("a point has " + std::to_string(words.size() - 1) + " coordinates; it must have 3");
    }
    for (std::size_t axis = 1; axis <= 3; ++axis)
    {
      m_Data.coordinates.push_back(m_Scanner.AsNumber("a coordinate", words[axis]));
    }
  }

  void
  AddCell(const std::vector<std::string> & words)
  {
    MeshCell cell;
    cell.kind = words[0] == "f" ? MeshCell::Kind::Polygon : MeshCell::Kind::Line;
    for (std::size_t i = 1; i < words.size(); ++i)
    {
      cell.points.push_back(this->PointOf(words[i]));
    }
    const std::size_t least = words[0] == "f" ? 3 : 2;
    if (cell.points.size() < least)
    {
      m_Scanner.Refuse("a face or line has " + std::to_string(cell.points.size()) + " points; it must have " +
                       std::to_string(least) + " or more");
    }
    m_Data.cells.push_back(std::move(cell));
  }

  /** A point may stand before numbers of its texture and normal: 3/1/2. Negative ones count back from the last. */
  std::uint32_t
  PointOf(const std::string & word) const
  {
    const auto   count = static_cast<double>(m_Data.GetNumberOfPoints());
    const double number = m_Scanner.AsNumber("a point of a face", word.substr(0, word.find('/')));
    const double index = number < 0.0 ? count + number : number - 1.0;
    if (number != std::trunc(number) || index < 0.0 || index >= count)
    {
      m_Scanner.Refuse("a point of a face is " + word.substr(0, 20) + "; there are " +
                       std::to_string(m_Data.GetNumberOfPoints()) + " points before it");
    }
    return static_cast<std::uint32_t>(index);
  }

  TextScanner m_Scanner;
  PointData   m_Data;
};

/** Takes comments, which begin with #, off the beginning. */
void
SkipComments(TextScanner & scanner)
{
  while (!scanner.PeekWord().empty() && scanner.PeekWord().front() == '#')
  {
    scanner.TakeWord();
    scanner.TakeLine();
  }
}

constexpr std::size_t triangle = 3;

void
TakeTriangles(TextScanner & scanner, std::size_t count, PointData & data)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    TakeCell(scanner, triangle, data);
    scanner.TakeNumber("a number after a triangle");
  }
}

std::uint32_t
BigEndian(const char * bytes)
{
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i)
  {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

} // namespace

PointData
ReadObj(const std::string & path)
{
  return ObjReader(path).Read();
}

PointData
ReadOff(const std::string & path)
{
  TextScanner scanner(path);
  SkipComments(scanner);
  const std::string keyword = scanner.TakeWord();
  if (keyword != "OFF" || scanner.PeekWord() == "BINARY")
  {
    scanner.Refuse("it begins with \"" + keyword.substr(0, 20) + ' ' + scanner.PeekWord().substr(0, 20) +
                   "\"; files of text that begin with OFF can be worked on");
  }
  SkipComments(scanner);
  PointData         data;
  const std::size_t points = scanner.TakeSize("the number of points", 6);
  const std::size_t faces = scanner.TakeSize("the number of faces", 2);
  scanner.TakeSize("the number of edges", 0);
  for (std::size_t i = 0; i < points; ++i)
  {
    SkipComments(scanner);
    TakePoint(scanner, data);
  }
  for (std::size_t i = 0; i < faces; ++i)
  {
    SkipComments(scanner);
    const std::size_t count = scanner.TakeSize("the number of points of a face", 2);
    if (count < triangle || points == 0)
    {
      scanner.Refuse("a face has " + std::to_string(count) + " points; it must have 3 or more");
    }
    TakeCell(scanner, count, data);
    scanner.TakeLine(); // maybe a color
  }
  return data;
}

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
  const std::size_t triangles = scanner.TakeSize("the number of triangles", points == 0 ? 0 : 8);
  for (std::size_t i = 0; i < points; ++i)
  {
    TakePoint(scanner, data);
    scanner.TakeNumber("a number after a point");
  }
  TakeTriangles(scanner, points == 0 ? 0 : triangles, data);
  TurnAround(data);
  return data;
}

PointData
ReadFreeSurferBinary(const std::string & path)
{
  TextScanner scanner(path);
  if (std::memcmp(scanner.TakeBytes(3), "\xff\xff\xfe", 3) != 0)
  {
    RefuseInput(path, "it is no binary surface of triangles of FreeSurfer");
  }
  scanner.TakeLine();
  // The comment ends with one line's end or with two.
  if (scanner.PeekByte() == '\n')
  {
    scanner.TakeBytes(1);
  }
  const std::uint32_t points = BigEndian(scanner.TakeBytes(4));
  const std::uint32_t triangles = BigEndian(scanner.TakeBytes(4));
  const std::size_t   count = triangle * static_cast<std::size_t>(points);
  PointData           data;
  const char *        bytes = scanner.TakeBytes(4 * count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::uint32_t bits = BigEndian(bytes + 4 * i);
    float               value = 0.0f;
    std::memcpy(&value, &bits, sizeof(value));
    data.coordinates.push_back(static_cast<double>(value));
  }
  bytes = scanner.TakeBytes(4 * triangle * static_cast<std::size_t>(triangles));
  for (std::uint32_t i = 0; i < triangles; ++i, bytes += 4 * triangle)
  {
    MeshCell cell;
    cell.points = { BigEndian(bytes), BigEndian(bytes + 4), BigEndian(bytes + 8) };
    for (const std::uint32_t point : cell.points)
    {
      if (point >= points)
      {
        RefuseField(path,
                    "a point of triangle " + std::to_string(i),
                    point,
                    "counted from 0, there are " + std::to_string(points) + " points");
      }
    }
    data.cells.push_back(std::move(cell));
  }
  TurnAround(data);
  return data;
}
