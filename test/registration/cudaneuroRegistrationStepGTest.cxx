// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceRegistration.h"
#include "TestVolumes.h"
#include "registration/LevelSteps.h"
#include "registration/step/StepFormulas.h"
#include "registration/step/StepLimitFormulas.h"
#include "solvers/FftwLibrary.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

/** A step on the CPU: that it follows the energy, where it is shortened, and when it is taken back. */
namespace
{

using namespace cudaneuro;

using Components = std::array<std::vector<double>, 3>;

/** Smooth images, and a map that is far from the identity and moves the border inwards, off the voxels, where linear
 * interpolation has kinks. */
reference::RegistrationProblem
MakeProblem()
{
  constexpr double               pi = 3.141592653589793;
  reference::RegistrationProblem problem;
  problem.size = { 17, 14, 12 };
  ForEachVoxel(std::array<int, 3>{ 17, 14, 12 }, [&](int x, int y, int z) {
    const auto smooth = [&](double phase) {
      return std::sin(0.5 * x + phase) + std::cos(0.4 * y - phase) + std::sin(0.3 * z + 2.0 * phase);
    };
    problem.moving.push_back(smooth(0.3));
    problem.fixed.push_back(smooth(0.8));
    const double window = std::sin(pi * x / 16.0) * std::sin(pi * y / 13.0) * std::sin(pi * z / 11.0);
    problem.displacement[0].push_back(0.3 * std::cos(pi * x / 16.0) + 0.8 * window * std::sin(0.8 * x));
    problem.displacement[1].push_back(0.3 * std::cos(pi * y / 13.0) + 0.8 * window * std::cos(0.9 * x + 0.3 * y));
    problem.displacement[2].push_back(0.3 * std::cos(pi * z / 11.0) + 0.8 * window * std::sin(0.7 * y + 0.5));
  });
  return problem;
}

/** The maps of a step, in host memory. */
class Steps
{
public:
  explicit Steps(const reference::RegistrationProblem & problem)
    : m_Extent{ problem.size[0], problem.size[1], problem.size[2] }
    , m_Moving(problem.moving.begin(), problem.moving.end())
    , m_Fixed(problem.fixed.begin(), problem.fixed.end())
    , m_Displacement(m_Context, NumberOfVoxels(m_Extent))
    , m_Memory(m_Context, { m_Extent, m_Displacement.View(), {}, 2, true, {} })
  {
    Write(problem.displacement, m_Displacement.View());
    cpu::StartSteps(m_Context, m_Memory.GetBuffers());
  }

  Context &
  GetContext()
  {
    return m_Context;
  }
  const StepBuffers &
  GetBuffers() const
  {
    return m_Memory.GetBuffers();
  }
  ImagePair
  GetImages() const
  {
    ImagePair images;
    images.extent = m_Extent;
    images.moving = m_Moving.data();
    images.fixed = m_Fixed.data();
    return images;
  }
  Components
  Read(const ConstSoAField & field) const
  {
    const std::int64_t voxels = NumberOfVoxels(m_Extent);
    return { std::vector<double>(field.x, field.x + voxels),
             std::vector<double>(field.y, field.y + voxels),
             std::vector<double>(field.z, field.z + voxels) };
  }
  static void
  Write(const Components & from, const SoAField & to)
  {
    float * const components[3] = { to.x, to.y, to.z };
    for (int axis = 0; axis < 3; ++axis)
    {
      std::copy(from[axis].begin(), from[axis].end(), components[axis]);
    }
  }

private:
  Context            m_Context{ Device{} };
  Extent             m_Extent;
  std::vector<float> m_Moving;
  std::vector<float> m_Fixed;
  SoAFieldMemory     m_Displacement;
  StepMemory         m_Memory;
};

double
Product(const Components & a, const Components & b)
{
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    for (std::size_t i = 0; i < a[axis].size(); ++i)
    {
      sum += a[axis][i] * b[axis][i];
    }
  }
  return sum;
}

/** How the energy changes in a step of a thousandth of a voxel, and how the force and the velocity say it will. */
struct Change
{
  double expected = 0.0;
  double found = 0.0;
};

Change
ChangeOfStep(RegistrationParameters parameters)
{
  parameters.maximumStep = 0.001;
  reference::RegistrationProblem problem = MakeProblem();
  Steps                          steps(problem);
  const StepBuffers &            buffers = steps.GetBuffers();
  const auto                     energy = [&] {
    return reference::MeanSquaresEnergy(problem) + parameters.unbiasedWeight * reference::BiasEnergy(problem);
  };
  const auto plan = cpu::MakeForcePlan(steps.GetContext(), parameters, steps.GetImages());
  const auto solver = MakeVelocitySolver(steps.GetContext(), VelocityParameters(parameters, 0), buffers.extent);
  cpu::EnqueueDerivative(*plan, buffers, buffers.force);
  cpu::EnqueueForce(*plan, buffers);
  const Components force = steps.Read(buffers.force);
  cpu::EnqueueDecision(*plan, buffers);
  cpu::EnqueueVelocity(steps.GetContext(), *solver, buffers, true);
  const Components velocity = steps.Read(buffers.velocity);
  cpu::EnqueueAdvection(steps.GetContext(), parameters, buffers);
  problem.displacement = steps.Read(buffers.maps.Accepted(*buffers.state));
  const double before = energy();
  problem.displacement = steps.Read(buffers.maps.Candidate(*buffers.state));
  double largest = 0.0;
  for (std::size_t i = 0; i < velocity[0].size(); ++i)
  {
    largest = std::max(largest, std::hypot(velocity[0][i], velocity[1][i], velocity[2][i]));
  }
  const double time = parameters.maximumStep / largest;
  return { -time * Product(force, velocity) / static_cast<double>(problem.fixed.size()), energy() - before };
}

