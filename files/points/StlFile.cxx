// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"

namespace cudaneuro::files
{

namespace
{

/** Three points that are no other triangle's. */
void
AddTriangle(PointData & data)
{
  const auto end = static_cast<std::uint32_t>(data.GetNumberOfPoints());
  data.cells.push_back({ MeshCell::Kind::Polygon, { end - 3, end - 2, end - 1 } });
}

/** Reads the points of each loop. Normals follow from them, and other statements are passed over. */
PointData
ReadText(NumberScanner & scanner)
{
  PointData   data;
  std::string last;
  data.mesh.space = SpaceOf(scanner.TakeLine());
  while (scanner.GetRemainingBytes() > 0)
  {
    const std::vector<std::string> words = SplitWords(Lower(Trimmed(scanner.TakeLine())));
    if (words.empty())
    {
      continue;
    }
    last = words[0] == "end" && words.size() > 1 ? "end" + words[1] : words[0];
    if (last == "vertex")
    {
      AddPoint(scanner, data, { words.begin() + 1, words.end() });
    }
    else if (last == "endloop")
    {
      if (data.GetNumberOfPoints() != 3 * (data.cells.size() + 1))
      {
        scanner.Refuse("the loop before it has not three points");
      }
      AddTriangle(data);
    }
  }
  if (last != "endsolid")
  {
    RefuseInput(scanner.GetPath(), "it is cut short: it does not end with \"endsolid\"");
  }
  return data;
}

/** How many triangles a file has after its header. Some programs leave the number out, or write more behind them. */
std::size_t
TakeNumberOfTriangles(NumberScanner & scanner, PointData & data)
{
  constexpr std::size_t bytesOfTriangle = 50;
  const std::size_t     announced = scanner.TakeIndex(NumberScanner::Type::UINT, "the number of triangles");
  const std::size_t     bytes = scanner.GetRemainingBytes();
  const std::size_t     held = bytes / bytesOfTriangle;
  if ((announced == 0 || announced == 0xffffffff) && held * bytesOfTriangle == bytes)
  {
    data.notes.push_back("announces " + std::to_string(announced) + " triangles; the " + std::to_string(held) +
                         " that it has are read");
    return held;
  }
  if (announced > held)
  {
    RefuseField(scanner.GetPath(),
                "its size in bytes",
                84 + bytes,
                "of " + std::to_string(announced) + " triangles, which its header announces, it must be " +
                  std::to_string(84 + bytesOfTriangle * announced));
  }
  if (bytes > announced * bytesOfTriangle)
  {
    data.notes.push_back("has " + std::to_string(bytes - announced * bytesOfTriangle) +
                         " bytes behind its last triangle, which are left out");
  }
  return announced;
}

PointData
ReadBinary(NumberScanner & scanner)
{
  PointData data;
  data.mesh.space = SpaceOf(std::string(scanner.TakeBytes(80), 80));
  scanner.BeginBinary(false);
  const std::size_t triangles = TakeNumberOfTriangles(scanner, data);
  for (std::size_t i = 0; i < triangles; ++i)
  {
    scanner.TakeBytes(12); // the normal
    const std::vector<double> corners = scanner.TakeNumbers(9, NumberScanner::Type::FLOAT, "a coordinate");
    data.coordinates.insert(data.coordinates.end(), corners.begin(), corners.end());
    AddTriangle(data);
    scanner.TakeBytes(2); // maybe a color
  }
  return data;
}

/** Whether a file has text. The header of a binary one may begin with "solid", too. */
bool
IsText(const std::string & path, NumberScanner & scanner)
{
  constexpr std::size_t bytes = 512;
  return Lower(scanner.PeekWord()).rfind("solid", 0) == 0 && ReadStart(path, bytes).find('\0') == std::string::npos;
}

} // namespace

PointData
ReadStl(const std::string & path)
{
  NumberScanner scanner(path);
  return IsText(path, scanner) ? ReadText(scanner) : ReadBinary(scanner);
}

} // namespace cudaneuro::files
