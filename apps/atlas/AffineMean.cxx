// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AffineMean.h"

#include <vnl/algo/vnl_symmetric_eigensystem.h>
#include <vnl/vnl_matrix.h>

#include <cmath>

using cudaneuro::AffineMap;

namespace
{

using Matrix = vnl_matrix<double>;

constexpr unsigned int axes = 3;

/** Returns the symmetric matrix with the same eigenvectors, and a function of each eigenvalue. */
template <typename TFunction>
Matrix
OfEigenvalues(const Matrix & symmetric, const TFunction & function)
{
  vnl_symmetric_eigensystem<double> system(symmetric);
  for (unsigned int i = 0; i < axes; ++i)
  {
    system.D(i) = function(system.D(i));
  }
  return system.recompose();
}

Matrix
MeanLogarithm(const std::vector<AffineMap> & maps, const std::vector<double> & weights)
{
  Matrix sum(axes, axes, 0.0);
  double sumOfWeights = 0.0;
  for (std::size_t k = 0; k < maps.size(); ++k)
  {
    const Matrix matrix(maps[k].matrix.data(), axes, axes);
    sum +=
      weights[k] * OfEigenvalues(matrix.transpose() * matrix, [](double square) { return 0.5 * std::log(square); });
    sumOfWeights += weights[k];
  }
  return sum / sumOfWeights;
}

std::array<double, 3>
Apply(const AffineMap & map, const std::array<double, 3> & point)
{
  return Compose(map, { {}, point }).offset;
}

/** x -> center + matrix (x - center) */
AffineMap
MapAbout(const std::array<double, 3> & center, const Matrix & matrix)
{
  AffineMap map;
  matrix.copy_out(map.matrix.data());
  const std::array<double, 3> moved = Apply(map, center);
  for (unsigned int axis = 0; axis < axes; ++axis)
  {
    map.offset[axis] = center[axis] - moved[axis];
  }
  return map;
}

} // namespace

std::array<double, 9>
MeanLogarithmOfStretches(const std::vector<AffineMap> & maps, const std::vector<double> & weights)
{
  std::array<double, 9> rows{};
  MeanLogarithm(maps, weights).copy_out(rows.data());
  return rows;
}

void
TakeOutMeanStretch(std::vector<AffineMap> &      maps,
                   const std::vector<double> &   weights,
                   const std::array<double, 3> & center)
{
  constexpr double       smallest = 1e-13; // several rounding errors of numbers about 1
  constexpr unsigned int most = 100;       // each makes the mean about ten times smaller, or more
  Matrix                 mean = MeanLogarithm(maps, weights);
  for (unsigned int step = 0; step < most && mean.absolute_value_max() > smallest; ++step)
  {
    const AffineMap neutral =
      MapAbout(center, OfEigenvalues(mean, [](double logarithm) { return std::exp(-logarithm); }));
    for (AffineMap & map : maps)
    {
      map = cudaneuro::Compose(map, neutral);
    }
    mean = MeanLogarithm(maps, weights);
  }
}

std::array<double, 3>
CenterOf(const cudaneuro::Geometry & geometry)
{
  const std::array<double, 3> index{ 0.5 * static_cast<double>(geometry.grid.size[0] - 1),
                                     0.5 * static_cast<double>(geometry.grid.size[1] - 1),
                                     0.5 * static_cast<double>(geometry.grid.size[2] - 1) };
  return Apply(cudaneuro::IndexToPoint(geometry), index);
}
