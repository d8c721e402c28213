// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LabelTermCases.h"
#include "LabelTermOnDevice.h"

#include <algorithm>
#include <cmath>

/** The label term of a registration: its reference against finite differences, and its force and energy on both devices
 * against the reference. */
namespace
{

using namespace cudaneuro;
using namespace labelterm;
using reference::LabelForces;
using reference::LabelProblem;

double
LargestOf(const LabelForces & force)
{
  double largest = 0.0;
  for (const std::vector<double> & component : force)
  {
    for (const double value : component)
    {
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

/** Expects the derivative of the energy, as central differences give it, at every voxel.
 * \param displacement of the problem, by which it is */
void
ExpectDerivative(const LabelProblem &                 problem,
                 std::array<std::vector<double>, 3> & displacement,
                 const LabelForces &                  force)
{
  // The energy is quadratic along each axis inside a cell, so that only rounding is left of the error.
  constexpr double step = 1e-3;
  const double     largest = LargestOf(force);
  ASSERT_GT(largest, 0.0);
  for (int axis = 0; axis < 3; ++axis)
  {
    for (std::size_t i = 0; problem.size[axis] > 1 && i < problem.moving.size(); ++i)
    {
      const double from = displacement[axis][i];
      displacement[axis][i] = from + step;
      const double above = LabelEnergy(problem);
      displacement[axis][i] = from - step;
      const double below = LabelEnergy(problem);
      displacement[axis][i] = from;
      EXPECT_NEAR(force[axis][i], (above - below) / (2.0 * step), 1e-5 * largest) << "axis " << axis << ", voxel " << i;
    }
  }
}

TEST(LabelTermReference, IsTheGradient)
{
  for (const Case & given : Cases())
  {
    if (given.size[0] > 10)
    {
      continue;
    }
    LabelProblem problem = MakeProblem(given);
    const auto   forces = LabelDerivatives(problem);
    ExpectDerivative(problem, problem.toMoving, forces[0]);
    if (given.isSymmetric)
    {
      ExpectDerivative(problem, problem.toFixed, forces[1]);
    }
  }
}

class LabelTermForce : public DeviceTest
{};

TEST_P(LabelTermForce, IsTheGradientOfTheEnergy)
{
  for (const Case & given : Cases())
  {
    const LabelProblem problem = MakeProblem(given);
    const auto         expected = LabelDerivatives(problem);
    const double       voxels = static_cast<double>(problem.moving.size());
    TermSetting        setting;
    setting.weight = 0.7;
    setting.descentScale = { 1.0f, 0.5f, 0.25f };
    const TermResult result = RunTerm(this->GetContext(), problem, setting);
    // Float32: about 50 operations a voxel, whose errors partly cancel, on terms that are all positive.
    const double energy = LabelEnergy(problem);
    EXPECT_NEAR(result.energy * voxels, energy, 1e-6 * energy);
    for (std::size_t side = 0; side < (given.isSymmetric ? 2 : 1); ++side)
    {
      const double largest = LargestOf(expected[side]);
      ASSERT_GT(largest, 0.0);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double scale = setting.weight * static_cast<double>(setting.descentScale[axis]);
        for (std::size_t i = 0; i < problem.moving.size(); ++i)
        {
          // Positions are rounded to 2^-18 at most, and forces are sums of some products of them.
          EXPECT_NEAR(result.forces[side][axis][i], scale * expected[side][axis][i], 1e-5 * largest)
            << "side " << side << ", axis " << axis << ", voxel " << i;
        }
      }
    }
  }
}

TEST_P(LabelTermForce, IsAddedAndLeavesVoxelsWithoutATermAlone)
{
  for (const bool isSymmetric : { false, true })
  {
    const LabelProblem problem = MakeProblem({ { 40, 11, 9 }, isSymmetric, Weighting::PerLabel });
    const auto         expected = LabelDerivatives(problem);
    TermSetting        setting;
    setting.forceBefore = 0.1f;
    const TermResult result = RunTerm(this->GetContext(), problem, setting);
    std::size_t      untouched = 0;
    for (std::size_t i = 0; i < problem.moving.size(); ++i)
    {
      const double added = expected[0][0][i];
      const double before = static_cast<double>(setting.forceBefore);
      untouched += added == 0.0 && result.forces[0][0][i] == setting.forceBefore ? 1 : 0;
      EXPECT_NEAR(result.forces[0][0][i], before + added, 1e-5 * LargestOf(expected[0])) << "voxel " << i;
    }
    EXPECT_GT(untouched, problem.moving.size() / 20);
  }
}

TEST_P(LabelTermForce, IsZeroForIdenticalMaps)
{
  for (const bool isSymmetric : { false, true })
  {
    LabelProblem problem = MakeProblem({ { 37, 10, 5 }, isSymmetric, Weighting::Plain });
    problem.fixed = problem.moving;
    // Maps that move alike are as identical as one that stays.
    if (isSymmetric)
    {
      problem.toFixed = problem.toMoving;
    }
    else
    {
      problem.toMoving.fill(std::vector<double>(problem.moving.size(), 0.0));
    }
    TermSetting setting;
    setting.forceBefore = -0.0f;
    const TermResult result = RunTerm(this->GetContext(), problem, setting);
    EXPECT_EQ(result.energy, 0.0);
    for (const std::vector<float> & component : result.forces[0])
    {
      EXPECT_TRUE(std::all_of(
        component.begin(), component.end(), [](float value) { return value == 0.0f && std::signbit(value); }));
    }
  }
}

TEST_P(LabelTermForce, OfWeightZeroLeavesBitsAndHasAnEnergy)
{
  for (const bool isSymmetric : { false, true })
  {
    const LabelProblem problem = MakeProblem({ { 37, 10, 5 }, isSymmetric, Weighting::Plain });
    TermSetting        setting;
    setting.weight = 0.0;
    setting.forceBefore = -0.0f;
    const TermResult result = RunTerm(this->GetContext(), problem, setting);
    EXPECT_GT(result.energy, 0.0);
    for (const std::vector<float> & component : result.forces[0])
    {
      EXPECT_TRUE(std::all_of(component.begin(), component.end(), [](float value) { return std::signbit(value); }));
    }
  }
}

TEST_P(LabelTermForce, IsNotComputedAfterTheEndOfALevel)
{
  const LabelProblem problem = MakeProblem({ { 37, 10, 5 }, false, Weighting::Plain });
  TermSetting        setting;
  setting.isRunning = false;
  const TermResult result = RunTerm(this->GetContext(), problem, setting);
  EXPECT_EQ(result.energy, -1.0);
  EXPECT_EQ(result.forces[0][0], std::vector<float>(problem.moving.size(), 0.0f));
}

TEST_P(LabelTermForce, HasTheSameBitsAgainAndWhenTheHeadsAreSwapped)
{
  const LabelProblem problem = MakeProblem({ { 70, 21, 13 }, true, Weighting::PerLabel });
  LabelProblem       swapped = problem;
  std::swap(swapped.moving, swapped.fixed);
  std::swap(swapped.toMoving, swapped.toFixed);
  const TermResult first = RunTerm(this->GetContext(), problem);
  const TermResult again = RunTerm(this->GetContext(), problem);
  const TermResult other = RunTerm(this->GetContext(), swapped);
  EXPECT_EQ(first.energy, again.energy);
  EXPECT_EQ(first.forces, again.forces);
  EXPECT_EQ(first.energy, other.energy);
  EXPECT_EQ(first.forces[0], other.forces[1]);
  EXPECT_EQ(first.forces[1], other.forces[0]);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LabelTermForce);

class LabelTermForceOnGpu : public DeviceTest
{};

TEST_P(LabelTermForceOnGpu, IsThatOfTheCpu)
{
  for (const Case & given : Cases())
  {
    const LabelProblem problem = MakeProblem(given);
    Context            cpu{ Device{} };
    const TermResult   expected = RunTerm(cpu, problem);
    const TermResult   result = RunTerm(this->GetContext(), problem);
    // Both fuse the same products; sums of the energy have another order.
    EXPECT_EQ(result.forces, expected.forces);
    EXPECT_NEAR(result.energy, expected.energy, 1e-6 * expected.energy);
  }
}

CUDANEURO_TEST_ON_CUDA(LabelTermForceOnGpu);

} // namespace
