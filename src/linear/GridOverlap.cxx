// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/GridOverlap.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

/** Maximum number of rows along y and z: with more, the thousands of maps of a search would take too long. */
constexpr int mostRows = 16;

/** Index of row \p i of \p rows rows, evenly spaced over \p length. */
int
RowAt(int i, int rows, int length)
{
  return static_cast<int>((2 * std::int64_t{ i } + 1) * length / (2 * std::int64_t{ rows }));
}

/** One coordinate of the positions along a row of voxels. Clip() shortens the row to the interval, with fractional
 * ends, in which it is on the grid. */
class RowAxis
{
public:
  RowAxis(const double * matrix, double offset, int length)
    : m_Matrix(matrix)
    , m_Offset(offset)
    , m_End(length - 0.5)
    , m_VoxelsOfStep(matrix[0] != 0.0 ? 1.0 / matrix[0] : manyVoxels)
  {}

  void
  Clip(int y, int z, double & begin, double & end) const
  {
    const double position = m_Matrix[1] * y + (m_Matrix[2] * z + m_Offset);
    const double atFirst = (-0.5 - position) * m_VoxelsOfStep;
    const double atEnd = (m_End - position) * m_VoxelsOfStep;
    begin = std::max(begin, std::min(atFirst, atEnd));
    end = std::min(end, std::max(atFirst, atEnd));
  }

private:
  static constexpr double manyVoxels = 1e30;

  const double * m_Matrix;
  double         m_Offset;
  double         m_End;
  double         m_VoxelsOfStep;
};

} // namespace

double
GridOverlap(const AffineMap & indexMap, const Extent & from, const Extent & to)
{
  const double * const matrix = indexMap.matrix.data();
  const RowAxis        axes[3] = { { matrix, indexMap.offset[0], to.x },
                                   { matrix + 3, indexMap.offset[1], to.y },
                                   { matrix + 6, indexMap.offset[2], to.z } };
  const int            rowsY = std::min(from.y, mostRows);
  const int            rowsZ = std::min(from.z, mostRows);
  double               inside = 0.0;
  for (int k = 0; k < rowsZ; ++k)
  {
    for (int j = 0; j < rowsY; ++j)
    {
      double begin = 0.0;
      double end = from.x;
      for (const RowAxis & axis : axes)
      {
        axis.Clip(RowAt(j, rowsY, from.y), RowAt(k, rowsZ, from.z), begin, end);
      }
      inside += std::max(0.0, std::ceil(end) - std::ceil(begin));
    }
  }
  return inside / (static_cast<double>(from.x) * rowsY * rowsZ);
}

} // namespace cudaneuro
