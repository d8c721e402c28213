// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/VelocityCpu.h"

#include "images/GaussianSmoothing.h"
#include "registration/VelocityConstants.h"
#include "solvers/HelmholtzFftCpu.h"
#include "solvers/HelmholtzSorCpu.h"

#include <algorithm>

namespace cudaneuro::cpu
{

namespace
{

/** Convolution with a Gaussian. */
class GaussianVelocity : public VelocityMaker
{
public:
  GaussianVelocity(Context & context, const std::array<double, 3> & sigma, const Extent & extent)
    : m_Context(context)
    , m_Extent(extent)
    , m_Weights(sigma, velocityCut)
  {}

  void
  Make(const SoAField & force, const SoAField & velocity, const SoAField & scratch, bool) override
  {
    SmoothField(m_Context, m_Weights, { m_Extent, Boundary::Zero, force, scratch, velocity });
  }

private:
  Context &       m_Context;
  Extent          m_Extent;
  GaussianWeights m_Weights;
};

/** Successive over-relaxation from the velocity before. */
class RelaxedVelocity : public VelocityMaker
{
public:
  RelaxedVelocity(Context & context, const RegistrationParameters & parameters, const Extent & extent)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Extent(extent)
    , m_Helmholtz(HelmholtzOf(parameters, extent))
  {}

  void
  Make(const SoAField & force, const SoAField & velocity, const SoAField &, bool isFirst) override
  {
    RunSor(m_Context, m_Extent, m_Helmholtz, isFirst ? m_Parameters.firstSweeps : m_Parameters.sweeps, force, velocity);
  }

private:
  Context &                      m_Context;
  const RegistrationParameters & m_Parameters;
  Extent                         m_Extent;
  HelmholtzParameters            m_Helmholtz;
};

/** The direct solution. */
class TransformedVelocity : public VelocityMaker
{
public:
  TransformedVelocity(Context & context, const RegistrationParameters & parameters, const Extent & extent)
    : m_Solver(context, extent, HelmholtzOf(parameters, extent))
  {}

  void
  Make(const SoAField & force, const SoAField & velocity, const SoAField &, bool) override
  {
    m_Solver.Solve(force, velocity);
  }

private:
  HelmholtzFft m_Solver;
};

} // namespace

std::unique_ptr<VelocityMaker>
MakeVelocityMaker(Context & context, const RegistrationParameters & parameters, const Extent & extent)
{
  switch (parameters.solver)
  {
    case VelocityMethod::SuccessiveOverRelaxation:
      return std::make_unique<RelaxedVelocity>(context, parameters, extent);
    case VelocityMethod::FourierTransform:
      return std::make_unique<TransformedVelocity>(context, parameters, extent);
    case VelocityMethod::Gaussian:
      break;
  }
  return std::make_unique<GaussianVelocity>(context, parameters.sigma, extent);
}

void
SmoothDisplacement(Context &                      context,
                   const RegistrationParameters & parameters,
                   const Extent &                 extent,
                   const SoAField &               field,
                   const SoAField &               scratch)
{
  const bool smooths =
    std::any_of(parameters.fieldSigma.begin(), parameters.fieldSigma.end(), [](double sigma) { return sigma > 0.0; });
  if (smooths)
  {
    const GaussianWeights weights(parameters.fieldSigma, velocityCut);
    SmoothField(context, weights, { extent, Boundary::Repeat, field, scratch, field });
  }
}

} // namespace cudaneuro::cpu
