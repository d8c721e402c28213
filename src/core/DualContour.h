// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_DualContour_h
#define cudaneuro_core_DualContour_h

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/** Common parts of contours with one vertex in each cell of a grid through which the surface passes. A cell is
 * identified by its lowest corner. */
namespace cudaneuro
{

template <typename TInteger>
using CellIndex = std::array<TInteger, 3>;

/** Returns the number of a cell's vertex. A \p number of -1 means that the cell has none yet: then make() makes it. */
template <typename TVertex, typename TMake>
std::int32_t
VertexOfCell(std::int32_t & number, std::vector<TVertex> & vertices, const TMake & make)
{
  if (number < 0)
  {
    number = static_cast<std::int32_t>(vertices.size());
    vertices.push_back(make());
  }
  return number;
}

/** Calls body(from, to) with the ends of each of the twelve edges of a cell. */
template <typename TInteger, typename TBody>
void
ForEachEdgeOfCell(const CellIndex<TInteger> & cell, const TBody & body)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (int corner = 0; corner < 4; ++corner)
    {
      CellIndex<TInteger> from = cell;
      from[(axis + 1) % 3] += corner % 2;
      from[(axis + 2) % 3] += corner / 2;
      CellIndex<TInteger> to = from;
      ++to[axis];
      body(from, to);
    }
  }
}

/** Returns the cells around the edge that goes upwards from a corner, counterclockwise as seen from its upper end. */
template <typename TInteger>
std::array<CellIndex<TInteger>, 4>
CellsAroundEdge(const CellIndex<TInteger> & from, std::size_t axis)
{
  constexpr int                      steps[4][2] = { { -1, -1 }, { 0, -1 }, { 0, 0 }, { -1, 0 } };
  std::array<CellIndex<TInteger>, 4> cells{ from, from, from, from };
  for (std::size_t i = 0; i < 4; ++i)
  {
    cells[i][(axis + 1) % 3] += steps[i][0];
    cells[i][(axis + 2) % 3] += steps[i][1];
  }
  return cells;
}

/** Adds the two triangles of a quadrangle on either side of the diagonal that starts at corner \p begin, 0 or 1. */
inline void
AddQuadrangle(const std::array<std::int32_t, 4> & corners, std::size_t begin, std::vector<std::int32_t> & triangles)
{
  for (const std::size_t corner : { begin, begin + 1, begin + 2, begin, begin + 2, (begin + 3) % 4 })
  {
    triangles.push_back(corners[corner]);
  }
}

} // namespace cudaneuro

#endif
