// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/AxesShear.h"

#include "files/base/Text.h"

#include <vnl/vnl_inverse.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cudaneuro::files
{

AxesShear
ShearOf(const vnl_matrix_fixed<double, 3, 3> & axes)
{
  constexpr double degreesOfRadian = 57.29577951308232;
  AxesShear        shear;
  std::string      between = "i and j";
  for (const auto & [i, j] : { std::pair(0u, 1u), std::pair(0u, 2u), std::pair(1u, 2u) })
  {
    const auto   a = axes.get_column(i);
    const auto   b = axes.get_column(j);
    const double cosine = std::abs(dot_product(a, b)) / (a.two_norm() * b.two_norm());
    if (cosine > shear.cosine)
    {
      shear.cosine = cosine;
      between = std::string(1, "ijk"[i]) + " and " + "ijk"[j];
    }
  }
  const double degrees = std::asin(std::min(1.0, shear.cosine)) * degreesOfRadian;
  shear.text = "a shear of " + TextOf(degrees, 4) + " degrees between the axes " + between;
  return shear;
}

vnl_matrix_fixed<double, 3, 3>
NearestRotation(vnl_matrix_fixed<double, 3, 3> axes)
{
  // Newton's iteration for the polar decomposition. The svd of VNL fails for numbers that are nearly 0.
  constexpr int steps = 4; // each squares the error, which is 2e-3 at most
  for (int step = 0; step < steps; ++step)
  {
    axes = (axes + vnl_inverse_transpose(axes)) * 0.5;
  }
  return axes;
}

} // namespace cudaneuro::files
