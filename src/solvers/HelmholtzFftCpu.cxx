// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/HelmholtzFft.h"

#include "solvers/FftwLibrary.h"
#include "solvers/HelmholtzFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** Returns the number of complex values of a row along x in the spectrum of real values. */
int
HalfLength(int n)
{
  return n / 2 + 1;
}

fftw::Complex *
AsComplex(float * values)
{
  return reinterpret_cast<fftw::Complex *>(values);
}

constexpr unsigned int planFlags = fftw::estimate | fftw::unaligned;

class FftwSolver : public HelmholtzFft
{
public:
  FftwSolver(Context & context, const Extent & extent, const HelmholtzParameters & parameters);

  void
  Solve(const ConstSoAField & force, const SoAField & velocity, const SoAField &, const DeviceGate &) override;

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
  SoAFieldMemory        m_Spectra; // complex, for beta other than 0
};

FftwSolver::FftwSolver(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
  : m_Context(context)
  , m_Library(fftw::Library::Get())
  , m_Extent(extent)
  , m_Parameters(parameters)
{
  const int lengths[3] = { extent.x, extent.y, extent.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    const bool isLeftOut = axis == 2 && HelmholtzDimensions(extent) == 2;
    m_Symbols[axis] = parameters.beta != 0.0 ? PeriodicSymbols(lengths[axis])
                      : isLeftOut            ? std::vector<float>(1, 0.0f)
                                             : DirichletEigenvalues(lengths[axis]);
  }
  if (parameters.beta != 0.0)
  {
    this->PlanPeriodic();
  }
  else
  {
    this->PlanSine();
  }
}

void
FftwSolver::PlanSine()
{
  // FFTW_ESTIMATE does not write to the memory, and FFTW_UNALIGNED makes plans for any address.
  float     memory = 0.0f;
  const int planeLengths[2] = { m_Extent.y, m_Extent.x };
  const int kinds[2] = { fftw::rodft00, fftw::rodft00 };
  const int planeStride = m_Extent.x * m_Extent.y;
  m_PlaneForward = fftw::PlanHolder(m_Library, [&] {
    return m_Library.planRealToReal(
      2, planeLengths, 1, &memory, nullptr, 1, 0, &memory, nullptr, 1, 0, kinds, planFlags);
  });
  if (HelmholtzDimensions(m_Extent) == 3)
  {
    m_ColumnsForward = fftw::PlanHolder(m_Library, [&] {
      return m_Library.planRealToReal(1,
                                      &m_Extent.z,
                                      m_Extent.x,
                                      &memory,
                                      nullptr,
                                      planeStride,
                                      1,
                                      &memory,
                                      nullptr,
                                      planeStride,
                                      1,
                                      kinds,
                                      planFlags);
    });
  }
}

void
FftwSolver::PlanPeriodic()
{
  const int     half = HalfLength(m_Extent.x);
  const int     planeLengths[2] = { m_Extent.y, m_Extent.x };
  const int     planeStride = half * m_Extent.y;
  float         real = 0.0f;
  fftw::Complex complex{};
  m_PlaneForward = fftw::PlanHolder(m_Library, [&] {
    return m_Library.planRealToComplex(2, planeLengths, 1, &real, nullptr, 1, 0, &complex, nullptr, 1, 0, planFlags);
  });
  m_PlaneBackward = fftw::PlanHolder(m_Library, [&] {
    return m_Library.planComplexToReal(2, planeLengths, 1, &complex, nullptr, 1, 0, &real, nullptr, 1, 0, planFlags);
  });
  const auto columns = [&](int sign) {
    return fftw::PlanHolder(m_Library, [&] {
      return m_Library.planComplex(
        1, &m_Extent.z, half, &complex, nullptr, planeStride, 1, &complex, nullptr, planeStride, 1, sign, planFlags);
    });
  };
  m_ColumnsForward = columns(fftw::forward);
  m_ColumnsBackward = columns(fftw::backward);
  m_Spectra = SoAFieldMemory(m_Context, std::int64_t{ 2 } * planeStride * m_Extent.z);
}

void
FftwSolver::Solve(const ConstSoAField & force, const SoAField & velocity, const SoAField &, const DeviceGate &)
{
  if (m_Parameters.beta != 0.0)
  {
    this->SolveFourier(force, velocity);
    return;
  }
  this->SolveSine(force.x, velocity.x);
  this->SolveSine(force.y, velocity.y);
  this->SolveSine(force.z, velocity.z);
}

void
FftwSolver::SolveSine(const float * force, float * velocity)
{
  const std::int64_t planeStride = std::int64_t{ m_Extent.x } * m_Extent.y;
  const bool         is3D = HelmholtzDimensions(m_Extent) == 3;
  // A transform and its inverse are 2 (n + 1) times the identity.
  const double normalization = 4.0 * (m_Extent.x + 1.0) * (m_Extent.y + 1.0) * (is3D ? 2.0 * (m_Extent.z + 1.0) : 1.0);
  const auto   alpha = static_cast<float>(m_Parameters.alpha * normalization);
  const auto   gamma = static_cast<float>(m_Parameters.gamma * normalization);
  const auto   divide = [&](int y, int z) {
    float * const row = velocity + z * planeStride + std::int64_t{ y } * m_Extent.x;
    const float   others = m_Symbols[1][static_cast<std::size_t>(y)] + m_Symbols[2][static_cast<std::size_t>(z)];
    for (int x = 0; x < m_Extent.x; ++x)
    {
      row[x] /= alpha * (m_Symbols[0][static_cast<std::size_t>(x)] + others) + gamma;
    }
  };
  const auto transformPlane = [&](std::int64_t z) {
    float * const plane = velocity + z * planeStride;
    m_Library.executeRealToReal(m_PlaneForward.Get(), plane, plane);
  };
  m_Context.ParallelFor(m_Extent.z, [&](std::int64_t z) {
    if (force != velocity)
    {
      std::copy_n(force + z * planeStride, planeStride, velocity + z * planeStride);
    }
    transformPlane(z);
  });
  m_Context.ParallelFor(m_Extent.y, [&](std::int64_t y) {
    float * const row = velocity + y * m_Extent.x;
    if (is3D)
    {
      m_Library.executeRealToReal(m_ColumnsForward.Get(), row, row);
    }
    for (int z = 0; z < m_Extent.z; ++z)
    {
      divide(static_cast<int>(y), z);
    }
    if (is3D)
    {
      m_Library.executeRealToReal(m_ColumnsForward.Get(), row, row);
    }
  });
  m_Context.ParallelFor(m_Extent.z, transformPlane);
}

void
FftwSolver::SolveFrequencies(std::int64_t y)
{
  const int      half = HalfLength(m_Extent.x);
  const SoAField spectra = m_Spectra.View();
  float * const  values[3] = { spectra.x, spectra.y, spectra.z };
  const auto     scale = static_cast<float>(1.0 / static_cast<double>(NumberOfVoxels(m_Extent)));
  const auto     alpha = static_cast<float>(m_Parameters.alpha);
  const auto     beta = static_cast<float>(m_Parameters.beta);
  const auto     gamma = static_cast<float>(m_Parameters.gamma);
  const float *  symbolY = m_Symbols[1].data() + 2 * y;
  for (int z = 0; z < m_Extent.z; ++z)
  {
    const float *      symbolZ = m_Symbols[2].data() + 2 * z;
    const std::int64_t row = 2 * half * (std::int64_t{ z } * m_Extent.y + y);
    for (int x = 0; x < half; ++x)
    {
      const float * symbolX = m_Symbols[0].data() + 2 * x;
      const float   d = alpha * (symbolX[0] + symbolY[0] + symbolZ[0]) + gamma;
      const float   s[3] = { symbolX[1], symbolY[1], symbolZ[1] };
      for (int part = 0; part < 2; ++part)
      {
        const std::int64_t i = row + 2 * x + part;
        float              v[3] = { values[0][i], values[1][i], values[2][i] };
        SolvePeriodic(d, beta, s, scale, v);
        values[0][i] = v[0];
        values[1][i] = v[1];
        values[2][i] = v[2];
      }
    }
  }
}

void
FftwSolver::SolveFourier(const ConstSoAField & force, const SoAField & velocity)
{
  const std::int64_t  planeStride = std::int64_t{ m_Extent.x } * m_Extent.y;
  const std::int64_t  rowStride = 2 * HalfLength(m_Extent.x);
  const SoAField      spectra = m_Spectra.View();
  const float * const forces[3] = { force.x, force.y, force.z };
  float * const       values[3] = { spectra.x, spectra.y, spectra.z };
  float * const       velocities[3] = { velocity.x, velocity.y, velocity.z };
  m_Context.ParallelFor(3 * std::int64_t{ m_Extent.z }, [&](std::int64_t i) {
    const std::int64_t z = i / 3;
    // FFTW does not change the input of this transform.
    m_Library.executeRealToComplex(m_PlaneForward.Get(),
                                   const_cast<float *>(forces[i % 3] + z * planeStride),
                                   AsComplex(values[i % 3] + z * rowStride * m_Extent.y));
  });
  m_Context.ParallelFor(m_Extent.y, [&](std::int64_t y) {
    for (float * component : values)
    {
      fftw::Complex * const row = AsComplex(component + y * rowStride);
      m_Library.executeComplex(m_ColumnsForward.Get(), row, row);
    }
    this->SolveFrequencies(y);
    for (float * component : values)
    {
      fftw::Complex * const row = AsComplex(component + y * rowStride);
      m_Library.executeComplex(m_ColumnsBackward.Get(), row, row);
    }
  });
  m_Context.ParallelFor(3 * std::int64_t{ m_Extent.z }, [&](std::int64_t i) {
    const std::int64_t z = i / 3;
    m_Library.executeComplexToReal(m_PlaneBackward.Get(),
                                   AsComplex(values[i % 3] + z * rowStride * m_Extent.y),
                                   velocities[i % 3] + z * planeStride);
  });
}

} // namespace

void
RequireFft()
{
  fftw::Library::Get();
}

std::unique_ptr<HelmholtzFft>
MakeHelmholtzFft(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
{
  return std::make_unique<FftwSolver>(context, extent, parameters);
}

} // namespace cudaneuro::cpu
