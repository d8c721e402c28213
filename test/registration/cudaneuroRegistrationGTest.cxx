// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The registration of pairs of images: the maps that it finds, how it ends, and what it refuses.

#include "RegistrationTest.h"
#include "TestVolumes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace registrationruns;

TEST_P(Registration, RecoversAKnownMap)
{
  const PhantomPair        pair = MakePhantomPair(phantomSize, 3.0);
  const std::vector<float> still(3 * pair.fixed.size(), 0.0f);
  ASSERT_GT(MeanErrorInObject(pair, still), 0.8);
  RegistrationParameters correlation = UnbiasedParameters();
  correlation.metric = RegistrationMetric::LocalCorrelation;
  for (const RegistrationParameters & parameters :
       { UnbiasedParameters(), correlation, GreedyParameters(VelocityMethod::SuccessiveOverRelaxation) })
  {
    const Outcome outcome = RunPair(this->GetContext(), parameters, pair);
    EXPECT_LT(MeanErrorInObject(pair, outcome.displacement), 0.25)
      << parameters.metric << ", " << parameters.velocityMethod;
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    EXPECT_GT(outcome.result.jacobian.minimum, 0.0);
    const RegistrationIteration & firstOfLevel = outcome.result.iterations[parameters.levels[0].iterations];
    EXPECT_EQ(firstOfLevel.level, 1);
    EXPECT_LT(outcome.result.final.energy, firstOfLevel.energy);
    // Inverse consistency that users are promised.
    EXPECT_LT(outcome.result.inversion.meanResidual, 0.1);
  }
}

TEST_P(Registration, LeavesIdenticalImagesToTheBit)
{
  const PhantomPair      pair = MakePhantomPair({ 21, 18, 17 }, 0.0);
  RegistrationParameters correlation = UnbiasedParameters();
  correlation.metric = RegistrationMetric::LocalCorrelation;
  for (const RegistrationParameters & parameters :
       { UnbiasedParameters(), GreedyParameters(VelocityMethod::SuccessiveOverRelaxation) })
  {
    const Outcome outcome = RunPair(this->GetContext(), parameters, pair, pair.fixed, pair.fixed);
    EXPECT_TRUE(
      std::all_of(outcome.displacement.begin(), outcome.displacement.end(), [](float value) { return value == 0.0f; }));
    EXPECT_EQ(outcome.warped, pair.fixed);
  }
}

TEST_P(Registration, IsTheInverseWhenImagesAreSwapped)
{
  const PhantomPair      pair = MakePhantomPair(phantomSize, 2.0);
  RegistrationParameters parameters = UnbiasedParameters();
  const Outcome          forward = RunPair(this->GetContext(), parameters, pair);
  const Outcome          backward = RunPair(this->GetContext(), parameters, pair, pair.moving, pair.fixed);
  // Both find the true map where there is something to see, to 0.25 voxel on average; elsewhere each is as smooth as it
  // likes. Half a voxel on average, over displacements of up to 2.
  EXPECT_LT(MeanDistance(backward.displacement, forward.inverse), 0.3);
}

TEST_P(Registration, HasNoBiasUnderTheNullHypothesis)
{
  // The same image with other noise: where the energy does not weigh log J, shrinking is as good as growing, but
  // costs other volume, and the mean of log J is below 0.
  const PhantomPair  pair = MakePhantomPair({ 33, 30, 31 }, 0.0);
  std::vector<float> first = pair.fixed;
  std::vector<float> second = pair.fixed;
  for (std::size_t i = 0; i < first.size(); ++i)
  {
    first[i] += static_cast<float>(25.0 * testvolumes::NormalNoise(1, i));
    second[i] += static_cast<float>(25.0 * testvolumes::NormalNoise(2, i));
  }
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.updateFieldStandardDeviations = { 1.5, 1.5, 1.5 };
  parameters.levels = { { { 1, 1, 1 }, 100 } };
  parameters.unbiasedWeight = 0.5;
  const Outcome unbiased = RunPair(this->GetContext(), parameters, pair, first, second);
  parameters.unbiasedWeight = 0.0;
  const Outcome control = RunPair(this->GetContext(), parameters, pair, first, second);
  // What is left comes of the finite number of iterations.
  const double controlMean = std::abs(control.result.jacobian.meanLogarithm);
  EXPECT_LT(std::abs(unbiased.result.jacobian.meanLogarithm), 0.2 * controlMean);
  EXPECT_GT(controlMean, 0.02);
}

