// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HelmholtzTest.h"
#include "solvers/FftwLibrary.h"

#include <cmath>

using namespace helmholtz;

class Helmholtz : public HelmholtzTest
{};

CUDANEURO_TEST_ON_ALL_DEVICES(Helmholtz);

TEST_P(Helmholtz, SorIsTheTextbooksSweepBySweep)
{
  for (const Extent & extent : sizes)
  {
    HelmholtzParameters parameters;
    parameters.alpha = 1.3;
    parameters.gamma = 0.05;
    parameters.omega = 1.7;
    const Components force = MakeRandomField(extent, 1);
    const Components start = MakeRandomField(extent, 10);
    Components       expected = start;
    for (int sweeps = 1; sweeps <= 13; ++sweeps)
    {
      for (std::size_t component = 0; component < 3; ++component)
      {
        reference::Sweep(extent, parameters, force[component], expected[component]);
      }
      if (sweeps <= 7 || sweeps == 13)
      {
        ExpectNear(this->RunSor(extent, parameters, sweeps, force, start),
                   expected,
                   1e-5,
                   NameOf(extent) + " after " + std::to_string(sweeps));
      }
    }
  }
}

TEST_P(Helmholtz, SorIsTheSameHoweverItsSweepsAreDivided)
{
  for (const Extent & extent : sizes)
  {
    const HelmholtzParameters parameters = ParametersFor(extent);
    const Components          force = MakeRandomField(extent, 2);
    Components                inParts = MakeZeros(extent);
    for (const int sweeps : { 1, 5, 2, 3 })
    {
      inParts = this->RunSor(extent, parameters, sweeps, force, inParts);
    }
    const Components atOnce = this->RunSor(extent, parameters, 11, force, MakeZeros(extent));
    ExpectNear(inParts, atOnce, 2e-6, NameOf(extent));
    EXPECT_EQ(atOnce, this->RunSor(extent, parameters, 11, force, MakeZeros(extent)));
  }
}

TEST_P(Helmholtz, SorConvergesAsItShould)
{
  for (const Extent & extent : sizes)
  {
    const HelmholtzParameters parameters = ParametersFor(extent);
    const Components          force = MakeRandomField(extent, 3);
    const Components          velocity = this->RunSor(extent, parameters, 120, force, MakeZeros(extent));
    Components                applied;
    for (std::size_t component = 0; component < 3; ++component)
    {
      applied[component] = reference::ApplyHelmholtz(extent, parameters, velocity[component]);
    }
    ExpectNear(applied, force, 1e-5, NameOf(extent));
  }
}

TEST_P(Helmholtz, SorOfNoForceFromNothingIsNothing)
{
  const Extent              extent{ 50, 20, 9 };
  const HelmholtzParameters parameters = ParametersFor(extent);
  EXPECT_EQ(this->RunSor(extent, parameters, 5, MakeZeros(extent), MakeZeros(extent)), MakeZeros(extent));
}

TEST_P(Helmholtz, SorHasAGateAndTheLargestSquare)
{
  if (!this->GetContext().GetDevice().IsCuda())
  {
    GTEST_SKIP() << "on the CPU the host decides";
  }
  const Extent              extent{ 67, 50, 11 };
  const HelmholtzParameters parameters = ParametersFor(extent);
  const Components          force = MakeRandomField(extent, 4);
  for (const int sweeps : { 0, 1, 4, 5 })
  {
    this->ExpectGateAndLargestSquare(extent, [&](const Components & start, Words & words) {
      return this->RunSor(extent, parameters, sweeps, force, start, &words);
    });
  }
}

TEST_P(Helmholtz, SorOnTheDeviceIsThatOnTheCpu)
{
  const Extent              extent{ 75, 60, 40 };
  const HelmholtzParameters parameters = ParametersFor(extent);
  const Components          force = MakeRandomField(extent, 8);
  const Components          actual = this->RunSor(extent, parameters, 20, force, MakeZeros(extent));
  cudaneuro::Context        cpu{ cudaneuro::Device{} };
  Components                expected = MakeZeros(extent);
  for (std::size_t component = 0; component < 3; ++component)
  {
    std::vector<float> forces(force[component].begin(), force[component].end());
    std::vector<float> velocities(forces.size(), 0.0f);
    std::vector<float> unused(forces.size(), 0.0f);
    std::vector<float> unusedToo(forces.size(), 0.0f);
    cudaneuro::cpu::RunSor(cpu,
                           extent,
                           parameters,
                           20,
                           cudaneuro::SoAField{ forces.data(), forces.data(), forces.data() },
                           { velocities.data(), unused.data(), unusedToo.data() });
    expected[component].assign(velocities.begin(), velocities.end());
  }
  ExpectNear(actual, expected, 1e-6, "20 sweeps");
}

