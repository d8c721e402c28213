// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/ChebyshevSeries.h"

#include <cmath>
#include <cstddef>

namespace cudaneuro
{

std::vector<float>
ChebyshevCoefficients(const std::function<double(double)> & function, double tolerance)
{
  constexpr double      pi = 3.14159265358979323846;
  constexpr int         nodes = 512;
  constexpr std::size_t leastCount = 3;
  // cos(pi i / (2 nodes)) over a full period.
  std::vector<double> cosines;
  for (int i = 0; i < 4 * nodes; ++i)
  {
    cosines.push_back(std::cos(pi * i / (2.0 * nodes)));
  }
  std::vector<double> values;
  for (int j = 0; j < nodes; ++j)
  {
    values.push_back(function(cosines[static_cast<std::size_t>(2 * j + 1)]));
  }
  std::vector<double> coefficients;
  for (int k = 0; k < nodes / 2; ++k)
  {
    double sum = 0.0;
    for (int j = 0; j < nodes; ++j)
    {
      sum += values[static_cast<std::size_t>(j)] * cosines[static_cast<std::size_t>(k * (2 * j + 1) % (4 * nodes))];
    }
    coefficients.push_back((k == 0 ? 1.0 : 2.0) / nodes * sum);
  }
  double rest = 0.0;
  while (coefficients.size() > leastCount && rest + std::abs(coefficients.back()) < tolerance)
  {
    rest += std::abs(coefficients.back());
    coefficients.pop_back();
  }
  double sum = 0.0;
  for (const double coefficient : coefficients)
  {
    sum += coefficient;
  }
  coefficients.front() += function(1.0) - sum;
  return { coefficients.begin(), coefficients.end() };
}

namespace
{

/** Second-order coefficients of FineEigenvalue and LogOfSpline. */
constexpr double eigenvalueFactor = 0.15;
constexpr double splineFactor = 0.075;

/** The Laplacian's eigenvalue on a grid of half the spacing, to second order, averaged over directions. */
double
FineEigenvalue(double coarse, double spacing)
{
  return coarse * (1.0 + eigenvalueFactor * spacing * spacing * coarse);
}

/** The logarithm of the factor by which cubic B-splines with nodes at every second voxel damp a wave, to second order,
 * averaged over directions. */
double
LogOfSpline(double eigenvalue, double spacing)
{
  const double s = spacing * spacing * eigenvalue;
  return -0.5 * s * (1.0 + splineFactor * s);
}

} // namespace

std::vector<float>
PenaltyCoefficients(double strength, double spectralRadius, double spacing, int levels, double tolerance)
{
  return ChebyshevCoefficients(
    [&](double mean) {
      double s = 0.5 * spectralRadius * (1.0 - mean);
      for (int level = levels - 1; level >= 0; --level)
      {
        s = FineEigenvalue(s, std::ldexp(spacing, level));
      }
      return 1.0 / (1.0 + strength * s * s * s);
    },
    tolerance);
}

std::vector<float>
SharpeningCoefficients(double spectralRadius, double spacing, int levels)
{
  // -2 LogOfSpline of all levels, for the eigenvalue x of the nodes, is first x + second x^2 + third x^3.
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;
  // The eigenvalue of a level is x + square x^2 + cube x^3.
  double square = 0.0;
  double cube = 0.0;
  for (int level = levels - 1; level >= 0; --level)
  {
    const double h2 = std::pow(4.0, level) * spacing * spacing;
    cube += eigenvalueFactor * h2 * 2.0 * square;
    square += eigenvalueFactor * h2;
    first += h2;
    second += h2 * square + splineFactor * h2 * h2;
    third += h2 * cube + splineFactor * h2 * h2 * 2.0 * square;
  }
  return ChebyshevCoefficients(
    [&](double mean) {
      const double x = 0.5 * spectralRadius * (1.0 - mean);
      return 1.0 + x * (first + x * (second + 0.5 * first * first +
                                     x * (third + first * second + first * first * first / 6.0)));
    },
    1e-6);
}

std::vector<float>
GaussianCoefficients(double sigma, double spectralRadius, double tolerance)
{
  return ChebyshevCoefficients(
    [&](double mean) { return std::exp(-0.25 * sigma * sigma * spectralRadius * (1.0 - mean)); }, tolerance);
}

std::vector<float>
SplineGaussianCoefficients(double sigma, double spectralRadius, double spacing, double tolerance)
{
  return ChebyshevCoefficients(
    [&](double mean) {
      const double s = FineEigenvalue(0.5 * spectralRadius * (1.0 - mean), spacing);
      return std::exp(-0.5 * sigma * sigma * s - LogOfSpline(s, spacing));
    },
    tolerance);
}

} // namespace cudaneuro
