// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/ReferenceLabelLevels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <vector>

/** Changes of level sets that are cubic B-splines: their weights, and functions of the Laplacian of their nodes. */
namespace reference
{
namespace
{

/** The weights of nodes at the voxels of a band, of which they are every second one. */
Matrix
WeightsOf(const std::vector<Place> & voxels, const std::vector<Place> & nodes)
{
  Matrix weights;
  for (const Place & voxel : voxels)
  {
    weights.emplace_back();
    for (const Place & node : nodes)
    {
      double weight = 1.0;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        // A cubic B-spline is the sum of five of half its width, times 1, 4, 6, 4 and 1 eighths (Lane and Riesenfeld
        // 1980).
        const std::array<double, 3> eighths{ 6.0, 4.0, 1.0 };
        const auto                  distance = static_cast<std::size_t>(std::abs(voxel[axis] - 2 * node[axis]));
        weight *= distance < eighths.size() ? eighths[distance] / 8.0 : 0.0;
      }
      weights.back().push_back(weight);
    }
  }
  return weights;
}

/** The weighted means of the voxels at the nodes. */
Matrix
MeansOf(const Matrix & weights)
{
  Matrix means = Transposed(weights);
  for (Numbers & row : means)
  {
    double sum = 0.0;
    for (const double weight : row)
    {
      sum += weight;
    }
    for (double & weight : row)
    {
      weight /= sum;
    }
  }
  return means;
}

/** A grid of nodes. */
cudaneuro::LabelGrid
GridOf(const cudaneuro::LabelGrid & fine, const cudaneuro::SplineBand & spline)
{
  cudaneuro::LabelGrid grid;
  grid.extent = spline.extent;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.spacing[axis] = 2.0 * fine.spacing[axis];
  }
  return grid;
}

} // namespace

Splines::Splines(const cudaneuro::LabelDomain & domain, int levels)
  : m_Spacing(*std::min_element(domain.grid.spacing.begin(), domain.grid.spacing.end()))
  , m_Levels(levels)
{
  const cudaneuro::LabelGrid fine = GridOf(domain.grid, domain.spline);
  const std::vector<Place>   nodes = PlacesOf(fine, domain.spline.nodes);
  m_Weights = WeightsOf(PlacesOf(domain.grid, domain.band), nodes);
  m_Means = MeansOf(m_Weights);
  if (levels == 1)
  {
    m_Eigenvalues = EigenvaluesOf(LaplacianOf(fine, domain.spline.nodes), m_Vectors);
    return;
  }
  const cudaneuro::LabelGrid coarse = GridOf(fine, domain.coarse);
  const Matrix               weights = WeightsOf(nodes, PlacesOf(coarse, domain.coarse.nodes));
  m_Weights = Product(m_Weights, weights);
  m_Means = Product(MeansOf(weights), m_Means);
  m_Eigenvalues = EigenvaluesOf(LaplacianOf(coarse, domain.coarse.nodes), m_Vectors);
}

namespace
{

/** A polynomial up to the third power. */
using Cubic = std::array<double, 4>;

Cubic
ProductOf(const Cubic & a, const Cubic & b)
{
  Cubic product{};
  for (std::size_t i = 0; i < product.size(); ++i)
  {
    for (std::size_t j = 0; i + j < product.size(); ++j)
    {
      product[i + j] += a[i] * b[j];
    }
  }
  return product;
}

/** sum + a (first + second a). */
Cubic
Plus(Cubic sum, const Cubic & a, double first, double second)
{
  const Cubic square = ProductOf(a, a);
  for (std::size_t i = 0; i < sum.size(); ++i)
  {
    sum[i] += first * a[i] + second * square[i];
  }
  return sum;
}

} // namespace

double
Splines::FineEigenvalue(double s) const
{
  for (int level = m_Levels - 1; level >= 0; --level)
  {
    s *= 1.0 + 0.15 * m_Spacing * m_Spacing * std::pow(4.0, level) * s;
  }
  return s;
}

double
Splines::Sharpening(double x) const
{
  Cubic s{ 0.0, 1.0, 0.0, 0.0 };
  Cubic exponent{};
  for (int level = m_Levels - 1; level >= 0; --level)
  {
    const double h2 = m_Spacing * m_Spacing * std::pow(4.0, level);
    s = Plus({}, s, 1.0, 0.15 * h2);
    exponent = Plus(exponent, s, h2, 0.075 * h2 * h2);
  }
  Cubic power{ 1.0, 0.0, 0.0, 0.0 };
  Cubic sum = power;
  for (int i = 1; i <= 3; ++i)
  {
    power = ProductOf(power, exponent);
    for (std::size_t k = 0; k < sum.size(); ++k)
    {
      sum[k] += power[k] / std::tgamma(i + 1.0);
    }
  }
  return sum[0] + x * (sum[1] + x * (sum[2] + x * sum[3]));
}

Matrix
Splines::OfMeans(const std::function<double(double)> & function) const
{
  return Product(this->Of(function), m_Means);
}

Matrix
Splines::Of(const std::function<double(double)> & function) const
{
  Matrix scaled = Transposed(m_Vectors);
  for (std::size_t i = 0; i < scaled.size(); ++i)
  {
    for (double & element : scaled[i])
    {
      element *= function(m_Eigenvalues[i]);
    }
  }
  return Product(m_Vectors, scaled);
}

Matrix
Splines::Pooling(double sigma) const
{
  return this->OfMeans([&](double x) {
    const double h2 = m_Spacing * m_Spacing;
    const double s = this->FineEigenvalue(x);
    return std::exp(-0.5 * sigma * sigma * s + 0.5 * h2 * s * (1.0 + 0.075 * h2 * s));
  });
}

Matrix
Splines::Smoother(const cudaneuro::LabelFit & fit) const
{
  const double strength = 4.0 * fit.width * fit.penalty;
  return this->Of([&](double x) { return 1.0 / (1.0 + strength * std::pow(this->FineEigenvalue(x), 3.0)); });
}

Matrix
Splines::StepSmoother(const cudaneuro::LabelFit & fit) const
{
  return Product(this->Smoother(fit), this->OfMeans([&](double x) { return this->Sharpening(x); }));
}

Numbers
Splines::AtVoxels(const Numbers & nodes) const
{
  return Product(m_Weights, nodes);
}

} // namespace reference
