// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_MarchingCubes_h
#define cudaneuro_labels_MarchingCubes_h

#include <array>
#include <cstdint>
#include <vector>

namespace cudaneuro
{

/** The triangles of a cube whose corners are inside or outside.
 *
 * Corner c is at (c & 1, c >> 1 & 1, c >> 2 & 1). The edges along axis a are 4 a to 4 a + 3, in the order of their lower
 * corners. Where the corners of a face are inside and outside in turn, those inside are separated, on both of the
 * cubes that share the face: surfaces are closed. */
class MarchingCubes
{
public:
  static constexpr int numberOfEdges = 12;

  MarchingCubes();
  /** Three edges for each triangle, normals outward. Bit c of \p inside is corner c's. */
  const std::vector<std::int8_t> &
  TrianglesOf(unsigned int inside) const
  {
    return m_Triangles[inside];
  }
  /** The lower corner of an edge. */
  static int
  LowCorner(int edge);

private:
  std::array<std::vector<std::int8_t>, 256> m_Triangles;
};

} // namespace cudaneuro

#endif
