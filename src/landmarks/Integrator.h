// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_Integrator_h
#define cudaneuro_landmarks_Integrator_h

#include "core/HostDevice.h"
#include "cudaneuro/GeodesicShooting.h"

namespace cudaneuro
{

/** A Runge-Kutta method in which each stage starts from the slope of the previous one. With step h and slope f:
 *
 *   z_s = z + h advance[s] f(z_(s-1)),  z' = z + h sum_s weight[s] f(z_s).
 *
 * Its adjoint carries the derivatives c' by z' back to the derivatives c by z, with w_s = Df(z_s)^T k_s from the last
 * stage to the first:
 *
 *   k_s = h weight[s] c' + h advance[s + 1] w_(s+1),  c = c' + sum_s w_s. */
struct Integrator
{
  int    stages = 1;
  double advance[5] = { 0.0, 0.0, 0.0, 0.0, 0.0 };
  double weight[4] = { 1.0, 0.0, 0.0, 0.0 };
};

inline Integrator
MakeIntegrator(ShootingIntegrator integrator)
{
  switch (integrator)
  {
    case ShootingIntegrator::Euler:
      break;
    case ShootingIntegrator::Heun:
      return { 2, { 0.0, 1.0, 0.0, 0.0, 0.0 }, { 0.5, 0.5, 0.0, 0.0 } };
    case ShootingIntegrator::RungeKutta4:
      return { 4, { 0.0, 0.5, 0.5, 1.0, 0.0 }, { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 } };
  }
  return {};
}

} // namespace cudaneuro

#endif
