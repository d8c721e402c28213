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
 * Corner c is at (c & 1, c >> 1 & 1, c >> 2 & 1). The edges along axis a are 4 a to 4 a + 3, in the order of their lower
 * corners. Where the corners of a face are inside and outside in turn, those inside are separated, on both of the
 * cubes that share the face: surfaces are closed. */
class MarchingCubes
{
public:
  static constexpr int numberOfEdges = 12;
  /** The edges that the corners of a polygon are on, counterclockwise as seen from outside. */
  using Polygon = std::vector<std::int8_t>;

  MarchingCubes();
  /** Bit c of \p inside is corner c's. */
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
