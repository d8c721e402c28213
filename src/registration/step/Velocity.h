// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_Velocity_h
#define cudaneuro_registration_step_Velocity_h

#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "cudaneuro/Registration.h"
#include "solvers/HelmholtzParameters.h"

#include <memory>

namespace cudaneuro
{

/** Fraction of their peak below which the Gaussians of iterations are cut: the error is then far below the length of a
 * step. */
constexpr double velocityCut = 1e-3;

struct VelocityParameters
{
  VelocityMethod        method = VelocityMethod::Gaussian;
  std::array<double, 3> sigma{}; // standard deviation of the Gaussian in voxels
  HelmholtzParameters   helmholtz;
  int                   firstSweeps = 0;
  int                   sweeps = 0;

  /** The velocity's parameters on a level of a registration. */
  VelocityParameters(const RegistrationParameters & parameters, int level);
};

/** Computes velocities from forces on one grid. On a GPU, work is only enqueued on the compute stream. */
class VelocitySolver
{
public:
  virtual ~VelocitySolver() = default;

  /** Whether Solve needs scratch memory; otherwise its scratch may be the velocity. */
  virtual bool
  NeedsScratch() const
  {
    return true;
  }

  /** \param force may be overwritten, as scratch is
   * \param velocity holds the previous velocity, from which iterative solvers start
   * \param isFirst whether there is no previous velocity, and velocity is 0
   * \param gate skips the work on a GPU while it is closed */
  virtual void
  Solve(const SoAField &   force,
        const SoAField &   velocity,
        const SoAField &   scratch,
        bool               isFirst,
        const DeviceGate & gate = {}) = 0;

  /** Solve, except that the new velocity may be left in scratch, which saves a copy.
   * \returns whether it is there, independent of the gate */
  virtual bool
  SolveEitherWay(
    const SoAField & force, const SoAField & velocity, const SoAField & scratch, bool isFirst, const DeviceGate & gate)
  {
    this->Solve(force, velocity, scratch, isFirst, gate);
    return false;
  }
};

/** \throws Error when the library of Fourier transforms is missing, OutOfMemoryError */
std::unique_ptr<VelocitySolver>
MakeVelocitySolver(Context & context, const VelocityParameters & parameters, const Extent & extent);

} // namespace cudaneuro

#endif