void
ExpectLowersTheEnergy(VelocityMethod solver)
{
  for (const double weight : { 0.02, 0.3, 10.0 })
  {
    RegistrationParameters parameters;
    parameters.unbiasedWeight = weight;
    parameters.updateFieldStandardDeviations = { 1.5, 1.5, 1.5 };
    parameters.velocityMethod = solver;
    const Change change = ChangeOfStep(parameters);
    EXPECT_LT(change.expected, 0.0);
    // The second derivative and rounding make up to 0.1 percent; a map that is advected along the velocity differs by
    // 3 to 5 percent.
    EXPECT_NEAR(change.found, change.expected, 0.01 * std::abs(change.expected)) << weight << ", " << solver;
  }
}

TEST(RegistrationStep, LowersTheEnergyAsTheForceSays)
{
  ExpectLowersTheEnergy(VelocityMethod::Gaussian);
}

TEST(RegistrationStep, LowersTheEnergyWithTheFourierTransform)
{
  try
  {
    fftw::Library::Get();
  }
  catch (const Error & error)
  {
    GTEST_SKIP() << error.what();
  }
  ExpectLowersTheEnergy(VelocityMethod::FourierTransform);
}

/** Two maps from a middle grid, whose displacements are not opposite. */
class SymmetricProblem
{
public:
  SymmetricProblem()
    : m_ToMoving(MakeProblem())
    , m_ToFixed(m_ToMoving)
  {
    std::swap(m_ToFixed.moving, m_ToFixed.fixed);
    for (int axis = 0; axis < 3; ++axis)
    {
      for (double & value : m_ToMoving.displacement[axis])
      {
        value *= 0.7;
      }
      for (double & value : m_ToFixed.displacement[axis])
      {
        value *= 0.5;
      }
    }
  }

  const reference::RegistrationProblem &
  ToMoving() const
  {
    return m_ToMoving;
  }
  const reference::RegistrationProblem &
  ToFixed() const
  {
    return m_ToFixed;
  }

  double
  Energy(const RegistrationParameters & parameters, const Components & toMoving, const Components & toFixed) const
  {
    reference::RegistrationProblem first = m_ToMoving;
    reference::RegistrationProblem second = m_ToFixed;
    first.displacement = toMoving;
    second.displacement = toFixed;
    first.fixed = reference::Deformed(second);
    const double image = parameters.metric == RegistrationMetric::LocalCorrelation
                           ? reference::LocalCorrelationEnergy(first, parameters.correlationRadius, 1e-3)
                           : reference::MeanSquaresEnergy(first);
    return image + parameters.unbiasedWeight * (reference::BiasEnergy(first) + reference::BiasEnergy(second));
  }

private:
  reference::RegistrationProblem m_ToMoving;
  reference::RegistrationProblem m_ToFixed;
};

Change
ChangeOfSymmetricStep(RegistrationParameters parameters)
{
  parameters.maximumStep = 0.001;
  const SymmetricProblem problem;
  const Steps            toMoving(problem.ToMoving());
  const Steps            toFixed(problem.ToFixed());
  Context                context{ Device{} };
  LevelProblem           level;
  level.channels = { toMoving.GetImages() };
  level.extent = level.channels[0].extent;
  level.toFixed = toFixed.GetBuffers().maps.second;
  level.iterations = 1;
  LevelSteps<CpuSteps> steps(context, parameters, level, toMoving.GetBuffers().maps.second);
  const auto           read = [&](std::size_t side, bool isCandidate) {
    const StepBuffers & buffers = steps.GetBuffers(side);
    return toMoving.Read(isCandidate ? buffers.maps.Candidate(*buffers.state) : buffers.maps.Accepted(*buffers.state));
  };
  const auto force = [&](std::size_t side) { return toMoving.Read(steps.GetBuffers(side).force); };
  steps.Start();
  steps.Evaluate();
  const Components ofMoving = force(0);
  const Components ofFixed = force(1);
  steps.Move(true);
  Change change;
  change.found = problem.Energy(parameters, read(0, true), read(1, true)) -
                 problem.Energy(parameters, read(0, false), read(1, false));
  for (std::size_t side = 0; side < 2; ++side)
  {
    const Components before = read(side, false);
    Components       step = read(side, true);
    for (int axis = 0; axis < 3; ++axis)
    {
      for (std::size_t i = 0; i < step[axis].size(); ++i)
      {
        step[axis][i] -= before[axis][i];
      }
    }
    change.expected += Product(side == 0 ? ofMoving : ofFixed, step) / static_cast<double>(step[0].size());
  }
  return change;
}