TEST_P(Registration, GivesTheSameBitsAgain)
{
  const PhantomPair pair = MakePhantomPair({ 30, 25, 22 }, 2.0);
  for (RegistrationParameters parameters :
       { UnbiasedParameters(), GreedyParameters(VelocityMethod::SuccessiveOverRelaxation) })
  {
    parameters.levels = { { { 2, 2, 2 }, 15 }, { { 1, 1, 1 }, 10 } };
    const Outcome first = RunPair(this->GetContext(), parameters, pair);
    const Outcome second = RunPair(this->GetContext(), parameters, pair);
    EXPECT_EQ(
      0, std::memcmp(first.displacement.data(), second.displacement.data(), first.displacement.size() * sizeof(float)));
  }
}

TEST_P(Registration, ShortensStepsThatFold)
{
  // From a map that nearly folds in some planes, J = 0.03, and two images of noise: some step would fold it.
  const PhantomPair  pair = MakePhantomPair({ 24, 23, 21 }, 0.0);
  std::vector<float> noise;
  std::vector<float> other;
  std::vector<float> initial;
  for (std::size_t i = 0; i < pair.fixed.size(); ++i)
  {
    noise.push_back(static_cast<float>(testvolumes::NormalNoise(5, i)));
    other.push_back(static_cast<float>(testvolumes::NormalNoise(6, i)));
    const double frequency = 6.283185307179586 / 8.0;
    const double x = static_cast<double>(i % 24) - 12.0;
    initial.push_back(static_cast<float>(-0.97 * std::sin(frequency * x) / std::sin(frequency)));
    initial.push_back(0.0f);
    initial.push_back(0.0f);
  }
  RegistrationParameters parameters;
  parameters.updateFieldStandardDeviations = { 0.7, 0.7, 0.7 };
  parameters.levels = { { { 1, 1, 1 }, 40 } };
  for (const double step : { 0.5, 1.0 })
  {
    parameters.maximumStep = step;
    const Outcome outcome = RunPair(this->GetContext(), parameters, pair, noise, other, {}, &initial);
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    // Rounded otherwise than the determinants of the steps.
    EXPECT_GE(outcome.result.jacobian.minimum, parameters.jacobianBound - 1e-6);
    EXPECT_LT(outcome.result.final.energy, 0.5 * outcome.result.iterations.front().energy);
  }
}

TEST_P(Registration, KeepsTheLastMapWhenAborted)
{
  const PhantomPair   pair = MakePhantomPair(phantomSize, 3.0);
  Context &           context = this->GetContext();
  RegistrationImages  images = ImagesOf(pair);
  std::vector<float>  displacement(3 * pair.fixed.size(), 0.0f);
  RegistrationOutputs outputs;
  outputs.displacement = { displacement.data(), 3, MemorySpace::Host };
  RegistrationResult         result;
  int                        observed = 0;
  const RegistrationObserver observer = [&](const RegistrationIteration &) {
    ++observed;
    return true;
  };
  context.SetProgressFunction([&](float) { return observed < 40; });
  EXPECT_THROW(Register(context, UnbiasedParameters(), images, outputs, observer, result), Aborted);
  context.SetProgressFunction({});
  EXPECT_TRUE(result.hasField);
  EXPECT_GE(result.iterations.size(), 40u);
  const std::vector<float> still(displacement.size(), 0.0f);
  EXPECT_LT(MeanErrorInObject(pair, displacement), 0.7 * MeanErrorInObject(pair, still));
}

/** Outputs of a registration that does not come to its first iteration are not touched. */
TEST_P(Registration, SaysWhetherAFieldWasWritten)
{
  const PhantomPair      pair = MakePhantomPair({ 20, 18, 16 }, 1.0);
  Context &              context = this->GetContext();
  RegistrationImages     images = ImagesOf(pair);
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.levels = { { { 1, 1, 1 }, 3 } };
  const std::vector<float> before(3 * pair.fixed.size(), 7.0f);
  std::vector<float>       displacement = before;
  RegistrationOutputs      outputs;
  outputs.displacement = { displacement.data(), 3, MemorySpace::Host };
  RegistrationResult result;

  result.hasField = true; // of an earlier run
  context.SetProgressFunction([](float) { return false; });
  EXPECT_THROW(Register(context, parameters, images, outputs, {}, result), Aborted);
  context.SetProgressFunction({});
  EXPECT_FALSE(result.hasField);
  EXPECT_EQ(displacement, before);

  RegistrationParameters bad = parameters;
  bad.maximumStep = 0.0;
  EXPECT_THROW(Register(context, bad, images, outputs, {}, result), InvalidParameterError);
  EXPECT_FALSE(result.hasField);
  EXPECT_EQ(displacement, before);

  Register(context, parameters, images, outputs, {}, result);
  EXPECT_TRUE(result.hasField);
  EXPECT_EQ(std::count(displacement.begin(), displacement.end(), 7.0f), 0);

  Register(context, parameters, images, {}, {}, result);
  EXPECT_FALSE(result.hasField);
  EXPECT_EQ(result.iterations.size(), 3u);
}

