// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/PointAlignment.h"

#include "core/ParameterChecks.h"
#include "core/SpaceMatrices.h"
#include "core/SymmetricEigenvectors.h"
#include "points/PointArrays.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cudaneuro
{

namespace
{

/** Points whose thickness is below this fraction of their length count as a line. Its square is the fraction of sums of
 * squares. */
constexpr double leastThickness = 1e-3;

/** Points relative to their weighted mean, with a third coordinate of 0 in 2D. */
struct CenteredPoints
{
  std::vector<std::array<double, 3>> points;
  std::array<double, 3>              center{};
  /** sum_i w_i x_i x_i^T, and its trace. */
  SquareMatrix<3> squares{};
  double          trace = 0.0;
};

double
WeightOf(const std::vector<double> & weights, std::size_t point)
{
  return weights.empty() ? 1.0 : weights[point];
}

/** sum_i w_i x_i y_i^T */
SquareMatrix<3>
SumOfProducts(const std::vector<double> & weights, const CenteredPoints & x, const CenteredPoints & y)
{
  SquareMatrix<3> sum{};
  for (std::size_t i = 0; i < x.points.size(); ++i)
  {
    for (std::size_t row = 0; row < 3; ++row)
    {
      for (std::size_t column = 0; column < 3; ++column)
      {
        sum[row][column] += WeightOf(weights, i) * x.points[i][row] * y.points[i][column];
      }
    }
  }
  return sum;
}

/** \throws InvalidParameterError for points at one place and, in 3D, on one line */
CenteredPoints
Center(const char * name, int dimension, const std::vector<double> & positions, const std::vector<double> & weights)
{
  CenteredPoints centered;
  centered.points.resize(positions.size() / static_cast<std::size_t>(dimension));
  double sumOfWeights = 0.0;
  for (std::size_t i = 0; i < centered.points.size(); ++i)
  {
    std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(i) * dimension, dimension, centered.points[i].begin());
    sumOfWeights += WeightOf(weights, i);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      centered.center[axis] += WeightOf(weights, i) * centered.points[i][axis];
    }
  }
  double farthest = 0.0; // distance from the origin, to which rounding errors are relative
  for (double & coordinate : centered.center)
  {
    coordinate /= sumOfWeights;
    farthest = std::max(farthest, std::abs(coordinate));
  }
  for (std::array<double, 3> & point : centered.points)
  {
    std::transform(point.begin(), point.end(), centered.center.begin(), point.begin(), std::minus<>());
  }
  centered.squares = SumOfProducts(weights, centered, centered);
  centered.trace = centered.squares[0][0] + centered.squares[1][1] + centered.squares[2][2];
  constexpr double roundingErrors = 1e-12;
  const double     deviation = std::sqrt(centered.trace / sumOfWeights);
  if (!(deviation > roundingErrors * farthest))
  {
    ThrowInvalid(std::string("the root mean square distance of the points of the ") + name + " from their center",
                 deviation,
                 "above 0: points at one place have no rotation");
  }
  const Eigensystem<3> system = EigensystemOf(centered.squares);
  const double         thickness = std::sqrt(std::max(0.0, system.values[1]) / system.values[0]);
  if (dimension == 3 && thickness < leastThickness)
  {
    ThrowInvalid(std::string("the width of the points of the ") + name + ", as a fraction of their length,",
                 thickness,
                 "0.001 or greater: points on a line leave open how they are turned about it");
  }
  return centered;
}

void
RequireOneRotation(double difference, double largest)
{
  if (!(difference > leastThickness * leastThickness * largest))
  {
    ThrowInvalid(
      "the fit of the best rotation of the template less that of the next best, as a fraction of a perfect fit,",
      difference / largest,
      "above 1e-06: the points of the target fit as well for several rotations, as those of a mirror image may");
  }
}

/** A rotation R, by rows, and the sum of w_i y_i . R x_i. */
struct Rotation
{
  std::array<double, 9> matrix{};
  double                product = 0.0;
};

/** \param largest the sum of products of a perfect fit */
Rotation
FindRotation2D(const SquareMatrix<3> & products, double largest)
{
  const double cosine = products[0][0] + products[1][1];
  const double sine = products[0][1] - products[1][0];
  const double length = std::hypot(cosine, sine);
  RequireOneRotation(length, largest);
  const double c = cosine / length;
  const double s = sine / length;
  return { { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 }, length };
}

