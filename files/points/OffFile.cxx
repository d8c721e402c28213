// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/NumberScanner.h"
#include "files/points/PointFormats.h"

#include <ostream>

namespace cudaneuro::files
{

namespace
{

/** Skips blanks and comments, which begin with # and may note the space. */
void
SkipComments(NumberScanner & scanner, PointData & data)
{
  for (char next = scanner.PeekByte(); std::isspace(static_cast<unsigned char>(next)) != 0 || next == '#';
       next = scanner.PeekByte())
  {
    if (next != '#')
    {
      scanner.TakeBytes(1);
    }
    else if (const std::string note = SpaceOf(scanner.TakeLine()); !note.empty())
    {
      data.mesh.space = note;
    }
  }
}

/** Takes OFF, before which letters tell what follows the coordinates of a point: textures (ST), colors (C) and normals
 * (N). The number of points may follow without a blank. */
void
TakeKeyword(NumberScanner & scanner)
{
  std::string keyword;
  while (std::isalpha(static_cast<unsigned char>(scanner.PeekByte())) != 0)
  {
    keyword += Upper(std::string(1, *scanner.TakeBytes(1)));
  }
  const std::vector<std::string> known = { "OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCOFF", "STNOFF", "STCNOFF" };
  if (std::count(known.begin(), known.end(), keyword) == 0 || scanner.PeekWord() == "BINARY")
  {
    scanner.Refuse("it begins with \"" + keyword + scanner.TakeLine().substr(0, 20) +
                   "\"; files of text that begin with " + Listed(known) + " can be worked on");
  }
}

} // namespace

PointData
ReadOff(const std::string & path)
{
  NumberScanner scanner(path, NumberScanner::LineEnds::All);
  PointData     data;
  SkipComments(scanner, data);
  TakeKeyword(scanner);
  SkipComments(scanner, data);
  const std::size_t points = scanner.TakeSize("the number of points", 6);
  const std::size_t faces = scanner.TakeSize("the number of faces", 2);
  scanner.TakeLine(); // maybe the number of edges
  for (std::size_t i = 0; i < points; ++i)
  {
    SkipComments(scanner, data);
    AddPoint(scanner, data, SplitWords(Trimmed(scanner.TakeLine())));
  }
  for (std::size_t i = 0; i < faces; ++i)
  {
    SkipComments(scanner, data);
    const std::size_t count = scanner.TakeSize("the number of points of a face", 2);
    data.cells.push_back(
      { MeshCell::Kind::Polygon, scanner.TakeIndices(count, NumberScanner::Type::UINT, "a point of a face") });
    scanner.TakeLine(); // maybe a color
  }
  LeaveOutShortCells(data);
  return data;
}

void
WriteOff(const std::string & path, const PointData & data)
{
  WriteLines(path, [&](std::ostream & file) {
    file << "OFF\n# " << SpaceNote(data.mesh) << '\n' << data.GetNumberOfPoints() << ' ' << data.cells.size() << " 0\n";
    WritePlaces(file, data);
    WriteCells(file, data.cells);
  });
}

} // namespace cudaneuro::files