TEST_P(Registration, StopsWhenTheObserverSaysSo)
{
  const PhantomPair      pair = MakePhantomPair(phantomSize, 3.0);
  RegistrationParameters parameters = UnbiasedParameters();
  const Outcome          outcome =
    RunPair(this->GetContext(), parameters, pair, pair.fixed, pair.moving, [](const RegistrationIteration & iteration) {
      return !(iteration.level == 0 && iteration.iteration == 9);
    });
  EXPECT_EQ(outcome.result.iterations.size(), 10u);
  const std::vector<float> still(outcome.displacement.size(), 0.0f);
  EXPECT_LT(MeanErrorInObject(pair, outcome.displacement), MeanErrorInObject(pair, still));
}

TEST_P(Registration, EndsALevelThatHasConverged)
{
  const PhantomPair      pair = MakePhantomPair({ 30, 25, 22 }, 1.0);
  RegistrationParameters parameters = UnbiasedParameters();
  parameters.levels = { { { 1, 1, 1 }, 2000 } };
  parameters.convergenceThreshold = 0.01;
  const Outcome outcome = RunPair(this->GetContext(), parameters, pair);
  EXPECT_LT(outcome.result.iterations.size(), 2000u);
  EXPECT_GT(outcome.result.iterations.size(), 10u);
}

TEST_P(Registration, MatchesIntensities)
{
  PhantomPair pair = MakePhantomPair(phantomSize, 2.0);
  for (float & value : pair.moving)
  {
    value = 40.0f + 0.02f * value * std::sqrt(std::abs(value));
  }
  RegistrationParameters parameters = UnbiasedParameters();
  const Outcome          without = RunPair(this->GetContext(), parameters, pair);
  parameters.matchIntensities = true;
  const Outcome with = RunPair(this->GetContext(), parameters, pair);
  EXPECT_LT(MeanErrorInObject(pair, with.displacement), 0.3);
  EXPECT_LT(MeanErrorInObject(pair, with.displacement), 0.7 * MeanErrorInObject(pair, without.displacement));
}

TEST_P(Registration, RefusesWhatItCannotUse)
{
  const PhantomPair pair = MakePhantomPair({ 12, 11, 10 }, 0.0);
  const auto        run = [&](const RegistrationParameters & parameters,
                       const std::vector<float> &     fixed,
                       const std::vector<float> &     moving) {
    RunPair(this->GetContext(), parameters, pair, fixed, moving);
  };
  const auto withParameters = [&](auto && change) {
    RegistrationParameters parameters = UnbiasedParameters();
    change(parameters);
    run(parameters, pair.fixed, pair.moving);
  };
  ExpectInvalidParameter([&] { withParameters([](auto & p) { p.levels.clear(); }); }, "the number of levels", "0");
  ExpectInvalidParameter(
    [&] { withParameters([](auto & p) { p.levels[0].shrinkFactors[2] = 10; }); }, "ShrinkFactors", "10");
  const std::vector<float> constant(pair.fixed.size(), 7.0f);
  const std::vector<float> notFinite(pair.fixed.size(), std::numeric_limits<float>::quiet_NaN());
  ExpectRefused([&] { run(UnbiasedParameters(), constant, pair.moving); }, "intensity of the fixed image");
  ExpectRefused([&] { run(UnbiasedParameters(), pair.fixed, notFinite); }, "finite voxels of the moving image");
  const std::vector<unsigned char> empty(pair.fixed.size(), 0);
  RegistrationImages               images = ImagesOf(pair);
  images.fixedMask = ConstView(empty);
  ExpectRefused([&] { Register(this->GetContext(), UnbiasedParameters(), images, {}); }, "in the mask");
  images.fixedMask = {};
  images.movingGeometry.origin = { 500.0, 0.0, 0.0 };
  ExpectRefused([&] { Register(this->GetContext(), UnbiasedParameters(), images, {}); }, "do not overlap");
}

CUDANEURO_TEST_ON_ALL_DEVICES(Registration);

} // namespace