Rotation
FindRotation3D(const SquareMatrix<3> & s, double largest)
{
  SquareMatrix<4> matrix{};
  matrix[0] = { s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0] };
  matrix[1] = { matrix[0][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2] };
  matrix[2] = { matrix[0][2], matrix[1][2], -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1] };
  matrix[3] = { matrix[0][3], matrix[1][3], matrix[2][3], -s[0][0] - s[1][1] + s[2][2] };
  const Eigensystem<4> system = EigensystemOf(matrix);
  RequireOneRotation(system.values[0] - system.values[1], largest);
  const auto [w, x, y, z] = system.vectors[0];
  return { { 1.0 - 2.0 * (y * y + z * z),
             2.0 * (x * y - w * z),
             2.0 * (x * z + w * y),
             2.0 * (x * y + w * z),
             1.0 - 2.0 * (x * x + z * z),
             2.0 * (y * z - w * x),
             2.0 * (x * z - w * y),
             2.0 * (y * z + w * x),
             1.0 - 2.0 * (x * x + y * y) },
           system.values[0] };
}

void
RequirePoints(int                         dimension,
              const std::vector<double> & from,
              const std::vector<double> & to,
              const std::vector<double> & weights)
{
  RequireInRange("the dimension of the points", dimension, { 2.0, 3.0 });
  RequirePositions("template", dimension, from);
  RequirePositions("target", dimension, to);
  if (from.size() != to.size())
  {
    ThrowInvalid(
      "the number of coordinates of the target", to.size(), std::to_string(from.size()) + ", as of the template");
  }
  const std::size_t count = from.size() / static_cast<std::size_t>(dimension);
  if (!weights.empty() && weights.size() != count)
  {
    ThrowInvalid("the number of weights", weights.size(), std::to_string(count) + ", as of the points");
  }
  std::size_t positive = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    RequireInRange("the weight of point " + std::to_string(i), WeightOf(weights, i), { 0.0, 1e30 });
    positive += WeightOf(weights, i) > 0.0 ? 1 : 0;
  }
  if (positive < static_cast<std::size_t>(dimension))
  {
    ThrowInvalid("the number of points of positive weight",
                 positive,
                 std::to_string(dimension) + " or greater: fewer leave a rotation open");
  }
}

} // namespace

AlignedPoints
AlignPoints(PointAlignment              alignment,
            int                         dimension,
            const std::vector<double> & from,
            const std::vector<double> & to,
            const std::vector<double> & weights)
{
  AlignedPoints aligned;
  if (alignment == PointAlignment::None)
  {
    return aligned;
  }
  RequirePoints(dimension, from, to, weights);
  const CenteredPoints  x = Center("template", dimension, from, weights);
  const CenteredPoints  y = Center("target", dimension, to, weights);
  const SquareMatrix<3> products = SumOfProducts(weights, x, y);
  const double          largest = std::sqrt(x.trace * y.trace);
  const Rotation rotation = dimension == 2 ? FindRotation2D(products, largest) : FindRotation3D(products, largest);
  aligned.scale = alignment == PointAlignment::Similarity ? rotation.product / x.trace : 1.0;
  aligned.center = x.center;
  for (std::size_t i = 0; i < aligned.map.matrix.size(); ++i)
  {
    aligned.map.matrix[i] = aligned.scale * rotation.matrix[i];
  }
  if (dimension == 2)
  {
    aligned.map.matrix[8] = 1.0;
  }
  const std::array<double, 3> moved = Apply(aligned.map, x.center);
  std::transform(y.center.begin(), y.center.end(), moved.begin(), aligned.map.offset.begin(), std::minus<>());
  return aligned;
}

std::vector<double>
MapPoints(const AffineMap & map, int dimension, const std::vector<double> & points)
{
  std::vector<double> mapped(points.size());
  for (std::size_t i = 0; i < points.size(); i += static_cast<std::size_t>(dimension))
  {
    std::array<double, 3> point{};
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(i), dimension, point.begin());
    const std::array<double, 3> to = Apply(map, point);
    std::copy_n(to.begin(), dimension, mapped.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return mapped;
}

} // namespace cudaneuro
