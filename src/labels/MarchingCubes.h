// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_MarchingCubes_h
#define cudaneuro_labels_MarchingCubes_h

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The polygons of a cube whose corners are inside or outside.
 *
 * Corner c is at (c & 1, c >> 1 & 1, c >> 2 & 1). The edges along axis a are 4 a to 4 a + 3, in the order of their
 * lower corners. If the corners of a face alternate between inside and outside, those inside are separated, in both
 * cubes that share the face, so that surfaces are closed. */
class MarchingCubes
{
public:
  static constexpr int numberOfEdges = 12;
  /** The edges on which the corners of a polygon lie, counterclockwise as seen from outside. */
  using Polygon = std::vector<std::int8_t>;

  MarchingCubes();
  /** The polygons of a cube. Bit c of \p inside is set if corner c is inside. */
  const std::vector<Polygon> &
  PolygonsOf(unsigned int inside) const
  {
    return m_Polygons[inside];
  }
  /** The lower corner of an edge. */
  static int
  LowCorner(int edge);
  /** Whether two edges are on one face. Diagonals between them may coincide with those of the neighbor. */
  static bool
  AreOnOneFace(int a, int b);

private:
  std::array<std::vector<Polygon>, 256> m_Polygons;
};

} // namespace cudaneuro

#endif
