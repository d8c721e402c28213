// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectorySolver_h
#define cudaneuro_landmarks_TrajectorySolver_h

#include "cudaneuro/GeodesicShooting.h"
#include "core/Dispatch.h"

#include <array>

namespace cudaneuro
{

/** Working units, in which K_ij = 2^(-|x_i - x_j|^2) and the equations of motion have one constant left:
 *
 *   x = (q - center) scale,  u = p scale,  with scale = sqrt(log2(e) / 2) / sigma,
 *   dx_i/dt = sum_j K_ij u_j,  du_i/dt = 2 ln(2) sum_j K_ij (u_i.u_j) (x_i - x_j).
 *
 * Energies and squared distances are those in mm times scale^2, so that the weight lambda is unchanged, and dL/dp =
 * (dL/du) / scale. Points are in the working order, in which neighbors in memory are neighbors in space. */
struct WorkingUnits
{
  std::array<double, 3> center{};
  double                scale = 1.0;
};

/** A template in working units and order. */
struct ShootingProblem
{
  GeodesicShootingParameters parameters;
  int                        dimension = 3;
  std::int64_t               numberOfPoints = 0;
  int                        numberOfTargets = 1;
  WorkingUnits               units;
  /** order[k] is the point, in the caller's order, that is k-th in the working order. */
  std::vector<std::int32_t> order;
  /** dimension coordinates for each point, in working units and order. */
  std::vector<double> positions;
};

/** Computes trajectories on one device. Momenta and gradients are in the caller's units and order. */
class TrajectorySolver
{
public:
  TrajectorySolver() = default;
  virtual ~TrajectorySolver() = default;
  TrajectorySolver(const TrajectorySolver &) = delete;
  TrajectorySolver &
  operator=(const TrajectorySolver &) = delete;

  /** \param positions, weights in working units and order; one weight for each point */
  virtual void
  SetTarget(int target, const std::vector<double> & positions, const std::vector<double> & weights) = 0;

  /** See GeodesicShooting::GetNumberOfEvaluationsAtATime. */
  virtual int
  GetNumberOfEvaluationsAtATime() const = 0;

  /** Starts evaluations, at least one. At most two calls may be in flight. */
  virtual void
  StartEvaluation(std::vector<ShootingEvaluation> & evaluations) = 0;

  /** Writes the results of the earliest call in flight to its evaluations. Ends that call, even if it throws an
   * exception. */
  virtual void
  FinishEvaluation(std::vector<ShootingEvaluation> & evaluations) = 0;

  /** Discards all calls; none is in flight afterwards. */
  virtual void
  DiscardEvaluations() noexcept = 0;

  /** Computes the states at all times, in the caller's units and order, in host memory; pointers may be null. No
   * evaluations may be in flight. */
  virtual void
  Shoot(const double * momenta, double * positions, double * momentaOverTime) = 0;
};

/** \p problem must outlive the solver. */
CUDANEURO_ON_BOTH(std::unique_ptr<TrajectorySolver> MakeTrajectorySolver(Context &               context,
                                                                         const ShootingProblem & problem));

} // namespace cudaneuro

#endif