TEST(RegistrationStep, OfTwoMapsLowersTheirEnergyAsTheForcesSay)
{
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    for (const double weight : { 0.0, 0.02, 1.0 })
    {
      RegistrationParameters parameters;
      parameters.metric = metric;
      parameters.correlationRadius = 2;
      parameters.unbiasedWeight = weight;
      parameters.updateFieldStandardDeviations = { 1.5, 1.5, 1.5 };
      const Change change = ChangeOfSymmetricStep(parameters);
      EXPECT_LT(change.expected, 0.0);
      // As for one map; displacements are rounded to 1e-7 of a voxel, in steps of 1e-3.
      EXPECT_NEAR(change.found, change.expected, 0.01 * std::abs(change.expected)) << metric << ", " << weight;
    }
  }
}

TEST(RegistrationStep, IsShortenedAroundAFoldAlone)
{
  reference::RegistrationProblem problem = MakeProblem();
  for (std::vector<double> & component : problem.displacement)
  {
    std::fill(component.begin(), component.end(), 0.0);
  }
  Steps                  steps(problem);
  const StepBuffers &    buffers = steps.GetBuffers();
  RegistrationParameters parameters;
  // The neighbors of (8, 7, 6) along x change places: J = 1 - 1.2. Another voxel moves without harm.
  Components moved = problem.displacement;
  moved[0][problem.Index(7, 7, 6)] = 1.2;
  moved[0][problem.Index(9, 7, 6)] = -1.2;
  moved[1][problem.Index(13, 7, 6)] = 0.3;
  const SoAField candidate = buffers.maps.Candidate(*buffers.state);
  Steps::Write(moved, candidate);
  cpu::EnqueueLimit(steps.GetContext(), parameters, buffers);
  // Half of the step, J = 1 - 0.6, leaves more than a fifth of the distance to the bound.
  EXPECT_EQ(candidate.x[problem.Index(7, 7, 6)], 0.6f);
  EXPECT_EQ(candidate.x[problem.Index(9, 7, 6)], -0.6f);
  EXPECT_EQ(candidate.y[problem.Index(13, 7, 6)], 0.3f);
  // Three voxels more: half of the step would be 1 - 1.8, and none is taken.
  moved[0][problem.Index(7, 7, 6)] = 3.6;
  moved[0][problem.Index(9, 7, 6)] = -3.6;
  Steps::Write(moved, candidate);
  cpu::EnqueueLimit(steps.GetContext(), parameters, buffers);
  EXPECT_EQ(candidate.x[problem.Index(7, 7, 6)], 0.0f);
  EXPECT_EQ(candidate.x[problem.Index(9, 7, 6)], 0.0f);
  EXPECT_EQ(candidate.y[problem.Index(13, 7, 6)], 0.3f);
}

TEST(RegistrationStep, NeedsALimitNearTheBoundOnly)
{
  constexpr float bound = 0.1f;
  EXPECT_FALSE(NeedsLimit(bound, 0.2f, 0.15f));
  EXPECT_TRUE(NeedsLimit(bound, 0.2f, 0.11f)); // more than four fifths of the way
  EXPECT_TRUE(NeedsLimit(bound, 0.2f, 0.09f));
  EXPECT_FALSE(NeedsLimit(bound, 0.05f, 0.06f)); // grows
  EXPECT_TRUE(NeedsLimit(bound, 0.05f, 0.04f));
  EXPECT_TRUE(NeedsLimit(bound, 0.2f, std::nanf("")));
  EXPECT_FALSE(NeedsLimit(0.0f, 0.2f, 0.05f));
  EXPECT_TRUE(NeedsLimit(0.0f, 0.2f, 0.03f));
  EXPECT_TRUE(NeedsLimit(0.0f, 0.2f, -0.1f));
}

TEST(RegistrationStep, IsTakenBackBelowTheBound)
{
  RegistrationParameters parameters;
  parameters.jacobianBound = 0.1;
  const DecisionParameters  decision(parameters, Extent{ 2, 1, 1 });
  std::array<StepRecord, 3> records{};
  StepState                 state;
  DecideStep(decision, { 2.0, 0.0, 0.5f }, {}, state, records.data());
  EXPECT_EQ(state.accepted, 1);
  DecideStep(decision, { 1.0, 0.0, 0.09f }, {}, state, records.data());
  EXPECT_EQ(state.accepted, 1);
  EXPECT_EQ(state.needsVelocity, 0);
  EXPECT_EQ(state.stepFraction, stepFactorAfterFold);
  EXPECT_EQ(records[1].hasFolded, 1);
  DecideStep(decision, { 1.0, 0.0, 0.1f }, {}, state, records.data());
  EXPECT_EQ(state.accepted, 0);
  EXPECT_EQ(state.energy, 0.5);
}

} // namespace
