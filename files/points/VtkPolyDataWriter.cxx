// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/output/WholeFile.h"
#include "files/points/PointFormats.h"

#include <algorithm>
#include <iterator>
#include <ostream>

namespace cudaneuro::files
{

namespace
{

using Kind = MeshCell::Kind;

/** Where cells of a kind are. */
constexpr std::pair<Kind, const char *> sections[] = { { Kind::Vertex, "VERTICES" },
                                                       { Kind::Line, "LINES" },
                                                       { Kind::Polygon, "POLYGONS" } };

} // namespace

void
WriteVtkPolyData(const std::string & path, const PointData & data)
{
  std::vector<MeshCell> cells = data.cells;
  // Programs show cells, and points only where they are some.
  for (std::uint32_t point = 0; data.cells.empty() && point < data.GetNumberOfPoints(); ++point)
  {
    cells.push_back({ Kind::Vertex, { point } });
  }
  WriteLines(path, [&](std::ostream & file) {
    file << "# vtk DataFile Version 3.0\n"
         << SpaceNote(data.mesh) << "\nASCII\nDATASET POLYDATA\nPOINTS " << data.GetNumberOfPoints() << " double\n";
    WritePlaces(file, data);
    for (const auto & [kind, name] : sections)
    {
      std::vector<MeshCell> own;
      std::copy_if(cells.begin(), cells.end(), std::back_inserter(own), [kind = kind](const MeshCell & cell) {
        return cell.kind == kind;
      });
      std::size_t size = own.size();
      for (const MeshCell & cell : own)
      {
        size += cell.points.size();
      }
      if (!own.empty())
      {
        file << name << ' ' << own.size() << ' ' << size << '\n';
        WriteCells(file, own);
      }
    }
  });
}

} // namespace cudaneuro::files
