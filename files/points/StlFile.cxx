// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/SurfaceFormats.h"
#include "files/input/TextScanner.h"

#include <algorithm>
#include <cstring>

namespace
{

constexpr std::size_t headerBytes = 84;
constexpr std::size_t triangleBytes = 50;

/** A number of the file, which is little endian, as is every machine that this is built for. */
template <typename TValue>
TValue
ValueAt(const char * bytes)
{
  TValue value;
  std::memcpy(&value, bytes, sizeof(TValue));
  return value;
}

void
AddTriangle(PointData & data)
{
  const auto end = static_cast<std::uint32_t>(data.GetNumberOfPoints());
  data.cells.push_back({ MeshCell::Kind::Polygon, { end - 3, end - 2, end - 1 } });
}

PointData
ReadBinary(TextScanner & scanner)
{
  const std::size_t bytes = scanner.GetRemainingBytes();
  const auto        count = ValueAt<std::uint32_t>(scanner.TakeBytes(headerBytes) + headerBytes - 4);
  if (bytes != headerBytes + triangleBytes * count)
  {
    RefuseField(scanner.GetPath(),
                "the number of triangles",
                count,
                "with that it must have " + std::to_string(headerBytes + triangleBytes * count) + " bytes; it has " +
                  std::to_string(bytes));
  }
  PointData data;
  data.coordinates.reserve(9 * static_cast<std::size_t>(count));
  data.cells.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i)
  {
    // A normal comes first, and an attribute last.
    const char * const triangle = scanner.TakeBytes(triangleBytes);
    for (std::size_t number = 3; number < 12; ++number)
    {
      data.coordinates.push_back(static_cast<double>(ValueAt<float>(triangle + number * sizeof(float))));
    }
    AddTriangle(data);
  }
  return data;
}

void
Expect(TextScanner & scanner, const char * word)
{
  const std::string found = scanner.TakeWord();
  if (found.empty())
  {
    RefuseInput(scanner.GetPath(), "it is cut short: \"" + std::string(word) + "\" is missing");
  }
  if (Lower(found) != word)
  {
    scanner.Refuse("it has \"" + found.substr(0, 20) + "\", where \"" + word + "\" must be");
  }
}

void
ReadFacet(TextScanner & scanner, PointData & data)
{
  Expect(scanner, "facet");
  Expect(scanner, "normal");
  for (int axis = 0; axis < 3; ++axis)
  {
    scanner.TakeWord(); // which is NaN in some files, and not needed
  }
  Expect(scanner, "outer");
  Expect(scanner, "loop");
  for (int corner = 0; corner < 3; ++corner)
  {
    Expect(scanner, "vertex");
    for (int axis = 0; axis < 3; ++axis)
    {
      data.coordinates.push_back(scanner.TakeNumber("a coordinate"));
    }
  }
  Expect(scanner, "endloop");
  Expect(scanner, "endfacet");
  AddTriangle(data);
}

/** One solid after the other. */
PointData
ReadText(TextScanner & scanner)
{
  PointData data;
  while (!scanner.PeekWord().empty())
  {
    Expect(scanner, "solid");
    scanner.TakeLine(); // the name
    while (Lower(scanner.PeekWord()) != "endsolid")
    {
      ReadFacet(scanner, data);
    }
    scanner.TakeWord();
    scanner.TakeLine();
  }
  return data;
}

} // namespace

PointData
ReadStl(const std::string & path)
{
  TextScanner       scanner(path);
  const std::size_t bytes = scanner.GetRemainingBytes();
  if (bytes == 0)
  {
    RefuseInput(path, "it is empty");
  }
  // Binary files may begin with "solid", too. But text has no byte that is 0, as numbers of up to 16 million triangles have.
  const std::vector<char> start = ReadBytes(path, 0, std::min(bytes, headerBytes));
  const bool isText = Lower(scanner.PeekWord()) == "solid" && std::count(start.begin(), start.end(), '\0') == 0;
  return isText ? ReadText(scanner) : ReadBinary(scanner);
}
