// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ReferenceRegistration.h"
#include "RegistrationRuns.h"

#include <algorithm>
#include <cmath>

/** Registrations of images of different contrasts, by mutual information. */
namespace
{

using namespace cudaneuro;
using namespace registrationruns;

/** Blobs of a width that leaves little between them. */
double
Phantom(const Vector & p)
{
  return 0.3 + 0.2 * Texture(p) + Blobs{ 11, 30, 0.15, 0.09, 0.6, -0.5 }.At(p);
}

/** Another contrast: what is dark and what is bright in the phantom is bright, and what is between is dark. */
double
OtherContrast(double value)
{
  return 700.0 - 500.0 * std::sin(5.0 * value);
}

/** The phantom, and its other contrast seen through a known map. */
PhantomPair
MakePair(const std::array<std::int64_t, 3> & size, double amplitudeInVoxels)
{
  return MakePairOf(
    size,
    amplitudeInVoxels,
    [](const Vector & p, std::size_t) { return 100.0 * Phantom(p); },
    [](const Vector & p, std::size_t) { return OtherContrast(Phantom(p)); });
}

struct Outcome
{
  RegistrationResult result;
  std::vector<float> displacement;
};

Outcome
RunMasked(Context &                          context,
          const RegistrationParameters &     parameters,
          const PhantomPair &                pair,
          const std::vector<unsigned char> & fixedMask = {},
          const std::vector<unsigned char> & movingMask = {})
{
  Outcome            outcome;
  RegistrationImages images = ImagesOf(pair);
  if (!fixedMask.empty())
  {
    images.fixedMask = ConstView(fixedMask);
  }
  if (!movingMask.empty())
  {
    images.movingMask = ConstView(movingMask);
  }
  outcome.displacement.resize(3 * pair.fixed.size());
  RegistrationOutputs outputs;
  outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
  outcome.result = Register(context, parameters, images, outputs);
  return outcome;
}

RegistrationParameters
Unbiased()
{
  RegistrationParameters parameters;
  parameters.metric = RegistrationMetric::MutualInformation;
  parameters.unbiasedWeight = 0.02;
  parameters.updateFieldStandardDeviations = { 2.0, 2.0, 2.0 };
  parameters.levels = { { { 2, 2, 2 }, 60 }, { { 1, 1, 1 }, 60 } };
  return parameters;
}

RegistrationParameters
Symmetric()
{
  RegistrationParameters parameters = Unbiased();
  parameters.isSymmetric = true;
  return parameters;
}

RegistrationParameters
Greedy()
{
  RegistrationParameters parameters = Unbiased();
  parameters.unbiasedWeight = 0.0;
  parameters.useDeformedGradient = true;
  parameters.velocityMethod = VelocityMethod::SuccessiveOverRelaxation;
  return parameters;
}

constexpr std::array<std::int64_t, 3> phantomSize{ 36, 40, 33 };

class RegistrationInformation : public DeviceTest
{};

TEST_P(RegistrationInformation, RecoversAKnownMapBetweenContrasts)
{
  const PhantomPair        pair = MakePair(phantomSize, 3.0);
  const std::vector<float> still(3 * pair.fixed.size(), 0.0f);
  const double             before = MeanErrorInObject(pair, still);
  ASSERT_GT(before, 0.5);
  for (RegistrationParameters parameters : { Unbiased(), Symmetric(), Greedy() })
  {
    const Outcome outcome = RunMasked(this->GetContext(), parameters, pair);
    // Found: 0.27 symmetric, 0.55 and 0.59 of 2.2 voxels: the other contrast hides what lies at its turning points.
    EXPECT_LT(MeanErrorInObject(pair, outcome.displacement), 0.35 * before)
      << parameters.isSymmetric << ", " << parameters.useDeformedGradient;
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    // Nothing maps the one contrast to the other by a difference.
    parameters.metric = RegistrationMetric::MeanSquares;
    EXPECT_GT(MeanErrorInObject(pair, RunMasked(this->GetContext(), parameters, pair).displacement), before);
  }
}

/** Energy of the identity, slowly: of voxels in the masks. Bins have the range of the mask's intensities. */
double
ReferenceEnergy(const PhantomPair &                pair,
                const std::vector<unsigned char> & fixedMask,
                const std::vector<unsigned char> & movingMask,
                int                                bins)
{
  reference::RegistrationProblem problem;
  for (int axis = 0; axis < 3; ++axis)
  {
    problem.size[axis] = static_cast<int>(pair.geometry.grid.size[axis]);
    problem.displacement[axis].assign(pair.fixed.size(), 0.0);
  }
  const auto toBins = [&](const std::vector<float> & image, const std::vector<unsigned char> & mask) {
    std::vector<double> selected;
    for (std::size_t i = 0; i < image.size(); ++i)
    {
      if (mask[i] != 0)
      {
        selected.push_back(static_cast<double>(image[i]));
      }
    }
    const auto [least, largest] = std::minmax_element(selected.begin(), selected.end());
    std::vector<double> result;
    for (std::size_t i = 0; i < image.size(); ++i)
    {
      const double value = 2.0 + (static_cast<double>(image[i]) - *least) * (bins - 4) / (*largest - *least);
      result.push_back(mask[i] != 0 ? value : std::numeric_limits<double>::quiet_NaN());
    }
    return result;
  };
  problem.fixed = toBins(pair.fixed, fixedMask);
  problem.moving = toBins(pair.moving, movingMask);
  return reference::MutualInformationEnergy(problem, problem.moving, bins);
}

TEST_P(RegistrationInformation, HasTheEnergyOfASlowComputation)
{
  const PhantomPair                pair = MakePair({ 24, 22, 20 }, 2.0);
  const std::vector<unsigned char> all(pair.fixed.size(), 1);
  std::vector<unsigned char>       some = all;
  std::vector<unsigned char>       more = all;
  for (std::size_t i = 0; i < some.size(); ++i)
  {
    some[i] = i % 24 < 15 ? 1 : 0;
    // Interpolation reads the next voxel, too, and has no value beside one without.
    more[i] = i % 24 < 16 ? 1 : 0;
  }
  for (const int bins : { 8, 32, 64 })
  {
    RegistrationParameters parameters = Unbiased();
    parameters.numberOfHistogramBins = bins;
    parameters.levels = { { { 1, 1, 1 }, 0 } };
    // Weights are rounded to 1e-6; a fixed voxel at the border of two bins may belong to either: of some 10,000 voxels,
    // each with some 2e-4 of the information.
    const double tolerance = 5e-4;
    const auto   energy = [&](const std::vector<unsigned char> & fixed, const std::vector<unsigned char> & moving) {
      return RunMasked(this->GetContext(), parameters, pair, fixed, moving).result.final.imageEnergy;
    };
    EXPECT_NEAR(energy({}, {}), ReferenceEnergy(pair, all, all, bins), tolerance) << bins;
    EXPECT_NEAR(energy(some, {}), ReferenceEnergy(pair, some, all, bins), tolerance) << bins;
    EXPECT_NEAR(energy(some, more), ReferenceEnergy(pair, some, more, bins), tolerance) << bins;
  }
}

TEST_P(RegistrationInformation, DoesNotSeeTheFixedImageOutsideItsMask)
{
  PhantomPair                pair = MakePair({ 26, 22, 20 }, 2.0);
  std::vector<unsigned char> mask(pair.fixed.size());
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    mask[i] = i % 26 < 16 ? 1 : 0;
  }
  RegistrationParameters parameters = Unbiased();
  parameters.levels = { { { 2, 2, 2 }, 10 }, { { 1, 1, 1 }, 10 } };
  const Outcome first = RunMasked(this->GetContext(), parameters, pair, mask);
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    pair.fixed[i] = mask[i] != 0 ? pair.fixed[i] : -5000.0f;
  }
  const Outcome second = RunMasked(this->GetContext(), parameters, pair, mask);
  EXPECT_EQ(first.displacement, second.displacement);
  EXPECT_EQ(first.result.final.energy, second.result.final.energy);
  const std::vector<float> still(first.displacement.size(), 0.0f);
  EXPECT_GT(LargestDistance(first.displacement, still), 0.5);
}

