// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/Velocity.h"

#include "core/Dispatch.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "solvers/HelmholtzFft.h"
#include "solvers/HelmholtzFormulas.h"
#include "solvers/HelmholtzSor.h"

namespace cudaneuro
{

namespace
{

/** The velocity as the force convolved with a Gaussian. */
class GaussianVelocity : public VelocitySolver
{
public:
  GaussianVelocity(Context & context, const VelocityParameters & parameters, const Extent & extent)
    : m_Context(context)
    , m_Extent(extent)
    , m_Weights(parameters.sigma, velocityCut)
  {}

  bool
  NeedsScratch() const override
  {
    if constexpr (builtWithCuda)
    {
      return !m_Context.GetDevice().IsCuda() || !gpu::SmoothsThroughOutput(m_Extent, m_Weights, Boundary::Zero);
    }
    return true;
  }

  void
  Solve(
    const SoAField & force, const SoAField & velocity, const SoAField & scratch, bool, const DeviceGate & gate) override
  {
    CUDANEURO_DISPATCH(m_Context,
                       SmoothField(m_Context, m_Weights, { m_Extent, Boundary::Zero, force, scratch, velocity, gate }));
  }

private:
  Context &       m_Context;
  Extent          m_Extent;
  GaussianWeights m_Weights;
};

/** The velocity by successive over-relaxation, which starts from the previous velocity. */
class RelaxedVelocity : public VelocitySolver
{
public:
  RelaxedVelocity(Context & context, const VelocityParameters & parameters, const Extent & extent)
    : m_Context(context)
    , m_Extent(extent)
    , m_Parameters(parameters)
  {
    m_Parameters.helmholtz.omega = OptimalOmega(extent, m_Parameters.helmholtz);
  }

  void
  Solve(const SoAField &   force,
        const SoAField &   velocity,
        const SoAField &   scratch,
        bool               isFirst,
        const DeviceGate & gate) override
  {
    const HelmholtzParameters & helmholtz = m_Parameters.helmholtz;
    const int                   sweeps = isFirst ? m_Parameters.firstSweeps : m_Parameters.sweeps;
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        gpu::EnqueueSor(m_Context, m_Extent, helmholtz, sweeps, force, velocity, scratch, gate);
        return;
      }
    }
    cpu::RunSor(m_Context, m_Extent, helmholtz, sweeps, force, velocity);
  }

  bool
  SolveEitherWay(const SoAField &   force,
                 const SoAField &   velocity,
                 const SoAField &   scratch,
                 bool               isFirst,
                 const DeviceGate & gate) override
  {
    if constexpr (builtWithCuda)
    {
      if (m_Context.GetDevice().IsCuda())
      {
        const int sweeps = isFirst ? m_Parameters.firstSweeps : m_Parameters.sweeps;
        return gpu::EnqueueSorEitherWay(
          m_Context, m_Extent, m_Parameters.helmholtz, sweeps, force, velocity, scratch, gate);
      }
    }
    this->Solve(force, velocity, scratch, isFirst, gate);
    return false;
  }

private:
  Context &          m_Context;
  Extent             m_Extent;
  VelocityParameters m_Parameters;
};

std::unique_ptr<HelmholtzFft>
MakeFft(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
{
  CUDANEURO_DISPATCH(context, MakeHelmholtzFft(context, extent, parameters));
}

/** The velocity as the direct solution of the Helmholtz equation by Fourier transforms. */
class TransformedVelocity : public VelocitySolver
{
public:
  TransformedVelocity(Context & context, const VelocityParameters & parameters, const Extent & extent)
    : m_Fft(MakeFft(context, extent, parameters.helmholtz))
  {}

  void
  Solve(
    const SoAField & force, const SoAField & velocity, const SoAField & scratch, bool, const DeviceGate & gate) override
  {
    m_Fft->Solve(force, velocity, scratch, gate);
  }

private:
  std::unique_ptr<HelmholtzFft> m_Fft;
};

} // namespace

VelocityParameters::VelocityParameters(const RegistrationParameters & parameters, int level)
  : method(parameters.velocityMethod)
  , sigma(parameters.updateFieldStandardDeviations)
  , firstSweeps(parameters.firstSweeps)
  , sweeps(parameters.sweeps)
{
  if (method == VelocityMethod::Gaussian && !parameters.updateFieldStandardDeviationsPerLevel.empty())
  {
    sigma = parameters.updateFieldStandardDeviationsPerLevel.at(static_cast<std::size_t>(level));
  }
  helmholtz.alpha = parameters.alpha;
  helmholtz.beta = parameters.beta;
  helmholtz.gamma = parameters.gamma;
}

std::unique_ptr<VelocitySolver>
MakeVelocitySolver(Context & context, const VelocityParameters & parameters, const Extent & extent)
{
  switch (parameters.method)
  {
    case VelocityMethod::SuccessiveOverRelaxation:
      return std::make_unique<RelaxedVelocity>(context, parameters, extent);
    case VelocityMethod::FourierTransform:
      return std::make_unique<TransformedVelocity>(context, parameters, extent);
    case VelocityMethod::Gaussian:
      break;
  }
  return std::make_unique<GaussianVelocity>(context, parameters, extent);
}

} // namespace cudaneuro