TEST_P(Helmholtz, EigenfunctionsAreDividedByTheirEigenvalues)
{
  const Extent              extent{ 33, 17, 9 };
  const HelmholtzParameters parameters = ParametersFor(extent);
  const int                 waves[3] = { 3, 2, 1 };
  const double              pi = cudaneuro::helmholtzPi;
  const double              angles[3] = { pi * waves[0] / (extent.x + 1),
                                          pi * waves[1] / (extent.y + 1),
                                          pi * waves[2] / (extent.z + 1) };
  double                    eigenvalue = parameters.gamma;
  for (const double angle : angles)
  {
    eigenvalue += parameters.alpha * (2.0 - 2.0 * std::cos(angle));
  }
  Component force;
  for (int z = 1; z <= extent.z; ++z)
  {
    for (int y = 1; y <= extent.y; ++y)
    {
      for (int x = 1; x <= extent.x; ++x)
      {
        force.push_back(std::sin(angles[0] * x) * std::sin(angles[1] * y) * std::sin(angles[2] * z));
      }
    }
  }
  Component expected = force;
  for (double & value : expected)
  {
    value /= eigenvalue;
  }
  const Components forces{ force, force, force };
  const Components solution{ expected, expected, expected };
  ExpectNear(this->RunSor(extent, parameters, 100, forces, MakeZeros(extent)), solution, 1e-5, "SOR");
  if (this->ReasonForNoFft().empty())
  {
    ExpectNear(this->RunFft(extent, parameters, forces, MakeZeros(extent)), solution, 1e-5, "FFT");
  }
}

TEST_P(Helmholtz, FftSolvesAndAgreesWithSor)
{
  const std::string reason = this->ReasonForNoFft();
  if (!reason.empty())
  {
    GTEST_SKIP() << reason;
  }
  for (const Extent & extent : sizes)
  {
    const HelmholtzParameters parameters = ParametersFor(extent);
    const Components          force = MakeRandomField(extent, 6);
    const Components          velocity = this->RunFft(extent, parameters, force, MakeRandomField(extent, 7));
    Components                applied;
    for (std::size_t component = 0; component < 3; ++component)
    {
      applied[component] = reference::ApplyHelmholtz(extent, parameters, velocity[component]);
    }
    ExpectNear(applied, force, 1e-5, NameOf(extent) + " residual");
    ExpectNear(
      this->RunSor(extent, parameters, 120, force, MakeZeros(extent)), velocity, 1e-5, NameOf(extent) + " SOR");
  }
}

TEST_P(Helmholtz, FftSolvesThePeriodicEquation)
{
  const std::string reason = this->ReasonForNoFft();
  if (!reason.empty())
  {
    GTEST_SKIP() << reason;
  }
  for (const Extent & extent : sizes)
  {
    HelmholtzParameters parameters;
    parameters.beta = 0.7;
    parameters.gamma = 0.1;
    Components force = MakeRandomField(extent, 9);
    if (extent.z == 1)
    {
      std::fill(force[2].begin(), force[2].end(), 0.0);
    }
    const Components velocity = this->RunFft(extent, parameters, force, MakeZeros(extent));
    const Components applied = reference::ApplyPeriodic(extent, parameters, velocity);
    ExpectNear(applied, force, 1e-5, NameOf(extent));
    EXPECT_EQ(velocity, this->RunFft(extent, parameters, force, MakeZeros(extent)));
  }
}

TEST_P(Helmholtz, FftHasAGateAndTheLargestSquare)
{
  const std::string reason = this->ReasonForNoFft();
  if (!reason.empty() || !this->GetContext().GetDevice().IsCuda())
  {
    GTEST_SKIP() << (reason.empty() ? "on the CPU the host decides" : reason);
  }
  const Extent     extent{ 67, 50, 11 };
  const Components force = MakeRandomField(extent, 4);
  for (const double beta : { 0.0, 0.5 })
  {
    HelmholtzParameters parameters;
    parameters.beta = beta;
    this->ExpectGateAndLargestSquare(extent, [&](const Components & start, Words & words) {
      return this->RunFft(extent, parameters, force, start, &words, SineTransform::Fourier);
    });
  }
}

TEST(HelmholtzFormulas, SpectralRadiusIsWhatJacobiShows)
{
  for (const Extent & extent : { Extent{ 5, 7, 4 }, Extent{ 9, 6, 1 }, Extent{ 1, 5, 3 } })
  {
    HelmholtzParameters parameters;
    parameters.alpha = 0.8;
    parameters.gamma = 0.3;
    const double measured = reference::MeasureJacobiSpectralRadius(extent, parameters);
    EXPECT_NEAR(cudaneuro::JacobiSpectralRadius(extent, parameters), measured, 1e-8) << NameOf(extent);
  }
}

TEST(HelmholtzFormulas, NoOtherRelaxationConvergesFaster)
{
  const Extent        extent{ 12, 11, 10 };
  HelmholtzParameters parameters;
  const double        best = cudaneuro::OptimalOmega(extent, parameters);
  const auto          errorAfter = [&](double omega) {
    parameters.omega = omega;
    const Component none(static_cast<std::size_t>(cudaneuro::NumberOfVoxels(extent)), 0.0);
    Component       v(none.size(), 1.0);
    for (int sweep = 0; sweep < 60; ++sweep)
    {
      reference::Sweep(extent, parameters, none, v);
    }
    return LargestOf(v);
  };
  const double error = errorAfter(best);
  EXPECT_LT(error, errorAfter(best - 0.05));
  EXPECT_LT(error, errorAfter(best + 0.05));
}

TEST(HelmholtzLibraries, MissingOnesAreNamed)
{
  const std::vector<std::string> names{ "libNoSuchTransform.so.1", "libNoSuchTransform.so" };
  const auto                     error = ErrorOf<cudaneuro::Error>([&] { cudaneuro::fftw::Library{ names }; });
  const std::string              message = error.what();
  for (const std::string & name : names)
  {
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}
