// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/KernelVolume.h"

#include "images/smoothing/GaussianWeights.h"
#include "solvers/HelmholtzFormulas.h"

#include <cmath>

namespace cudaneuro
{

namespace
{

double
GaussianVolume(const std::array<double, 3> & sigma, const Extent & extent)
{
  const GaussianWeights weights(sigma, velocityCut);
  const int             lengths[3] = { extent.x, extent.y, extent.z };
  double                volume = 1.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    volume /= static_cast<double>(weights.Taps(axis, lengths[axis], Boundary::Zero).center);
  }
  return volume;
}

/** The sum of the Helmholtz kernel divided by its peak. For a force of 1 at one voxel, the sum is 1 / gamma, and the
 * peak the mean over all wave vectors k of 1 / (gamma + alpha sum over the axes of 2 (1 - cos k)). */
double
HelmholtzVolume(const HelmholtzParameters & parameters, int dimensions)
{
  // Midpoints of half a period suffice, as the cosine is even. For usual parameters they are closer than the width of
  // the integrand's peak at k = 0, sqrt(gamma / alpha).
  constexpr int points = 32;
  const int     pointsZ = dimensions == 3 ? points : 1;
  double        along[points];
  for (int i = 0; i < points; ++i)
  {
    along[i] = 2.0 * parameters.alpha * (1.0 - std::cos(helmholtzPi * (i + 0.5) / points));
  }
  double peak = 0.0;
  for (int z = 0; z < pointsZ; ++z)
  {
    for (int y = 0; y < points; ++y)
    {
      for (int x = 0; x < points; ++x)
      {
        peak += 1.0 / (parameters.gamma + along[x] + along[y] + (dimensions == 3 ? along[z] : 0.0));
      }
    }
  }
  peak /= static_cast<double>(points) * points * pointsZ;
  return 1.0 / (parameters.gamma * peak);
}

} // namespace

double
KernelVolume(const VelocityParameters & parameters, const Extent & extent)
{
  return parameters.method == VelocityMethod::Gaussian
           ? GaussianVolume(parameters.sigma, extent)
           : HelmholtzVolume(parameters.helmholtz, HelmholtzDimensions(extent));
}

} // namespace cudaneuro
