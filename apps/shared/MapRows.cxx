// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/MapRows.h"

std::vector<std::vector<double>>
MatrixRowsOf(const cudaneuro::AffineMap & map, unsigned int dimension)
{
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row < dimension; ++row)
  {
    const double * const begin = map.matrix.data() + 3 * row;
    rows.emplace_back(begin, begin + dimension);
  }
  return rows;
}

std::vector<double>
OffsetOf(const cudaneuro::AffineMap & map, unsigned int dimension)
{
  return { map.offset.begin(), map.offset.begin() + dimension };
}
