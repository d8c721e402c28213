// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/MeshFile.h"
#include "files/output/WholeFile.h"
#include "files/points/MeshFormats.h"

#include <iomanip>
#include <limits>
#include <sstream>

void
WriteVtkPolyData(const std::string & path, const PointData & data)
{
  std::ostringstream text;
  text << "# vtk DataFile Version 3.0\n" << SpaceNote(data.mesh) << "\nASCII\nDATASET POLYDATA\nPOINTS ";
  text << data.GetNumberOfPoints() << " double\n" << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    text << data.coordinates[i] << (i % 3 == 2 ? '\n' : ' ');
  }
  std::vector<MeshCell> cells = data.cells;
  // Programs show cells, and points only where they are some.
  for (std::uint32_t point = 0; data.cells.empty() && point < data.GetNumberOfPoints(); ++point)
  {
    cells.push_back({ MeshCell::Kind::Vertex, { point } });
  }
  std::ostringstream sections[3];
  std::size_t        counts[3] = {};
  std::size_t        sizes[3] = {};
  for (const MeshCell & cell : cells)
  {
    const auto kind = static_cast<std::size_t>(cell.kind);
    ++counts[kind];
    sizes[kind] += 1 + cell.points.size();
    sections[kind] << cell.points.size();
    for (const std::uint32_t point : cell.points)
    {
      sections[kind] << ' ' << point;
    }
    sections[kind] << '\n';
  }
  constexpr const char * names[] = { "VERTICES ", "LINES ", "POLYGONS " }; // in the order of MeshCell::Kind
  for (std::size_t kind = 0; kind < 3; ++kind)
  {
    if (counts[kind] > 0)
    {
      text << names[kind] << counts[kind] << ' ' << sizes[kind] << '\n' << sections[kind].str();
    }
  }
  WriteBytes(path, text.str());
}
