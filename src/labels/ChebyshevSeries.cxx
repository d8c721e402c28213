// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/ChebyshevSeries.h"

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
  std::vector<double>   values;
  for (int j = 0; j < nodes; ++j)
  {
    values.push_back(function(std::cos(pi * (j + 0.5) / nodes)));
  }
  std::vector<double> coefficients;
  for (int k = 0; k < nodes / 2; ++k)
  {
    double sum = 0.0;
    for (int j = 0; j < nodes; ++j)
    {
      sum += values[static_cast<std::size_t>(j)] * std::cos(pi * k * (j + 0.5) / nodes);
    }
    coefficients.push_back((k == 0 ? 1.0 : 2.0) / nodes * sum);
  }
  double rest = 0.0;
  while (coefficients.size() > leastCount && rest + std::abs(coefficients.back()) < tolerance)
  {
    rest += std::abs(coefficients.back());
    coefficients.pop_back();
  }
  return { coefficients.begin(), coefficients.end() };
}

std::vector<float>
PenaltyCoefficients(double strength, double spectralRadius, double tolerance)
{
  return ChebyshevCoefficients(
    [&](double mean) {
      const double s = 0.5 * spectralRadius * (1.0 - mean);
      return 1.0 / (1.0 + strength * s * s * s);
    },
    tolerance);
}

std::vector<float>
GaussianCoefficients(double sigma, double spectralRadius, double tolerance)
{
  return ChebyshevCoefficients(
    [&](double mean) { return std::exp(-0.25 * sigma * sigma * spectralRadius * (1.0 - mean)); }, tolerance);
}

} // namespace cudaneuro
