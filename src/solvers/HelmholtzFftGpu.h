// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzFftGpu_h
#define cudaneuro_solvers_HelmholtzFftGpu_h

#include "core/SoAField.h"
#include "solvers/HelmholtzParameters.h"

#include <memory>

namespace cudaneuro::gpu
{

/** Solves (-alpha Laplacian - beta grad div + gamma) v = f directly, with cuFFT: for beta = 0, with v = 0 beyond the
 * grid, by sine transforms; for other beta on the periodic grid, by Fourier transforms (see SolvePeriodic). Keeps
 * plans and memory between calls. The context's device must be current in all calls, the destructor included. */
class HelmholtzFft
{
public:
  /** \throws Error when cuFFT is not there or makes no plan, OutOfMemoryError */
  HelmholtzFft(Context & context, const Extent & extent, const HelmholtzParameters & parameters);
  ~HelmholtzFft();

  /** Enqueues a solution on the compute stream.
   * \param velocity may be \p force.
   * \param scratch a field of its own, overwritten; not used for beta = 0.
   * \param gate a word on the device: velocity and largestSquare stay as they are while it is 0. (The transforms
   * run.) Null: always.
   * \param largestSquare a word on the device that becomes the larger of itself and the bits of the largest squared
   * length of the velocity's vectors. The caller makes it 0. Null: not wanted. */
  void
  Enqueue(const ConstSoAField & force,
          const SoAField &      velocity,
          const SoAField &      scratch,
          const int *           gate,
          unsigned int *        largestSquare);

private:
  class Solver;
  class SineSolver;
  class PeriodicSolver;
  std::unique_ptr<Solver> m_Solver;
};

} // namespace cudaneuro::gpu

#endif
