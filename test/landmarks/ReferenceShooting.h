// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceShooting_h
#define ReferenceShooting_h

#include <vector>

/** Geodesic shooting of landmarks slowly, in double precision and mm, as the equations are written: loops over all
 * pairs. */
namespace reference
{

/** Positions and momenta of points, coordinates of a point side by side; or derivatives by them. */
struct PhaseState
{
  std::vector<double> positions;
  std::vector<double> momenta;
};

/** A Runge-Kutta method whose stages start from the slope of the stage before: rows of its Butcher tableau. */
struct ShootingScheme
{
  /** Where each stage after the first starts, in steps. */
  std::vector<double> nodes;
  std::vector<double> weights;
};

const ShootingScheme eulerScheme{ {}, { 1.0 } };
const ShootingScheme heunScheme{ { 1.0 }, { 0.5, 0.5 } };
const ShootingScheme rungeKutta4Scheme{ { 0.5, 0.5, 1.0 }, { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 } };

struct ShootingProblem
{
  int                 dimension = 3;
  double              sigma = 1.0;
  double              lambda = 1.0;
  int                 steps = 1;
  ShootingScheme      scheme = eulerScheme;
  std::vector<double> positions;
  std::vector<double> target;
  /** One for each point. */
  std::vector<double> weights;
};

struct ShootingResult
{
  double                  kineticEnergy = 0.0;
  double                  mismatch = 0.0;
  double                  meanDistance = 0.0;
  double                  maximumDistance = 0.0;
  std::vector<double>     gradient;
  std::vector<PhaseState> times;
};

/** H(q, p). */
double
KineticEnergy(int dimension, double sigma, const PhaseState & state);

/** Loss, gradient (by reverse differentiation of each pair and each stage) and trajectory. */
ShootingResult
Shoot(const ShootingProblem & problem, const std::vector<double> & momenta);

} // namespace reference

#endif
