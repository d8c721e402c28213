// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/GridOverlap.h"

#include "metrics/MappedRowCpu.h"

namespace cudaneuro
{

namespace
{

constexpr int mostRows = 32;

/** Row \p i of some, evenly spaced, of \p length. */
int
RowAt(int i, int rows, int length)
{
  return static_cast<int>((2 * std::int64_t{ i } + 1) * length / (2 * std::int64_t{ rows }));
}

} // namespace

double
GridOverlap(const AffineMap & indexMap, const Extent & from, const Extent & to)
{
  const int    rowsY = std::min(from.y, mostRows);
  const int    rowsZ = std::min(from.z, mostRows);
  std::int64_t inside = 0;
  for (int k = 0; k < rowsZ; ++k)
  {
    for (int j = 0; j < rowsY; ++j)
    {
      const cpu::MappedRow row = cpu::MapRow(indexMap, RowAt(j, rowsY, from.y), RowAt(k, rowsZ, from.z), from.x, to);
      inside += std::max(0, row.end - row.begin);
    }
  }
  return static_cast<double>(inside) / (static_cast<double>(from.x) * rowsY * rowsZ);
}

} // namespace cudaneuro
