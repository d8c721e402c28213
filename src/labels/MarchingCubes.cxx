// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/MarchingCubes.h"

namespace cudaneuro
{
namespace
{

int
EdgeBetween(int a, int b)
{
  const int difference = a ^ b;
  const int axis = difference == 1 ? 0 : (difference == 2 ? 1 : 2);
  const int low = a & b;
  // The two bits of the lower corner other than the axis' own.
  const int rest = axis == 0 ? low >> 1 : (axis == 1 ? (low & 1) | (low >> 1 & 2) : low & 3);
  return 4 * axis + rest;
}

/** The corners of a face, counterclockwise as seen from outside. */
std::array<int, 4>
CornersOfFace(int face)
{
  const int          axis = face / 2;
  const bool         isHigh = face % 2 == 1;
  const int          u = 1 << (axis + 1) % 3;
  const int          v = 1 << (axis + 2) % 3;
  const int          base = isHigh ? 1 << axis : 0;
  std::array<int, 4> corners{ base, base + u, base + u + v, base + v };
  if (!isHigh)
  {
    std::swap(corners[1], corners[3]);
  }
  return corners;
}

/** The edge that follows each crossed edge on the way around the surface, -1 for the other edges. */
std::array<int, MarchingCubes::numberOfEdges>
NextEdges(unsigned int inside)
{
  std::array<int, MarchingCubes::numberOfEdges> next{};
  next.fill(-1);
  const auto isInside = [&](int corner) { return (inside >> corner & 1u) != 0; };
  for (int face = 0; face < 6; ++face)
  {
    const std::array<int, 4> corners = CornersOfFace(face);
    for (int i = 0; i < 4; ++i)
    {
      const int corner = corners[static_cast<std::size_t>(i)];
      const int before = corners[static_cast<std::size_t>((i + 3) % 4)];
      if (isInside(corner) && !isInside(before))
      {
        int last = i;
        while (isInside(corners[static_cast<std::size_t>((last + 1) % 4)]))
        {
          ++last;
        }
        const int from = corners[static_cast<std::size_t>(last % 4)];
        const int to = corners[static_cast<std::size_t>((last + 1) % 4)];
        next[static_cast<std::size_t>(EdgeBetween(before, corner))] = EdgeBetween(from, to);
      }
    }
  }
  return next;
}

} // namespace

MarchingCubes::MarchingCubes()
{
  for (unsigned int inside = 0; inside < m_Polygons.size(); ++inside)
  {
    std::array<int, numberOfEdges> next = NextEdges(inside);
    for (std::size_t first = 0; first < next.size(); ++first)
    {
      Polygon loop;
      for (auto edge = static_cast<int>(first); next[static_cast<std::size_t>(edge)] >= 0;)
      {
        loop.push_back(static_cast<std::int8_t>(edge));
        const int following = next[static_cast<std::size_t>(edge)];
        next[static_cast<std::size_t>(edge)] = -1;
        edge = following;
      }
      if (!loop.empty())
      {
        m_Polygons[inside].push_back(loop);
      }
    }
  }
}

int
MarchingCubes::LowCorner(int edge)
{
  const int rest = edge % 4;
  switch (edge / 4)
  {
    case 0:
      return rest << 1;
    case 1:
      return (rest & 1) | (rest & 2) << 1;
    default:
      return rest;
  }
}

bool
MarchingCubes::AreOnOneFace(int a, int b)
{
  // Edges are on one face if the corners of both have a coordinate in common.
  const int lowA = LowCorner(a);
  const int lowB = LowCorner(b);
  for (int axis = 0; axis < 3; ++axis)
  {
    if (a / 4 != axis && b / 4 != axis && (lowA >> axis & 1) == (lowB >> axis & 1))
    {
      return true;
    }
  }
  return false;
}

} // namespace cudaneuro
