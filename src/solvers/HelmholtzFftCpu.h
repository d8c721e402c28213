// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzFftCpu_h
#define cudaneuro_solvers_HelmholtzFftCpu_h

#include "core/SoAField.h"
#include "solvers/FftwLibrary.h"
#include "solvers/HelmholtzParameters.h"

#include <vector>

namespace cudaneuro::cpu
{

/** Solves (-alpha Laplacian - beta grad div + gamma) v = f directly, with FFTW: for beta = 0, with v = 0 beyond the
 * grid, by sine transforms; for other beta on the periodic grid, by Fourier transforms (see SolvePeriodic). Keeps
 * plans and memory between calls. */
class HelmholtzFft
{
public:
  /** \throws Error when FFTW is not there, OutOfMemoryError */
  HelmholtzFft(Context & context, const Extent & extent, const HelmholtzParameters & parameters);

  /** \p velocity may be \p force. */
  void
  Solve(const ConstSoAField & force, const SoAField & velocity);

private:
  void
  PlanSine();
  void
  PlanPeriodic();
  void
  SolveSine(const float * force, float * velocity);
  void
  SolveFourier(const ConstSoAField & force, const SoAField & velocity);
  void
  SolveFrequencies(std::int64_t row);

  Context &             m_Context;
  const fftw::Library & m_Library;
  Extent                m_Extent;
  HelmholtzParameters   m_Parameters;
  std::vector<float>    m_Symbols[3];
  fftw::PlanHolder      m_PlaneForward;
  fftw::PlanHolder      m_PlaneBackward;
  fftw::PlanHolder      m_ColumnsForward;
  fftw::PlanHolder      m_ColumnsBackward;
  SoAFieldMemory        m_Spectra; // complex; beta other than 0
};

} // namespace cudaneuro::cpu

#endif
