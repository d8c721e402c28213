// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/LowPass.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

constexpr double pi = 3.14159265358979323846;

/** Coefficients for the pass band cos(angle) <= 1 - k / 2. */
std::vector<double>
WindowedCoefficients(double angle, int steps)
{
  std::vector<double> coefficients;
  double              sum = 0.0;
  for (int i = 0; i <= steps; ++i)
  {
    const double window = 0.54 + 0.46 * std::cos(i * pi / (steps + 1));
    const double ideal = i == 0 ? angle / pi : 2.0 * std::sin(i * angle) / (i * pi);
    coefficients.push_back(window * ideal);
    sum += coefficients.back();
  }
  for (double & coefficient : coefficients)
  {
    coefficient /= sum;
  }
  return coefficients;
}

double
ResponseAt(const std::vector<double> & coefficients, double angle)
{
  double response = 0.0;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
  {
    response += coefficients[i] * std::cos(static_cast<double>(i) * angle);
  }
  return response;
}

} // namespace

std::vector<double>
LowPassCoefficients(double passBand, int steps)
{
  constexpr double step = 0.01;
  constexpr double tolerance = 0.001;
  constexpr int    halvings = 12;
  const double     angle = std::acos(1.0 - 0.5 * passBand);
  const auto       passes = [&](double widened) {
    return ResponseAt(WindowedCoefficients(widened, steps), angle) >= 1.0 - tolerance;
  };
  double enough = angle;
  while (enough + step < pi && !passes(enough))
  {
    enough += step;
  }
  double tooLittle = std::max(angle, enough - step);
  for (int i = 0; i < halvings; ++i)
  {
    const double middle = 0.5 * (tooLittle + enough);
    (passes(middle) ? enough : tooLittle) = middle;
  }
  return WindowedCoefficients(enough, steps);
}

} // namespace cudaneuro
