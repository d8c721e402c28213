// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceRegistration.h"
#include "TestVolumes.h"
#include "metrics/correlation/LocalCorrelationFormulas.h"
#include "registration/KernelVolume.h"
#include "registration/LevelSteps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/** The force of several terms at once against finite differences of their energies in double precision; the GPU's maps
 * are compared with the CPU's in cudaneuroRegistrationChannelsGTest and cudaneuroRegistrationPointsGTest. */
namespace
{

using namespace cudaneuro;
using reference::RegistrationProblem;
using Components = std::array<std::vector<float>, 3>;

/** Two images of a contrast; displacements are the same for all contrasts, do not fold, and lead to positions away from
 * where the interpolation has kinks. */
RegistrationProblem
MakeProblem(const std::array<int, 3> & size, double contrast)
{
  RegistrationProblem problem;
  problem.size = size;
  ForEachVoxel(size, [&](int x, int y, int z, std::size_t i) {
    const auto smooth = [&](double phase) {
      return std::sin(0.9 * x + phase + contrast) + std::cos(0.7 * y - phase) + std::sin(0.5 * z + contrast * phase);
    };
    problem.moving.push_back(smooth(0.3));
    problem.fixed.push_back(smooth(0.8));
    const std::array<int, 3> voxel{ x, y, z };
    for (int axis = 0; axis < 3; ++axis)
    {
      const double length = 0.35 + 0.3 * testvolumes::UniformNoise(3 + axis, i);
      const bool   isFirst = voxel[axis] == 0;
      problem.displacement[axis].push_back(size[axis] == 1 ? 0.0 : (isFirst ? 0.1 * length : -0.4 * length));
    }
  });
  return problem;
}

/** An image pair of floats. */
struct Floats
{
  std::vector<float> moving;
  std::vector<float> fixed;

  explicit Floats(const RegistrationProblem & problem)
    : moving(problem.moving.begin(), problem.moving.end())
    , fixed(problem.fixed.begin(), problem.fixed.end())
  {}
};

/** The places of points, and the displacements that belong there, in voxels. */
struct Points
{
  std::vector<std::array<double, 3>> positions;
  std::vector<std::array<double, 3>> wanted;
  std::vector<double>                standardDeviations;
};

Points
MakePoints(const std::array<int, 3> & size)
{
  Points points;
  for (std::size_t k = 0; k < 6; ++k)
  {
    std::array<double, 3> position{};
    std::array<double, 3> wanted{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const bool isFlat = size[axis] == 1;
      position[axis] = isFlat ? 0.0 : testvolumes::UniformNoise(20 + axis, k) * (size[axis] - 1);
      wanted[axis] = isFlat ? 0.0 : 2.0 * testvolumes::UniformNoise(30 + axis, k) - 1.0;
    }
    points.positions.push_back(position);
    points.wanted.push_back(wanted);
    points.standardDeviations.push_back(0.7 + 0.2 * static_cast<double>(k));
  }
  // Two points in one cell, one of them at its corner.
  points.positions[1] = { 1.0, 1.0, size[2] == 1 ? 0.0 : 1.0 };
  points.positions[2] = { 1.25, 1.5, size[2] == 1 ? 0.0 : 1.75 };
  return points;
}

/** The formula of PointTerm.h, with hat functions as weights. */
double
PointEnergy(const RegistrationProblem & problem, const Points & points, const std::array<double, 3> & spacing)
{
  double energy = 0.0;
  for (std::size_t k = 0; k < points.positions.size(); ++k)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      double displacement = 0.0;
      ForEachVoxel(problem.size, [&](int x, int y, int z) {
        const auto & p = points.positions[k];
        const auto   hat = [](double distance) { return std::max(0.0, 1.0 - std::abs(distance)); };
        const double weight = hat(p[0] - x) * hat(p[1] - y) * hat(p[2] - z);
        displacement += weight * problem.displacement[axis][problem.Index(x, y, z)];
      });
      const double off = spacing[axis] * (displacement - points.wanted[k][axis]) / points.standardDeviations[k];
      energy += 0.5 * off * off;
    }
  }
  return energy;
}

class RegistrationTerms : public ::testing::TestWithParam<std::array<int, 3>>
{};