TEST_P(RegistrationInformation, DoesNotDependOnTheScaleOfIntensities)
{
  PhantomPair            pair = MakePair({ 26, 22, 20 }, 2.0);
  RegistrationParameters parameters = Unbiased();
  parameters.levels = { { { 1, 1, 1 }, 10 } };
  const Outcome first = RunMasked(this->GetContext(), parameters, pair);
  // Powers of two: rounding does not change.
  std::transform(pair.fixed.begin(), pair.fixed.end(), pair.fixed.begin(), [](float v) { return 0.25f * v; });
  std::transform(pair.moving.begin(), pair.moving.end(), pair.moving.begin(), [](float v) { return 8.0f * v; });
  EXPECT_EQ(first.displacement, RunMasked(this->GetContext(), parameters, pair).displacement);
}

/** Coarse levels whose last voxels lie beyond the grid, where there are no intensities to count. */
TEST_P(RegistrationInformation, CountsNothingBeyondTheGrid)
{
  const PhantomPair pair = MakePair({ 29, 27, 25 }, 2.0);
  for (RegistrationParameters parameters : { Unbiased(), Symmetric(), Greedy() })
  {
    parameters.numberOfHistogramBins = 12;
    parameters.levels = { { { 8, 8, 8 }, 5 }, { { 4, 4, 4 }, 5 }, { { 2, 2, 2 }, 5 } };
    const Outcome outcome = RunMasked(this->GetContext(), parameters, pair);
    ASSERT_EQ(outcome.result.iterations.size(), 15u);
    for (const RegistrationIteration & iteration : outcome.result.iterations)
    {
      // No information is less than none, and none more than the entropy of the fixed image's 8 bins.
      EXPECT_LE(iteration.imageEnergy, 0.0) << iteration.level << ", " << iteration.iteration;
      EXPECT_GE(iteration.imageEnergy, -std::log(8.0)) << iteration.level << ", " << iteration.iteration;
    }
  }
}

