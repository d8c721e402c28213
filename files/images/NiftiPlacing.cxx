// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiGeometry.h"

#include <vnl/algo/vnl_determinant.h>

#include <cmath>

void
SetGeometry(NiftiHeader & header, const ImageGeometry & geometry)
{
  auto ras = geometry.direction;
  for (unsigned int row = 0; row < 3; ++row)
  {
    const double sign = row < 2 ? -1.0 : 1.0;
    header.Set(niftiOffsets[row], sign * geometry.origin[row]);
    header.Set(niftiRows[row], sign * geometry.origin[row], 3);
    header.Set("pixdim", geometry.spacing[row], row + 1);
    for (unsigned int column = 0; column < 3; ++column)
    {
      ras[row][column] *= sign;
      header.Set(niftiRows[row], ras[row][column] * geometry.spacing[column], column);
    }
  }
  const bool isMirrored = vnl_determinant(ras.GetVnlMatrix().as_ref()) < 0.0;
  header.Set("pixdim", isMirrored ? -1.0 : 1.0);
  for (unsigned int row = 0; row < 3; ++row)
  {
    ras[row][2] *= isMirrored ? -1.0 : 1.0;
  }
  // This is 4 times the product of the quaternion with itself, of which each column is a multiple of the quaternion.
  const auto   r = [&](int i, int j) { return ras[static_cast<unsigned int>(i)][static_cast<unsigned int>(j)]; };
  const double products[4][4] = {
    { 1 + r(0, 0) + r(1, 1) + r(2, 2), r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1) },
    { r(2, 1) - r(1, 2), 1 + r(0, 0) - r(1, 1) - r(2, 2), r(1, 0) + r(0, 1), r(2, 0) + r(0, 2) },
    { r(0, 2) - r(2, 0), r(1, 0) + r(0, 1), 1 + r(1, 1) - r(0, 0) - r(2, 2), r(2, 1) + r(1, 2) },
    { r(1, 0) - r(0, 1), r(2, 0) + r(0, 2), r(2, 1) + r(1, 2), 1 + r(2, 2) - r(0, 0) - r(1, 1) }
  };
  int largest = 0;
  for (int i = 1; i < 4; ++i)
  {
    largest = products[i][i] > products[largest][largest] ? i : largest;
  }
  const double * const q = products[largest];
  const double         norm = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) * (q[0] < 0.0 ? -1.0 : 1.0);
  for (unsigned int i = 0; i < 3; ++i)
  {
    header.Set(niftiQuaternion[i], q[i + 1] / norm);
  }
}

void
ConvertToMillimeters(NiftiHeader & header)
{
  constexpr double         lengths = 8.0;
  constexpr double         millimeter = 2.0;
  std::vector<std::string> ignored;
  const double             factor = MillimetersOf(header, ignored);
  const auto               scale = [&](const char * field, std::size_t index) {
    header.Set(field, header.Number(field, index) * factor, index);
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scale("pixdim", axis + 1);
    scale(niftiOffsets[axis], 0);
    for (std::size_t column = 0; column < 4; ++column)
    {
      scale(niftiRows[axis], column);
    }
  }
  header.Set("xyzt_units", std::floor(header.Number("xyzt_units") / lengths) * lengths + millimeter);
}
