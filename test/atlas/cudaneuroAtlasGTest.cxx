// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestVolumes.h"
#include "atlas/AtlasTest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace cudaneuro;
using namespace testpopulation;

namespace
{

class Atlas : public AtlasTest
{};

double
Mean(const std::vector<float> & values)
{
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

TEST_P(Atlas, IdenticalImagesGiveThemselvesBack)
{
  Population population = MakePopulation(1, { 20, 18, 16 });
  population.images = std::vector<std::vector<float>>(3, population.images[0]);
  population.weights = { 1.0, 1.0, 1.0 };
  const AtlasResultOf result = this->Build(population, ShortSchedule());
  // Nothing moves, and the scale of intensities is a power of 2.
  EXPECT_EQ(result.average, population.images[0]);
  for (const std::vector<float> & map : result.displacements)
  {
    EXPECT_TRUE(std::all_of(map.begin(), map.end(), [](float d) { return d == 0.0f; }));
  }
}

TEST_P(Atlas, EnergyFallsAndMapsDoNotFold)
{
  const Population    population = MakePopulation(4, { 24, 22, 20 });
  const AtlasResultOf result = this->Build(population, ShortSchedule());
  const auto &        iterations = result.result.iterations;
  ASSERT_EQ(iterations.size(), 25u);
  EXPECT_LT(iterations.back().energy, 0.1 * iterations[0].energy);
  for (const AtlasImageResult & image : result.images)
  {
    EXPECT_GT(image.jacobian.minimum, 0.0);
    EXPECT_LT(image.inversion.maximumResidual, 0.02); // twice the tolerance: residuals are of the last iterate
  }
}

TEST_P(Atlas, OrderDoesNotMatter)
{
  const Population population = MakePopulation(4, { 20, 18, 16 });
  Population       turned = population;
  std::reverse(turned.images.begin(), turned.images.end());
  const AtlasResultOf a = this->Build(population, ShortSchedule());
  AtlasResultOf       b = this->Build(turned, ShortSchedule());
  std::reverse(b.displacements.begin(), b.displacements.end());
  EXPECT_EQ(a.average, b.average);
  EXPECT_EQ(a.displacements, b.displacements);
}

TEST_P(Atlas, WeightsEqualRepetition)
{
  Population twice = MakePopulation(3, { 20, 18, 16 });
  Population weighted = twice;
  weighted.weights = { 2.0, 1.0, 1.0 };
  twice.images.push_back(twice.images[0]);
  twice.weights.push_back(1.0);
  const AtlasResultOf a = this->Build(weighted, ShortSchedule());
  const AtlasResultOf b = this->Build(twice, ShortSchedule());
  // Weights that are powers of 2 have no rounding.
  EXPECT_EQ(a.average, b.average);
  EXPECT_EQ(a.displacements[0], b.displacements[0]);
}

TEST_P(Atlas, DevicesDoNotMatter)
{
  const Population    population = MakePopulation(5, { 20, 18, 16 });
  const AtlasResultOf one = this->Build(population, ShortSchedule());
  for (const std::size_t devices : { 2, 3, 6 })
  {
    const AtlasResultOf many = this->Build(population, ShortSchedule(), devices);
    EXPECT_EQ(one.average, many.average) << devices;
    EXPECT_EQ(one.displacements, many.displacements) << devices;
  }
}

TEST_P(Atlas, SameBitsTwice)
{
  const Population population = MakePopulation(3, { 20, 18, 16 });
  EXPECT_EQ(this->Build(population, ShortSchedule()).average, this->Build(population, ShortSchedule()).average);
}

TEST_P(Atlas, MeanOfTheMapsIsTheIdentity)
{
  const Population population = MakePopulation(3, { 24, 22, 20 });
  const auto       largestMean = [&](int interval) {
    AtlasParameters parameters = ShortSchedule();
    parameters.shapeUpdateInterval = interval;
    const AtlasResultOf result = this->Build(population, parameters);
    double              largest = 0.0;
    for (std::size_t i = 0; i < result.displacements[0].size(); ++i)
    {
      double sum = 0.0;
      for (const std::vector<float> & map : result.displacements)
      {
        sum += static_cast<double>(map[i]) / static_cast<double>(result.displacements.size());
      }
      largest = std::max(largest, std::fabs(sum));
    }
    return largest;
  };
  // The inverse is exact to 1e-4 voxels, and the last update follows the last step.
  EXPECT_LT(largestMean(10), 3e-4);
  EXPECT_GT(largestMean(0), 0.02);
}

TEST_P(Atlas, NoDriftOfVolumeWithoutTrueChange)
{
  const AtlasResultOf result = this->Build(MakePopulation(4, { 24, 22, 20 }), ShortSchedule());
  double              sum = 0.0;
  for (const AtlasImageResult & image : result.images)
  {
    sum += image.jacobian.meanLogarithm / static_cast<double>(result.images.size());
  }
  // The mean of log J is below 0 by half the mean square of the maps' strain even where their mean is the identity;
  // maps of some 5 percent leave a few thousandths.
  EXPECT_NEAR(sum, 0.0, 5e-3);
}

TEST_P(Atlas, RecoversTheTemplate)
{
  const Population population = MakePopulation(6, { 32, 30, 28 });
  AtlasParameters  parameters = ShortSchedule();
  parameters.registration.levels = { { { 2, 2, 2 }, 40 }, { { 1, 1, 1 }, 40 } };
  const AtlasResultOf result = this->Build(population, parameters);
  EXPECT_LT(RootMeanSquareDifference(result.average, population.truth),
            0.6 * RootMeanSquareDifference(result.initialMean, population.truth));
}

TEST_P(Atlas, FailedImageHardlyMovesTheTrimmedMean)
{
  const Population population = MakePopulation(7, { 20, 18, 16 });
  Population       failed = population;
  for (float & value : failed.images[3])
  {
    value = 3000.0f - 2.0f * value;
  }
  const auto change = [&](AtlasMean mean) {
    AtlasParameters parameters = ShortSchedule();
    parameters.meanMethod = mean;
    parameters.trimmedFraction = 0.2; // more than one image of seven at each end
    return RootMeanSquareDifference(this->Build(population, parameters).average,
                                    this->Build(failed, parameters).average);
  };
  const double ofMean = change(AtlasMean::Mean);
  EXPECT_LT(change(AtlasMean::TrimmedMean), 0.1 * ofMean);
  EXPECT_LT(change(AtlasMean::Median), 0.1 * ofMean);
}

TEST_P(Atlas, RobustMeansDoNotDependOnDevices)
{
  const Population population = MakePopulation(5, { 20, 18, 16 });
  for (const AtlasMean mean : { AtlasMean::TrimmedMean, AtlasMean::Median })
  {
    AtlasParameters parameters = ShortSchedule();
    parameters.meanMethod = mean;
    const std::vector<float> alone = this->Build(population, parameters).average;
    EXPECT_EQ(alone, this->Build(population, parameters, 2).average);
    AtlasDevices unequal = this->Devices();
    unequal.devices.resize(3); // two of the CPU, which may get no image at all
    EXPECT_LT(RootMeanSquareDifference(alone, BuildAtlas(population, parameters, unequal).average), 0.5); // of 1000
  }
}

TEST_P(Atlas, TrimmingDoesNotMatter)
{
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    Population      population = MakePopulation(3, { 40, 38, 36 });
    AtlasParameters parameters = ShortSchedule();
    parameters.registration.metric = metric;
    parameters.registration.levels = { { { 2, 2, 2 }, 3 }, { { 1, 1, 1 }, 2 } };
    const AtlasResultOf trimmed = this->Build(population, parameters);
    parameters.trimToBoundingBox = false;
    const AtlasResultOf whole = this->Build(population, parameters);
    EXPECT_EQ(trimmed.average, whole.average);
    EXPECT_EQ(trimmed.displacements, whole.displacements);
  }
}

TEST_P(Atlas, MaskedVoxelsTakeNoPart)
{
  // Huge values under a mask change nothing but the masked image's part.
  Population population = MakePopulation(3, { 20, 18, 16 });
  population.masks.resize(3);
  population.masks[1].assign(population.images[1].size(), 1);
  for (std::size_t i = 0; i < population.images[1].size() / 3; ++i)
  {
    population.masks[1][i] = 0;
  }
  const AtlasResultOf plain = this->Build(population, ShortSchedule());
  for (std::size_t i = 0; i < population.images[1].size() / 3; ++i)
  {
    population.images[1][i] = 1e30f;
  }
  const AtlasResultOf huge = this->Build(population, ShortSchedule());
  EXPECT_EQ(plain.average, huge.average);
}

TEST_P(Atlas, FarFromZero)
{
  // Intensities of 1e6 and more, where a float has a sixteenth: what is lost is the input's own rounding.
  const Population population = MakePopulation(3, { 20, 18, 16 });
  Population       shifted = population;
  for (std::vector<float> & image : shifted.images)
  {
    for (float & value : image)
    {
      value += 1e6f;
    }
  }
  std::vector<float> average = this->Build(shifted, ShortSchedule()).average;
  for (float & value : average)
  {
    value -= 1e6f;
  }
  EXPECT_LT(RootMeanSquareDifference(average, this->Build(population, ShortSchedule()).average), 1.0);
}

TEST_P(Atlas, SharpeningRaisesContrast)
{
  const Population population = MakePopulation(3, { 20, 18, 16 });
  AtlasParameters  parameters = ShortSchedule();
  const auto       spread = [&] {
    const std::vector<float> average = this->Build(population, parameters).average;
    const double             mean = Mean(average);
    double                   sum = 0.0;
    for (const float value : average)
    {
      sum += (value - mean) * (value - mean);
    }
    return sum;
  };
  const double plain = spread();
  parameters.sharpening = 1.0;
  EXPECT_GT(spread(), 1.01 * plain);
}

TEST_P(Atlas, KeepsThePose)
{
  // Maps that all start with a shift by half a voxel: the plain update takes it out, keeping the pose leaves it.
  Population population = MakePopulation(3, { 24, 22, 20 });
  population.initialShift = 0.5f;
  const auto meanShift = [&](bool keepPose) {
    AtlasParameters parameters = ShortSchedule();
    parameters.keepPose = keepPose;
    double              sum = 0.0;
    const AtlasResultOf result = this->Build(population, parameters);
    EXPECT_NEAR(result.result.drifts[0].translation[0], 0.5, 0.05);
    for (const std::vector<float> & map : result.displacements)
    {
      for (std::size_t i = 0; i < map.size(); i += 3)
      {
        sum += static_cast<double>(map[i]) / static_cast<double>(map.size());
      }
    }
    return sum; // of three maps, a third of whose values are along x
  };
  EXPECT_NEAR(meanShift(false), 0.0, 1e-3);
  EXPECT_NEAR(meanShift(true), 0.5, 0.05);
}

TEST_P(Atlas, InitialTemplateLeads)
{
  // With one iteration, the maps move towards the given template and not towards the mean.
  const Population population = MakePopulation(2, { 20, 18, 16 });
  AtlasParameters  parameters = ShortSchedule();
  parameters.registration.levels = { { { 1, 1, 1 }, 1 } };
  parameters.shapeUpdateInterval = 0;
  Population led = population;
  led.initialTemplate = population.images[0];
  const AtlasResultOf result = this->Build(led, parameters);
  EXPECT_EQ(result.result.iterations[0].imageEnergies[0], 0.0);
  EXPECT_TRUE(
    std::all_of(result.displacements[0].begin(), result.displacements[0].end(), [](float d) { return d == 0.0f; }));
  EXPECT_GT(result.result.iterations[0].imageEnergies[1], 0.0);
}

TEST_P(Atlas, MatchesCpu)
{
  const Population    population = MakePopulation(4, { 24, 22, 20 });
  const AtlasResultOf own = this->Build(population, ShortSchedule());
  const AtlasResultOf cpu = BuildAtlas(population, ShortSchedule(), {});
  // Rounding grows over 25 iterations; intensities are of the order of 1000, displacements of voxels.
  EXPECT_LT(RootMeanSquareDifference(own.average, cpu.average), 0.05);
  EXPECT_LT(RootMeanSquareDifference(own.displacements[0], cpu.displacements[0]), 1e-3);
}

TEST_P(Atlas, TwoDimensions)
{
  const AtlasResultOf result = this->Build(MakePopulation(4, { 40, 36, 1 }), ShortSchedule());
  EXPECT_LT(result.result.iterations.back().energy, 0.1 * result.result.iterations[0].energy);
}

TEST_P(Atlas, ObserverStops)
{
  const Population    population = MakePopulation(2, { 20, 18, 16 });
  int                 calls = 0;
  const AtlasResultOf result =
    BuildAtlas(population, ShortSchedule(), this->Devices(2), [&](const AtlasIteration & iteration) {
      EXPECT_EQ(iteration.iteration, calls);
      return ++calls == 3 ? AtlasAction::Stop : AtlasAction::Continue;
    });
  EXPECT_EQ(result.result.iterations.size(), 3u);
  EXPECT_EQ(result.average.size(), population.images[0].size());
}

TEST_P(Atlas, Aborts)
{
  const Population   population = MakePopulation(3, { 20, 18, 16 });
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(2));
  SetImages(population, atlas);
  int calls = 0;
  atlas.SetProgressFunction([&](float) { return ++calls < 20; });
  AtlasResult result;
  EXPECT_THROW(atlas.Run({}, result), Aborted);
}