TEST_P(RegistrationTerms, AddUpToTheGradientOfTheEnergy)
{
  const std::array<int, 3>    size = this->GetParam();
  const RegistrationProblem   first = MakeProblem(size, 0.0);
  const RegistrationProblem   second = MakeProblem(size, 1.3);
  const Floats                ofFirst(first);
  const Floats                ofSecond(second);
  const std::array<double, 3> spacing{ 1.5, 1.0, 2.0 };
  const Points                places = MakePoints(size);
  const Extent                extent{ size[0], size[1], size[2] };
  const auto                  voxels = static_cast<double>(NumberOfVoxels(extent));

  RegistrationParameters parameters;
  parameters.unbiasedWeight = 0.3;
  parameters.channelWeight = 0.5;
  ChannelParameters correlation;
  correlation.metric = RegistrationMetric::LocalCorrelation;
  correlation.correlationRadius = 2;
  correlation.weight = 1.5;
  parameters.furtherChannels = { correlation };
  parameters.pointWeight = 0.8;
  constexpr double kernelVolume = 3.0;

  Context         context{ Device{} };
  const PointTerm points(context,
                         PointTermLists({ extent,
                                          spacing,
                                          places.positions,
                                          places.wanted,
                                          places.standardDeviations,
                                          kernelVolume,
                                          parameters.pointWeight }));
  LevelProblem    level;
  const auto      add = [&](const Floats & floats, float share) {
    ImagePair pair;
    pair.extent = extent;
    pair.moving = floats.moving.data();
    pair.fixed = floats.fixed.data();
    pair.share = share;
    // Those of the spacing: the force is a descent direction in mm.
    const double smallest = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      pair.descentScale[axis] = size[axis] > 1 ? static_cast<float>(std::pow(smallest / spacing[axis], 2)) : 1.0f;
    }
    level.channels.push_back(pair);
  };
  level.extent = extent;
  add(ofFirst, 0.25f);
  add(ofSecond, 0.75f);
  level.points = &points.Get();
  level.iterations = 1;
  SoAFieldMemory displacement(context, NumberOfVoxels(extent));
  float * const  components[3] = { displacement.View().x, displacement.View().y, displacement.View().z };
  for (int axis = 0; axis < 3; ++axis)
  {
    std::copy(first.displacement[axis].begin(), first.displacement[axis].end(), components[axis]);
  }
  LevelSteps<CpuSteps> steps(context, parameters, level, displacement.View());
  steps.Start();
  steps.Evaluate();
  const StepBuffers & buffers = steps.GetBuffers();

  const double floor = static_cast<double>(correlationVarianceFloor);
  const auto   pointEnergy = [&](const RegistrationProblem & p) {
    return kernelVolume / voxels * PointEnergy(p, places, spacing);
  };
  const auto energy = [&](const RegistrationProblem & p) {
    RegistrationProblem ofContrast = second;
    ofContrast.displacement = p.displacement;
    return 0.25 * reference::MeanSquaresEnergy(p) + 0.75 * reference::LocalCorrelationEnergy(ofContrast, 2, floor) +
           parameters.unbiasedWeight * reference::BiasEnergy(p) + parameters.pointWeight * pointEnergy(p);
  };
  const StepRecord & record = buffers.records[0];
  EXPECT_NEAR(record.imageEnergy, reference::MeanSquaresEnergy(first), 1e-6);
  EXPECT_NEAR(record.termEnergies[0], reference::LocalCorrelationEnergy(second, 2, floor), 2e-5);
  EXPECT_NEAR(record.termEnergies[pointTerm], pointEnergy(first), 1e-5 * pointEnergy(first));
  EXPECT_NEAR(buffers.state->energy, energy(first), 2e-5);

  const float * const force[3] = { buffers.force.x, buffers.force.y, buffers.force.z };
  double              largest = 0.0;
  for (const float * const component : force)
  {
    for (std::int64_t i = 0; i < NumberOfVoxels(extent); ++i)
    {
      largest = std::max(largest, std::abs(static_cast<double>(component[i])));
    }
  }
  // By four values, with an error of the fourth power of the step.
  constexpr double step = 1e-4;
  const auto       derivative = [&](int axis, std::size_t i) {
    const auto difference = [&](double by) {
      RegistrationProblem above = first;
      RegistrationProblem below = first;
      above.displacement[axis][i] += by;
      below.displacement[axis][i] -= by;
      return energy(above) - energy(below);
    };
    return (8.0 * difference(step) - difference(2.0 * step)) / (12.0 * step);
  };
  for (int axis = 0; axis < 3; ++axis)
  {
    for (std::size_t i = 0; size[axis] > 1 && i < first.fixed.size(); ++i)
    {
      const double scale = static_cast<double>(level.channels[0].descentScale[axis]);
      // Float32 of some 100 operations, some on differences of sums.
      EXPECT_NEAR(force[axis][i], scale * voxels * derivative(axis, i), 1e-5 * largest)
        << "axis " << axis << ", voxel " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(,
                         RegistrationTerms,
                         ::testing::Values(std::array<int, 3>{ 5, 4, 6 },
                                           std::array<int, 3>{ 3, 3, 3 },
                                           std::array<int, 3>{ 6, 5, 1 }));

/** The response of each method to a force at one voxel, in the middle of a grid that its kernel does not leave. */
TEST(KernelVolume, IsTheSumOfTheKernelOverItsPeak)
{
  Context      context{ Device{} };
  const Extent extent{ 41, 41, 41 };
  for (const VelocityMethod method : { VelocityMethod::Gaussian, VelocityMethod::SuccessiveOverRelaxation })
  {
    RegistrationParameters parameters;
    parameters.velocityMethod = method;
    parameters.updateFieldStandardDeviations = { 2.0, 1.5, 3.0 };
    parameters.gamma = 0.2;
    parameters.firstSweeps = 400;
    const VelocityParameters velocity(parameters, 0);
    const auto               solver = MakeVelocitySolver(context, velocity, extent);
    const SoAFieldMemory     memory[3] = { SoAFieldMemory(context, 41 * 41 * 41),
                                           SoAFieldMemory(context, 41 * 41 * 41),
                                           SoAFieldMemory(context, 41 * 41 * 41) };
    for (const SoAFieldMemory & field : memory)
    {
      for (float * const component : { field.View().x, field.View().y, field.View().z })
      {
        std::fill_n(component, 41 * 41 * 41, 0.0f);
      }
    }
    const std::size_t middle = 20 + 41 * (20 + 41 * 20);
    memory[0].View().x[middle] = 1.0f;
    solver->Solve(memory[0].View(), memory[1].View(), memory[2].View(), true);
    const float * const x = memory[1].View().x;
    double              sum = 0.0;
    for (std::size_t i = 0; i < 41 * 41 * 41; ++i)
    {
      sum += static_cast<double>(x[i]);
    }
    const double found = sum / static_cast<double>(x[middle]);
    // What the fluid's kernel loses at the border, and what the sum over wave vectors leaves out.
    EXPECT_NEAR(KernelVolume(velocity, extent), found, 0.02 * found) << method;
  }
}

} // namespace
