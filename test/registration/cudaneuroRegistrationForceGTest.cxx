// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceRegistration.h"
#include "TestVolumes.h"
#include "metrics/correlation/LocalCorrelationFormulas.h"
#include "registration/step/RegistrationForceCpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

/** The force of the CPU implementation against finite differences of the energy in double precision; the GPU's force is
 * compared with the CPU's in cudaneuroRegistrationGpuGTest. */
namespace
{

using namespace cudaneuro;

/** Images and a displacement that does not fold, and whose positions are away from where the interpolation has
 * kinks. */
reference::RegistrationProblem
MakeProblem(const std::array<int, 3> & size)
{
  reference::RegistrationProblem problem;
  problem.size = size;
  ForEachVoxel(size, [&](int x, int y, int z, std::size_t i) {
    const auto smooth = [&](double phase) {
      return std::sin(0.9 * x + phase) + std::cos(0.7 * y - phase) + std::sin(0.5 * z + 2.0 * phase);
    };
    problem.moving.push_back(smooth(0.3) + 0.1 * testvolumes::UniformNoise(1, i));
    problem.fixed.push_back(smooth(0.8) + 0.1 * testvolumes::UniformNoise(2, i));
    for (int axis = 0; axis < 3; ++axis)
    {
      // Fractions from 0.35 to 0.65, inwards at the border: outside there is no force. Along an axis of length 1,
      // nothing moves.
      const std::array<int, 3> voxel{ x, y, z };
      const double             length = 0.35 + 0.3 * testvolumes::UniformNoise(3 + axis, i);
      const bool               isFirst = voxel[axis] == 0;
      problem.displacement[axis].push_back(size[axis] == 1 ? 0.0 : (isFirst ? 0.1 * length : -0.4 * length));
    }
  });
  return problem;
}

struct FloatProblem
{
  std::vector<float>                moving;
  std::vector<float>                fixed;
  std::array<std::vector<float>, 3> displacement;
  ImagePair                         images;

  explicit FloatProblem(const reference::RegistrationProblem & problem)
    : moving(problem.moving.begin(), problem.moving.end())
    , fixed(problem.fixed.begin(), problem.fixed.end())
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      displacement[axis].assign(problem.displacement[axis].begin(), problem.displacement[axis].end());
    }
    images.extent = { problem.size[0], problem.size[1], problem.size[2] };
    images.moving = moving.data();
    images.fixed = fixed.data();
  }

  SoAField
  Displacement()
  {
    return { displacement[0].data(), displacement[1].data(), displacement[2].data() };
  }
};

