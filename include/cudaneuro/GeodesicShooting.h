// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_GeodesicShooting_h
#define cudaneuro_GeodesicShooting_h

#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/Points.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cudaneuro
{

/** The method of a time step. A step of order n takes n sums over all pairs of points. */
enum class ShootingIntegrator
{
  /** Order 1, the scheme of Wang. */
  Euler,
  /** Order 2: the mean of the slopes at both ends of an Euler step. */
  Heun,
  /** Order 4: the classical Runge-Kutta method. */
  RungeKutta4
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(ShootingIntegrator)
{
  using E = ShootingIntegrator;
  return MakeEnumNames<E>("integrator",
                          { { E::Euler, "Euler" }, { E::Heun, "Heun" }, { E::RungeKutta4, "RungeKutta4" } });
}

/** The floating-point type in which trajectories are computed. */
enum class ShootingPrecision
{
  Single,
  Double
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(ShootingPrecision)
{
  using E = ShootingPrecision;
  return MakeEnumNames<E>("precision", { { E::Single, "Single" }, { E::Double, "Double" } });
}

/** Parameters of GeodesicShooting and GeodesicFlow; Describe lists their units, meanings and ranges. */
struct GeodesicShootingParameters
{
  /** A length of the data, in mm, and therefore without a default. */
  double sigma = 0.0;
  /** Weight of the mismatch; momenta are in mm. Within the described range of weights no distance of points in their
   * range overflows before the points do. */
  double             lambda = 5e5;
  int                numberOfTimeSteps = 40;
  ShootingIntegrator integrator = ShootingIntegrator::Euler;
  ShootingPrecision  precision = ShootingPrecision::Single;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const GeodesicShootingParameters &)
{
  using P = GeodesicShootingParameters;
  return std::make_tuple(
    Parameter(&P::sigma,
              "Sigma",
              "mm",
              "Standard deviation of the Gaussian kernel of the velocity: about the distance between neighboring "
              "points, or more for smoother maps",
              lengthRange),
    Parameter(&P::lambda,
              "Lambda",
              "1 / mm^2",
              "Weight of the squared distances to the target relative to the kinetic energy",
              Between(1e-15, 1e15)),
    Parameter(&P::numberOfTimeSteps,
              "NumberOfTimeSteps",
              "",
              "Number of time steps from template to target",
              Between(1, 10000)),
    Parameter(&P::integrator,
              "Integrator",
              "",
              "Integration method, with 1, 2 or 4 sums over all pairs of points in each step"),
    Parameter(&P::precision, "Precision", "", "Floating-point type of the trajectories and gradients"));
}

/** The loss that is minimized, and how far the moved points are from their targets. */
struct ShootingLoss
{
  /** H(q(0), p(0)), see GeodesicShooting. */
  double kineticEnergy = 0.0;
  /** lambda sum_i w_i |q_i(1) - target_i|^2. */
  double mismatch = 0.0;
  /** Mean and maximum of |q_i(1) - target_i| in mm over the points of positive weight. */
  double meanDistance = 0.0;
  double maximumDistance = 0.0;
  /** Returns the loss, the sum of both terms. */
  double
  Total() const
  {
    return kineticEnergy + mismatch;
  }
};

/** One loss to be evaluated, for one target. */
struct ShootingEvaluation
{
  /** Number of the target, from 0. */
  int target = 0;
  /** Initial momenta, point after point, in the order of the template's points; in host memory. */
  const double * momenta = nullptr;
  /** Receives the derivatives of the loss with respect to the momenta; null to omit them. */
  double * gradient = nullptr;
  /** The result; not finite where the trajectory overflows. */
  ShootingLoss loss;
};

class TrajectorySolver;
struct ShootingProblem;

/** Computes the loss of matching a template of landmarks to targets by geodesic shooting (Wang; Allassonniere, Trouve
 * and Younes, 2005), and its gradient.
 *
 * N points q_i with momenta p_i have the Hamiltonian H(q, p) = 1/2 sum_ij K_ij p_i.p_j with
 * K_ij = exp(-|q_i - q_j|^2 / (2 sigma^2)), and move by
 *
 *   dq_i/dt = dH/dp_i = sum_j K_ij p_j,
 *   dp_i/dt = -dH/dq_i = sum_j K_ij (p_i.p_j) (q_i - q_j) / sigma^2
 *
 * from the template q(0) over unit time. The loss of initial momenta p(0) is
 * H(q(0), p(0)) + lambda sum_i w_i |q_i(1) - target_i|^2. The gradient is the exact one of the loss of the discrete
 * time steps, by the adjoint of each step.
 *
 * Pairs of points so far apart that all of them together are below the rounding error of the largest term are skipped.
 * No matrix of pairs is stored: memory is proportional to points times steps. A result has the same bits in each run on
 * one device, independent of the other evaluations of the same call.
 *
 * One object serves one thread.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT GeodesicShooting
{
public:
  /** \param context must live longer.
   * \param dimension 2 or 3.
   * \throws InvalidParameterError naming the value, for parameters out of range, no points, and points that are not
   * finite. */
  GeodesicShooting(Context &                          context,
                   const GeodesicShootingParameters & parameters,
                   int                                dimension,
                   std::int64_t                       numberOfPoints,
                   const ConstPoints &                templatePoints,
                   int                                numberOfTargets = 1);
  ~GeodesicShooting();
  GeodesicShooting(const GeodesicShooting &) = delete;
  GeodesicShooting &
  operator=(const GeodesicShooting &) = delete;

  /** Sets the positions to which the points of the template shall move.
   * \param weights w_i, not negative and finite, with a positive sum; one for each point in host memory, or null for 1.
   * \throws InvalidParameterError naming the target and the value, and while evaluations are under way. */
  void
  SetTarget(int target, const ConstPoints & points, const double * weights = nullptr);

  /** Evaluates losses, all at once, each for a different target.
   * \throws InvalidParameterError for momenta that are not finite, for targets that were not set, and while evaluations
   * are under way; OutOfMemoryError */
  void
  Evaluate(std::vector<ShootingEvaluation> & evaluations);

  /** Starts the evaluations of Evaluate, and may return before they are done, so that a CUDA device evaluates while the
   * caller does something else. Evaluations of other targets may be started once more before these are finished: the
   * device then continues without waiting for the caller.
   * \param evaluations must live, with momenta and gradients, unchanged until they are finished or discarded.
   * \throws InvalidParameterError for targets that were not set or are under way, and when two are under way;
   * OutOfMemoryError. Evaluations that were started before stay under way. */
  void
  StartEvaluation(std::vector<ShootingEvaluation> & evaluations);

  /** Returns how many targets' losses the device evaluates at the same time, at least 1: calls with more of them take
   * about proportionally longer, calls with fewer hardly less time. On the CPU it is the number of targets, because
   * evaluations that are started there are computed when they are finished. */
  int
  GetNumberOfEvaluationsAtATime() const;

  /** Waits for the evaluations that were started first, which then have their results. They are no longer under way
   * when this throws.
   * \throws InvalidParameterError for momenta that are not finite, and when no evaluations are under way */
  void
  FinishEvaluation();

  /** Discards all evaluations that are under way. They have no results. */
  void
  DiscardEvaluations() noexcept;

  /** Computes the trajectory of initial momenta. \p positions and \p momentaOverTime, which are optional, receive the
   * points' positions and momenta at all numberOfTimeSteps + 1 times: arrays of shape (times, points, dimension).
   * \throws InvalidParameterError, also while evaluations are under way */
  void
  Shoot(const double * momenta, const Points & positions, const Points & momentaOverTime);
  /** The dimension, the numbers of points and of targets, and the parameters of the constructor. */
  int
  GetDimension() const;
  std::int64_t
  GetNumberOfPoints() const;
  int
  GetNumberOfTargets() const;
  const GeodesicShootingParameters &
  GetParameters() const;

private:
  /** Throws while evaluations are under way. */
  void
  RequireNoneUnderWay() const;

  Context &                         m_Context;
  std::unique_ptr<ShootingProblem>  m_Problem;
  std::unique_ptr<TrajectorySolver> m_Solver;
  std::vector<bool>                 m_HasTarget;
  /** The evaluations under way, in the order in which they were started. */
  std::vector<std::vector<ShootingEvaluation> *> m_UnderWay;
};

/** The direction of a flow: from the template to the targets, or back. */
enum class FlowDirection
{
  Forward,
  Backward
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(FlowDirection)
{
  using E = FlowDirection;
  return MakeEnumNames<E>("direction", { { E::Forward, "Forward" }, { E::Backward, "Backward" } });
}

/** Moves any point of space by the diffeomorphism of a shooting: v(x, t) = sum_j K(x, q_j(t)) p_j(t), integrated by the
 * same time steps as the landmarks, so that landmarks move as in the shooting. Backward is the inverse of the forward
 * time steps, found for each step by iteration: a point that moves forward and then backward returns to 1e-10 sigma in
 * double and 1e-5 sigma in single precision, times the stretch of the maps.
 *
 * A time step that moves neighbors so differently that it turns space over has no inverse. Such steps are searched at
 * the landmarks and ahead of them; if one is found, all functions throw for the backward direction. Points so far from
 * all landmarks that these are negligible do not move.
 *
 * The trajectories of the landmarks are computed once, in double precision, when the object is made. All functions may
 * be called by several threads at once.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT GeodesicFlow
{
public:
  /** \param parameters lambda is not used; precision applies to displacement fields and to points that are moved on a
   * CUDA device.
   * \param positions, momenta of the template: numberOfPoints times dimension numbers each, in host memory.
   * \throws InvalidParameterError; Error for a trajectory that leaves the range of the floating-point numbers. */
  GeodesicFlow(Context &                          context,
               const GeodesicShootingParameters & parameters,
               int                                dimension,
               std::int64_t                       numberOfPoints,
               const double *                     positions,
               const double *                     momenta);
  ~GeodesicFlow();
  GeodesicFlow(const GeodesicFlow &) = delete;
  GeodesicFlow &
  operator=(const GeodesicFlow &) = delete;

  /** Moves one point on the calling thread, in double precision.
   * \param jacobian null, or receives the derivatives of the output's coordinates (rows) by the input's (columns).
   * \throws Error for a step without an inverse. Input that is not finite is the output. */
  void
  TransformPoint(FlowDirection direction, const double * input, double * output, double * jacobian = nullptr) const;

  /** Moves points on the context's device. \p output may be \p input.
   * \throws InvalidParameterError for points that are not finite; Error, naming a point, for a step without an
   * inverse. */
  void
  TransformPoints(Context &           context,
                  FlowDirection       direction,
                  std::int64_t        numberOfPoints,
                  const ConstPoints & input,
                  const Points &      output) const;

  /** Writes the displacement field h(p) - p of the map h, or of its inverse, at all points p of a grid.
   * \throws InvalidParameterError, Error, Aborted, OutOfMemoryError */
  void
  GetDisplacementField(Context &        context,
                       FlowDirection    direction,
                       const Geometry & geometry,
                       const Field &    output) const;

private:
  class Trajectory;
  std::unique_ptr<Trajectory> m_Trajectory;
};

} // namespace cudaneuro

#endif
