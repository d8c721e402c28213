// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/VelocityGpu.cuh"

#include "cuda/GpuContext.h"
#include "images/FieldSmoothingGpu.cuh"
#include "registration/VelocityConstants.h"
#include "solvers/HelmholtzFftGpu.h"
#include "solvers/HelmholtzSorGpu.cuh"

namespace cudaneuro::gpu
{

namespace
{

/** Convolution with a Gaussian. */
class GaussianVelocity : public VelocityEnqueuer
{
public:
  GaussianVelocity(Context & context, const std::array<double, 3> & sigma, const Extent & extent)
    : m_Stream(context.Gpu().ComputeStream())
    , m_Extent(extent)
    , m_Weights(sigma, velocityCut)
  {}

  bool
  NeedsScratch() const override
  {
    return !SmoothsThroughOutput(m_Extent, m_Weights, Boundary::Zero);
  }

  void
  Enqueue(const SoAField & force,
          const SoAField & velocity,
          const SoAField & scratch,
          bool,
          const int *    gate,
          unsigned int * largestSquare) override
  {
    EnqueueFieldSmoothing(m_Stream, m_Extent, m_Weights, Boundary::Zero, force, scratch, velocity, gate, largestSquare);
  }

private:
  cudaStream_t    m_Stream;
  Extent          m_Extent;
  GaussianWeights m_Weights;
};

/** Successive over-relaxation from the velocity before. */
class RelaxedVelocity : public VelocityEnqueuer
{
public:
  RelaxedVelocity(Context & context, const RegistrationParameters & parameters, const Extent & extent)
    : m_Gpu(context.Gpu())
    , m_Extent(extent)
    , m_Helmholtz(HelmholtzOf(parameters, extent))
    , m_FirstSweeps(parameters.firstSweeps)
    , m_Sweeps(parameters.sweeps)
  {}

  bool
  NeedsScratch() const override
  {
    return true;
  }

  void
  Enqueue(const SoAField & force,
          const SoAField & velocity,
          const SoAField & scratch,
          bool             isFirst,
          const int *      gate,
          unsigned int *   largestSquare) override
  {
    EnqueueSor(m_Gpu.ComputeStream(),
               m_Gpu.NumberOfMultiprocessors(),
               m_Extent,
               m_Helmholtz,
               isFirst ? m_FirstSweeps : m_Sweeps,
               force,
               velocity,
               scratch,
               gate,
               largestSquare);
  }

private:
  const GpuContext &  m_Gpu;
  Extent              m_Extent;
  HelmholtzParameters m_Helmholtz;
  int                 m_FirstSweeps;
  int                 m_Sweeps;
};

/** The direct solution. */
class TransformedVelocity : public VelocityEnqueuer
{
public:
  TransformedVelocity(Context & context, const RegistrationParameters & parameters, const Extent & extent)
    : m_Solver(context, extent, HelmholtzOf(parameters, extent))
  {}

  bool
  NeedsScratch() const override
  {
    return true;
  }

  void
  Enqueue(const SoAField & force,
          const SoAField & velocity,
          const SoAField & scratch,
          bool,
          const int *    gate,
          unsigned int * largestSquare) override
  {
    m_Solver.Enqueue(force, velocity, scratch, gate, largestSquare);
  }

private:
  HelmholtzFft m_Solver;
};

} // namespace

std::unique_ptr<VelocityEnqueuer>
MakeVelocityEnqueuer(Context & context, const RegistrationParameters & parameters, const Extent & extent)
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

} // namespace cudaneuro::gpu
