// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzFormulas_h
#define cudaneuro_solvers_HelmholtzFormulas_h

#include "core/HostDevice.h"
#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

#include <cmath>
#include <vector>

/** The discrete Helmholtz operator, for both compilers. With v = 0 outside the grid and 7 points (5 where the
 * grid is one plane), the equation is
 *   (2 dims alpha + gamma) v(i) - alpha (sum of v over the neighbors of i) = f(i). */
namespace cudaneuro
{

constexpr double helmholtzPi = 3.14159265358979323846;

inline int
HelmholtzDimensions(const Extent & extent)
{
  return extent.z == 1 ? 2 : 3;
}

/** Returns the largest eigenvalue of Jacobi's iteration, with eigenvectors that are products of sin(pi k (x + 1) /
 * (n + 1)): 2 alpha (sum over the axes of cos(pi / (n + 1))) / (2 dims alpha + gamma). Ha et al., eq. 3: no gamma. */
inline double
JacobiSpectralRadius(const Extent & extent, const HelmholtzParameters & parameters)
{
  const auto   cosine = [](int n) { return std::cos(helmholtzPi / (n + 1.0)); };
  const int    dimensions = HelmholtzDimensions(extent);
  const double sum = cosine(extent.x) + cosine(extent.y) + (dimensions == 3 ? cosine(extent.z) : 0.0);
  return 2.0 * parameters.alpha * sum / (2.0 * dimensions * parameters.alpha + parameters.gamma);
}

/** Returns the relaxation factor with the fastest convergence (Young): 2 / (1 + sqrt(1 - rho^2)). */
inline double
OptimalOmega(const Extent & extent, const HelmholtzParameters & parameters)
{
  const double rho = JacobiSpectralRadius(extent, parameters);
  return 2.0 / (1.0 + std::sqrt(1.0 - rho * rho));
}

/** Coefficients of a voxel's update, v + omega ((f + alpha sum) / diagonal - v), written as
 * keep v + force f + neighbor (sum of the neighbors). */
struct SorCoefficients
{
  float keep;
  float force;
  float neighbor;
};

inline SorCoefficients
MakeSorCoefficients(const Extent & extent, const HelmholtzParameters & parameters)
{
  const double diagonal = 2.0 * HelmholtzDimensions(extent) * parameters.alpha + parameters.gamma;
  return { static_cast<float>(1.0 - parameters.omega),
           static_cast<float>(parameters.omega / diagonal),
           static_cast<float>(parameters.omega * parameters.alpha / diagonal) };
}

/** Returns the update without the neighbor above (z + 1), which is known last if planes are updated one by one. */
CUDANEURO_HOST_DEVICE float
SorWithoutAbove(float keep, float neighbor, float old, float scaledForce, float sumOfFive)
{
  return neighbor * sumOfFive + (keep * old + scaledForce);
}

CUDANEURO_HOST_DEVICE float
SorWithAbove(float neighbor, float withoutAbove, float above)
{
  return neighbor * above + withoutAbove;
}

/** Returns the sum of the neighbors of a voxel except the one above, always added in this order. */
CUDANEURO_HOST_DEVICE float
SorSumOfFive(float nextInPair, float besidePair, float back, float front, float below)
{
  return ((nextInPair + besidePair) + (back + front)) + below;
}

/** Returns 2 - 2 cos(angle), the symbol of minus the second difference. */
inline double
SecondDifferenceSymbol(double angle)
{
  const double sine = std::sin(0.5 * angle);
  return 4.0 * sine * sine;
}

/** Returns the eigenvalues of minus the second difference along an axis of \p n voxels with 0 outside it. */
inline std::vector<float>
DirichletEigenvalues(int n)
{
  std::vector<float> values(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k)
  {
    values[static_cast<std::size_t>(k)] =
      static_cast<float>(SecondDifferenceSymbol(helmholtzPi * (k + 1.0) / (n + 1.0)));
  }
  return values;
}

/** Returns symbols along a periodic axis of \p n voxels: index 2 k is that of minus the second difference, 2 k + 1
 * that of the central difference divided by i. */
inline std::vector<float>
PeriodicSymbols(int n)
{
  std::vector<float> values(2 * static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k)
  {
    const double angle = 2.0 * helmholtzPi * k / n;
    // The sine of pi is exactly 0, but std::sin returns a rounding error.
    const double sine = 2 * k == n ? 0.0 : std::sin(angle);
    values[2 * static_cast<std::size_t>(k)] = static_cast<float>(SecondDifferenceSymbol(angle));
    values[2 * static_cast<std::size_t>(k) + 1] = static_cast<float>(sine);
  }
  return values;
}

/** Solves the equation for one frequency of the periodic grid, in place, for real or for imaginary parts. With d the
 * symbol of -alpha Laplacian + gamma, and s the central differences' symbols divided by i, the matrix is
 * d + beta s s^T (grad div has the symbol -s s^T), and its inverse, by Sherman and Morrison,
 * (1 - beta s s^T / (d + beta s.s)) / d. \p scale multiplies the result. */
CUDANEURO_HOST_DEVICE void
SolvePeriodic(float d, float beta, const float (&s)[3], float scale, float (&v)[3])
{
  const float factor =
    beta * (s[0] * v[0] + s[1] * v[1] + s[2] * v[2]) / (d + beta * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
  const float inverse = scale / d;
  v[0] = (v[0] - factor * s[0]) * inverse;
  v[1] = (v[1] - factor * s[1]) * inverse;
  v[2] = (v[2] - factor * s[2]) * inverse;
}

} // namespace cudaneuro

#endif