TEST_P(Atlas, RefusesWhatItCannotUse)
{
  const Population population = MakePopulation(2, { 20, 18, 16 });
  const auto       make = [&](const AtlasParameters & parameters, const std::vector<double> & weights) {
    DiffeomorphicAtlas(parameters, population.geometry, weights, this->Devices());
  };
  ExpectInvalidParameter([&] { make({}, { 1.0 }); }, "the number of images of an atlas", "1");
  ExpectInvalidParameter([&] { make({}, { 1.0, -2.0 }); }, "the weight of image 1", "-2");
  ExpectInvalidParameter([&] { make({}, { 0.0, 0.0 }); }, "the sum of the weights", "0");
  AtlasParameters parameters = ShortSchedule();
  parameters.meanMethod = AtlasMean::TrimmedMean;
  parameters.trimmedFraction = 0.5;
  ExpectInvalidParameter([&] { make(parameters, { 1.0, 1.0 }); }, "TrimmedFraction", "0.5");
  parameters = ShortSchedule();
  parameters.registration.metric = RegistrationMetric::MutualInformation;
  ExpectInvalidParameter([&] { make(parameters, { 1.0, 1.0 }); }, "Metric", "MutualInformation");
  parameters = ShortSchedule();
  parameters.registration.updateFieldStandardDeviationsPerLevel.resize(parameters.registration.levels.size());
  ExpectInvalidParameter(
    [&] {
      make(parameters, { 1.0, 1.0 });
    },
    "the number of values of UpdateFieldStandardDeviationsPerLevel",
    std::to_string(parameters.registration.levels.size()));
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas); // the first of which is lost when another one in its place is refused
  AtlasImage image;
  image.name = "b.nii";
  image.geometry = population.geometry;
  std::vector<float> constant(population.images[0].size(), 5.0f);
  image.image = ConstView(constant);
  ExpectInvalidParameter(
    [&] { atlas.SetImage(0, image); }, "the intensity of the image 'b.nii' where the images overlap", "5");
  std::vector<unsigned char> mask(constant.size(), 0);
  image.image = ConstView(population.images[0]);
  image.mask = ConstView(mask);
  ExpectInvalidParameter(
    [&] { atlas.SetImage(0, image); }, "the number of voxels in the mask of the image 'b.nii'", "0");
  image.mask = {};
  std::fill(constant.begin(), constant.end(), std::numeric_limits<float>::quiet_NaN());
  image.image = ConstView(constant);
  ExpectInvalidParameter([&] { atlas.SetImage(0, image); }, "the number of finite voxels of the image 'b.nii'", "0");
  AtlasResult result;
  EXPECT_THROW(atlas.Run({}, result), Error); // an image is missing
  std::vector<float> far(3 * constant.size(), 1e5f);
  image.image = ConstView(population.images[0]);
  image.initialField.data = far.data();
  EXPECT_THROW(atlas.SetImage(0, image), InvalidParameterError);
}

TEST_P(Atlas, IsRunOnce)
{
  const Population   population = MakePopulation(2, { 20, 18, 16 });
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult result;
  atlas.Run({}, result);
  EXPECT_THROW(atlas.Run({}, result), Error);
  EXPECT_THROW(SetImages(population, atlas), Error);
  EXPECT_THROW(atlas.SetInitialTemplate(ConstView(population.images[0])), Error);
}

CUDANEURO_TEST_ON_ALL_DEVICES(Atlas);
