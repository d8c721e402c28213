// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/QuasiNewton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace cudaneuro
{

namespace
{

using Vector = QuasiNewton::Vector;

double
Dot(const Vector & a, const Vector & b)
{
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/** The minimum, as a fraction of the step, of the cubic that has the values and slopes of both ends (Nocedal and
 * Wright, eq. 3.59); NaN where it has no minimum. */
double
MinimumOfCubic(double value, double slope, double endValue, double endSlope)
{
  const double d = slope + endSlope - 3.0 * (endValue - value);
  const double root = std::sqrt(d * d - slope * endSlope);
  return 1.0 - (endSlope + root - d) / (endSlope - slope + 2.0 * root);
}

} // namespace

QuasiNewton::QuasiNewton(const QuasiNewtonParameters & parameters, Vector start, StepLength length)
  : m_Parameters(parameters)
  , m_Length(std::move(length))
  , m_Point(start)
  , m_Trial(std::move(start))
  , m_Value(std::numeric_limits<double>::infinity())
{}

bool
QuasiNewton::Advance(double value, const Vector & gradient)
{
  if (!m_HasBegun)
  {
    this->Begin(value, gradient);
    return false;
  }
  constexpr double sufficientDecrease = 1e-4;
  if (std::isfinite(value) && value <= m_Value + sufficientDecrease * m_Fraction * m_Slope)
  {
    this->Accept(value, gradient);
    return true;
  }
  this->Shorten(value, gradient);
  return false;
}

void
QuasiNewton::Begin(double value, const Vector & gradient)
{
  m_HasBegun = true;
  m_Value = value;
  m_Gradient = gradient;
  m_IsDone = !std::isfinite(value) || m_Parameters.iterations == 0;
  if (!m_IsDone)
  {
    this->ChooseDirection();
  }
}

void
QuasiNewton::Accept(double value, const Vector & gradient)
{
  Vector step(m_Point.size());
  Vector change(m_Point.size());
  for (std::size_t i = 0; i < m_Point.size(); ++i)
  {
    step[i] = m_Trial[i] - m_Point[i];
    change[i] = gradient[i] - m_Gradient[i];
  }
  m_Step = m_Length(m_Point, m_Trial);
  this->UpdateInverseHessian(step, change);
  m_Point = m_Trial;
  m_Value = value;
  m_Gradient = gradient;
  ++m_Iterations;
  m_IsDone = m_Iterations >= m_Parameters.iterations;
  if (!m_IsDone)
  {
    if (m_Step <= m_Parameters.shortestStep)
    {
      this->Restart();
    }
    else
    {
      this->ChooseDirection();
    }
  }
}

void
QuasiNewton::Shorten(double value, const Vector & gradient)
{
  constexpr double least = 0.1;
  constexpr double most = 0.5;
  double           factor = 0.25;
  if (std::isfinite(value))
  {
    const double minimum =
      MinimumOfCubic(m_Value, m_Fraction * m_Slope, value, m_Fraction * Dot(gradient, m_Direction));
    factor = std::isfinite(minimum) ? std::clamp(minimum, least, most) : most;
  }
  this->SetTrial(factor * m_Fraction);
  if (m_Length(m_Point, m_Trial) <= m_Parameters.shortestStep)
  {
    this->Restart();
  }
}

void
QuasiNewton::UpdateInverseHessian(const Vector & step, const Vector & change)
{
  const std::size_t n = step.size();
  const double      curvature = Dot(step, change);
  if (!(curvature > 1e-10 * std::sqrt(Dot(step, step) * Dot(change, change))))
  {
    // The curvature is negative: the Hessian cannot be updated, but longer steps are useful.
    constexpr double growth = 4.0;
    std::transform(
      m_InverseHessian.begin(), m_InverseHessian.end(), m_InverseHessian.begin(), [](double h) { return growth * h; });
    m_Parameters.firstStep = std::min(2.0 * m_Parameters.firstStep, m_Parameters.longestStep);
    return;
  }
  if (m_InverseHessian.empty())
  {
    m_InverseHessian.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
    {
      m_InverseHessian[i * n + i] = curvature / Dot(change, change);
    }
  }
  // H + (1 + y H y / s y) s s / s y - (H y s + s y H) / s y (Nocedal and Wright, eq. 6.17, expanded).
  Vector product(n);
  for (std::size_t row = 0; row < n; ++row)
  {
    product[row] =
      std::inner_product(change.begin(), change.end(), m_InverseHessian.begin() + std::ptrdiff_t(row * n), 0.0);
  }
  const double factor = 1.0 + Dot(change, product) / curvature;
  for (std::size_t row = 0; row < n; ++row)
  {
    for (std::size_t column = 0; column < n; ++column)
    {
      m_InverseHessian[row * n + column] +=
        (factor * step[row] * step[column] - product[row] * step[column] - step[row] * product[column]) / curvature;
    }
  }
}

void
QuasiNewton::ChooseDirection()
{
  const std::size_t n = m_Point.size();
  m_Direction.assign(n, 0.0);
  for (std::size_t row = 0; row < n && !m_InverseHessian.empty(); ++row)
  {
    m_Direction[row] = -std::inner_product(
      m_Gradient.begin(), m_Gradient.end(), m_InverseHessian.begin() + std::ptrdiff_t(row * n), 0.0);
  }
  m_Slope = Dot(m_Direction, m_Gradient);
  double longest = m_Parameters.longestStep;
  m_IsSteepest = !(m_Slope < 0.0);
  if (m_IsSteepest)
  {
    // Without a Hessian, or if rounding has spoilt it, the direction is that of steepest descent.
    m_InverseHessian.clear();
    std::transform(m_Gradient.begin(), m_Gradient.end(), m_Direction.begin(), [](double g) { return -g; });
    const double size = std::sqrt(Dot(m_Gradient, m_Gradient));
    if (!(size > 0.0))
    {
      m_IsDone = true;
      return;
    }
    std::transform(m_Direction.begin(), m_Direction.end(), m_Direction.begin(), [&](double d) {
      return m_Parameters.firstStep / size * d;
    });
    longest = m_Parameters.firstStep;
    m_Slope = Dot(m_Direction, m_Gradient);
  }
  this->SetTrial(1.0);
  const double length = m_Length(m_Point, m_Trial);
  if (length > longest)
  {
    this->SetTrial(longest / length);
  }
  if (length <= m_Parameters.shortestStep)
  {
    this->Restart();
  }
}

void
QuasiNewton::Restart()
{
  m_IsDone = m_IsSteepest;
  if (!m_IsDone)
  {
    m_InverseHessian.clear();
    this->ChooseDirection();
  }
}

void
QuasiNewton::SetTrial(double fraction)
{
  m_Fraction = fraction;
  for (std::size_t i = 0; i < m_Point.size(); ++i)
  {
    m_Trial[i] = m_Point[i] + fraction * m_Direction[i];
  }
}

} // namespace cudaneuro