TEST_P(RegistrationInformation, GivesTheSameBitsAgain)
{
  const PhantomPair pair = MakePair({ 30, 25, 22 }, 2.0);
  for (RegistrationParameters parameters : { Unbiased(), Symmetric(), Greedy() })
  {
    parameters.levels = { { { 2, 2, 2 }, 15 }, { { 1, 1, 1 }, 10 } };
    const Outcome first = RunMasked(this->GetContext(), parameters, pair);
    const Outcome second = RunMasked(this->GetContext(), parameters, pair);
    EXPECT_EQ(first.displacement, second.displacement);
    EXPECT_EQ(first.result.final.energy, second.result.final.energy);
  }
}

TEST_P(RegistrationInformation, AgreesWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  Context cpu{ Device{} };
  // Rows of odd length, a plane, and so many voxels that a thread has some.
  for (const std::array<std::int64_t, 3> & size :
       { std::array<std::int64_t, 3>{ 35, 41, 33 }, { 61, 53, 1 }, { 81, 75, 67 } })
  {
    const PhantomPair pair = MakePair(size, 2.0);
    for (RegistrationParameters parameters : { Unbiased(), Symmetric(), Greedy() })
    {
      for (const int bins : { 8, 32, 64 })
      {
        parameters.numberOfHistogramBins = bins;
        parameters.levels = { { { 1, 1, 1 }, 1 } };
        const Outcome onGpu = RunMasked(this->GetContext(), parameters, pair);
        const Outcome onCpu = RunMasked(cpu, parameters, pair);
        // A step of half a voxel. An intensity at the border of two bins may be rounded to either, which changes the
        // force of its voxel, of some hundred that make a velocity; and of pairs of bins with less than 1e-6 of a voxel
        // the logarithm is rounded away, where a voxel has 1e-4 of it in its force.
        EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.02)
          << bins << " bins, " << parameters.isSymmetric << ", " << parameters.useDeformedGradient;
        EXPECT_LT(MeanDistance(onGpu.displacement, onCpu.displacement), 2e-4);
        EXPECT_NEAR(onGpu.result.final.energy, onCpu.result.final.energy, 1e-4);
      }
    }
  }
}

TEST_P(RegistrationInformation, RefusesWhatItCannotUse)
{
  PhantomPair pair = MakePair({ 12, 11, 10 }, 0.0);
  const auto  run = [&](const RegistrationParameters & parameters) { RunMasked(this->GetContext(), parameters, pair); };
  RegistrationParameters matching = Unbiased();
  matching.matchIntensities = true;
  ExpectInvalidParameter([&] { run(matching); }, "MatchIntensities", "true");
  std::fill(pair.moving.begin(), pair.moving.end(), 7.0f);
  ExpectInvalidParameter([&] { run(Unbiased()); }, "the intensity of the moving image where the images overlap", "7");
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationInformation);

} // namespace