/** Expects the gradient of the energy by the displacement, as central differences give it, at every voxel. */
void
ExpectGradient(const reference::RegistrationProblem &                                problem,
               const std::function<double(const reference::RegistrationProblem &)> & energy,
               const std::array<std::vector<float>, 3> &                             force)
{
  double largest = 0.0;
  for (const std::vector<float> & component : force)
  {
    for (const float value : component)
    {
      largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
  }
  ASSERT_GT(largest, 0.0);
  const auto       voxels = static_cast<double>(problem.fixed.size());
  constexpr double step = 1e-4;
  for (int axis = 0; axis < 3; ++axis)
  {
    if (problem.size[axis] == 1)
    {
      continue;
    }
    for (std::size_t i = 0; i < problem.fixed.size(); ++i)
    {
      reference::RegistrationProblem moved = problem;
      moved.displacement[axis][i] += step;
      const double above = energy(moved);
      moved.displacement[axis][i] -= 2.0 * step;
      const double below = energy(moved);
      const double expected = voxels * (above - below) / (2.0 * step);
      // Float32 of some 100 operations, some on differences of sums, and a finite difference with an error of step^2.
      EXPECT_NEAR(force[axis][i], expected, 1e-4 * largest) << "axis " << axis << ", voxel " << i;
    }
  }
}

std::array<std::vector<float>, 3>
ForceOf(FloatProblem & problem, const RegistrationParameters & parameters, ForceSums & sums)
{
  Context                           context{ Device{} };
  std::array<std::vector<float>, 3> force;
  for (std::vector<float> & component : force)
  {
    component.resize(problem.fixed.size());
  }
  const SoAField     to{ force[0].data(), force[1].data(), force[2].data() };
  std::vector<float> derivative;
  double             imageEnergy = 0.0;
  if (parameters.metric == RegistrationMetric::LocalCorrelation)
  {
    derivative.resize(problem.fixed.size());
    imageEnergy = cpu::DeformedCorrelation(
      context, parameters.correlationRadius, problem.images, problem.Displacement(), derivative.data());
  }
  if (parameters.metric == RegistrationMetric::MutualInformation)
  {
    derivative.resize(problem.fixed.size());
    imageEnergy = cpu::DeformedInformation(
      context, parameters.numberOfHistogramBins, problem.images, problem.Displacement(), derivative.data());
  }
  sums = cpu::RegistrationForce(
    context, parameters, problem.images, problem.Displacement(), derivative.empty() ? nullptr : derivative.data(), to);
  sums.imageEnergy += imageEnergy;
  return force;
}

class RegistrationForce : public ::testing::TestWithParam<std::array<int, 3>>
{};

TEST_P(RegistrationForce, OfMeanSquaresAndBiasIsTheGradient)
{
  const reference::RegistrationProblem problem = MakeProblem(this->GetParam());
  FloatProblem                         floats(problem);
  RegistrationParameters               parameters;
  parameters.unbiasedWeight = 0.3;
  ForceSums  sums;
  const auto force = ForceOf(floats, parameters, sums);
  const auto energy = [&](const reference::RegistrationProblem & p) {
    return reference::MeanSquaresEnergy(p) + parameters.unbiasedWeight * reference::BiasEnergy(p);
  };
  ExpectGradient(problem, energy, force);
  const auto voxels = static_cast<double>(problem.fixed.size());
  EXPECT_NEAR(sums.imageEnergy / voxels, reference::MeanSquaresEnergy(problem), 1e-6);
  EXPECT_NEAR(sums.biasEnergy / voxels, reference::BiasEnergy(problem), 1e-6);
}

TEST_P(RegistrationForce, OfLocalCorrelationIsTheGradient)
{
  const reference::RegistrationProblem problem = MakeProblem(this->GetParam());
  FloatProblem                         floats(problem);
  RegistrationParameters               parameters;
  parameters.metric = RegistrationMetric::LocalCorrelation;
  parameters.correlationRadius = 2;
  ForceSums    sums;
  const auto   force = ForceOf(floats, parameters, sums);
  const double floor = static_cast<double>(correlationVarianceFloor);
  const auto   energy = [&](const reference::RegistrationProblem & p) {
    return reference::LocalCorrelationEnergy(p, parameters.correlationRadius, floor);
  };
  ExpectGradient(problem, energy, force);
  EXPECT_NEAR(1.0 + sums.imageEnergy / static_cast<double>(problem.fixed.size()), energy(problem), 2e-5);
}

/** Maps intensities to bins. */
void
MapToBins(std::vector<double> & image, int bins)
{
  const auto   range = std::minmax_element(image.begin(), image.end());
  const double least = *range.first;
  const double largest = *range.second;
  for (double & value : image)
  {
    value = 2.0 + (value - least) * (bins - 4) / (largest - least);
  }
}

TEST_P(RegistrationForce, OfMutualInformationAndBiasIsTheGradient)
{
  for (const int bins : { 8, 12 })
  {
    reference::RegistrationProblem problem = MakeProblem(this->GetParam());
    MapToBins(problem.fixed, bins);
    MapToBins(problem.moving, bins);
    // No value at some voxels.
    problem.fixed[5] = std::nan("");
    FloatProblem           floats(problem);
    RegistrationParameters parameters;
    parameters.metric = RegistrationMetric::MutualInformation;
    parameters.numberOfHistogramBins = bins;
    parameters.unbiasedWeight = 0.3;
    ForceSums  sums;
    const auto force = ForceOf(floats, parameters, sums);
    const auto imageEnergy = [&](const reference::RegistrationProblem & p) {
      return reference::MutualInformationEnergy(p, reference::Deformed(p), bins);
    };
    const auto energy = [&](const reference::RegistrationProblem & p) {
      return imageEnergy(p) + parameters.unbiasedWeight * reference::BiasEnergy(p);
    };
    ExpectGradient(problem, energy, force);
    EXPECT_NEAR(sums.imageEnergy / static_cast<double>(problem.fixed.size()), imageEnergy(problem), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(,
                         RegistrationForce,
                         ::testing::Values(std::array<int, 3>{ 5, 4, 6 },
                                           std::array<int, 3>{ 2, 3, 2 },
                                           std::array<int, 3>{ 6, 5, 1 }));

} // namespace
