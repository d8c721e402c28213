// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/points/PointFormats.h"

#include "files/points/MeshCells.h"
#include "files/points/NumberScanner.h"

#include <algorithm>
#include <ostream>

/** What the readers and writers of several formats have in common. */
namespace cudaneuro::files
{

void
AddPoint(const NumberScanner & scanner, PointData & data, const std::vector<std::string> & words)
{
  if (words.size() < 3)
  {
    scanner.Refuse("a point has " + std::to_string(words.size()) + " coordinates; it must have 3");
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    data.coordinates.push_back(scanner.AsNumber("a coordinate", words[axis]));
  }
}

std::string
NoteOfShortCells(std::size_t count)
{
  return "has " + std::to_string(count) + " faces or lines of too few points, which are left out";
}

void
LeaveOutShortCells(PointData & data)
{
  const auto end = std::remove_if(
    data.cells.begin(), data.cells.end(), [](const MeshCell & cell) { return cell.points.size() < LeastPoints(cell); });
  if (end != data.cells.end())
  {
    data.notes.push_back(NoteOfShortCells(static_cast<std::size_t>(data.cells.end() - end)));
    data.cells.erase(end, data.cells.end());
  }
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

std::string
SpaceOf(const std::string & text)
{
  return text.find("SPACE=RAS") != std::string::npos ? "RAS" : text.find("SPACE=LPS") != std::string::npos ? "LPS" : "";
}

std::string
SpaceNote(const MeshNotes & notes)
{
  return notes.space == "RAS" ? "SPACE=RAS" : "SPACE=LPS";
}

void
WritePlaces(std::ostream & file, const PointData & data, const char * before, const char * after)
{
  for (std::size_t i = 0; i < data.coordinates.size(); ++i)
  {
    const std::size_t axis = i % data.dimension;
    file << (axis == 0 ? before : " ") << data.coordinates[i];
    if (axis + 1 == data.dimension)
    {
      file << after << '\n';
    }
  }
}

void
WriteCells(std::ostream & file, const std::vector<MeshCell> & cells)
{
  for (const MeshCell & cell : cells)
  {
    file << cell.points.size();
    for (const std::uint32_t point : cell.points)
    {
      file << ' ' << point;
    }
    file << '\n';
  }
}

} // namespace cudaneuro::files
