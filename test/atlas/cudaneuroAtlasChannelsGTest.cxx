// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Atlases of members with images of several channels: what each channel contributes, and how channels are given.

#include "atlas/AtlasChannelsTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

using namespace cudaneuro;
using namespace testpopulation;
using namespace atlaschannels;

namespace
{

/** The root of the mean square of differences of displacements. */
double
MapDifference(const AtlasResultOf & a, const AtlasResultOf & b)
{
  double sum = 0.0;
  for (std::size_t image = 0; image < a.displacements.size(); ++image)
  {
    sum += std::pow(RootMeanSquareDifference(a.displacements[image], b.displacements[image]), 2.0);
  }
  return std::sqrt(sum / static_cast<double>(a.displacements.size()));
}

double
Twice(double intensity, double)
{
  return 2.0 * intensity;
}

double
Same(double intensity, double)
{
  return intensity;
}

std::vector<float>
Doubled(std::vector<float> values)
{
  std::transform(values.begin(), values.end(), values.begin(), [](float value) { return 2.0f * value; });
  return values;
}

} // namespace

TEST_P(AtlasChannels, OfWeight0LeaveTheBits)
{
  for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::Median })
  {
    Population      population = MakePopulation(4, { 20, 18, 16 });
    AtlasParameters alone = ShortSchedule();
    AtlasParameters both = TwoChannels(1.0, 0.0);
    alone.meanMethod = mean;
    both.meanMethod = mean;
    const AtlasResultOf expected = this->Build(population, alone);
    AddChannel(population, Twice);
    const AtlasResultOf result = this->Build(population, both);
    EXPECT_EQ(result.average, expected.average);
    EXPECT_EQ(result.displacements, expected.displacements);
    EXPECT_EQ(result.result.imageEnergies, expected.result.imageEnergies);
    EXPECT_EQ(result.result.channelEnergies, (std::vector<double>{ expected.result.energy, 0.0 }));
    // It has a template all the same, and twice the intensities are no other bits.
    EXPECT_EQ(result.furtherAverages[0], Doubled(expected.average));
  }
}

TEST_P(AtlasChannels, TheFirstOneMayHaveWeight0)
{
  Population population = MakePopulation(3, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  const AtlasResultOf result = this->Build(population, TwoChannels(0.0, 2.0));
  Population          other = population;
  for (std::size_t image = 0; image < 3; ++image)
  {
    other.images[image] = population.furtherChannels[image][0];
  }
  other.furtherChannels.clear();
  const AtlasResultOf expected = this->Build(other, ShortSchedule());
  EXPECT_EQ(result.displacements, expected.displacements);
  EXPECT_EQ(result.furtherAverages[0], expected.average);
  EXPECT_EQ(result.result.energy, expected.result.energy);
}

TEST_P(AtlasChannels, TwiceAtHalfWeightIsOnce)
{
  for (const RegistrationMetric metric : { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    Population      population = MakePopulation(3, { 20, 18, 16 });
    AtlasParameters alone = ShortSchedule();
    AtlasParameters both = TwoChannels(0.5, 0.5);
    alone.registration.metric = metric;
    both.registration.metric = metric;
    both.registration.furtherChannels[0].metric = metric;
    const AtlasResultOf expected = this->Build(population, alone);
    AddChannel(population, Same);
    const AtlasResultOf result = this->Build(population, both);
    EXPECT_LT(LargestDifference(result, expected), 0.01) << metric; // voxels, far below what a map is known to
    EXPECT_EQ(result.average, result.furtherAverages[0]) << metric;
    EXPECT_NEAR(result.result.energy, expected.result.energy, 1e-3 * expected.result.energy) << metric;
  }
}

TEST_P(AtlasChannels, EnergyIsTheWeightedMean)
{
  Population population = MakePopulation(3, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  AtlasParameters parameters = TwoChannels(3.0, 1.0);
  parameters.registration.furtherChannels[0].metric = RegistrationMetric::LocalCorrelation;
  const AtlasResult result = this->Build(population, parameters).result;
  const auto        expect = [](double energy, const std::vector<double> & ofChannels) {
    ASSERT_EQ(ofChannels.size(), 2u);
    EXPECT_NE(ofChannels[0], ofChannels[1]);
    // Of double sums that are rounded once or twice.
    EXPECT_NEAR(energy, 0.75 * ofChannels[0] + 0.25 * ofChannels[1], 1e-12 * std::fabs(energy));
  };
  expect(result.energy, result.channelEnergies);
  for (const AtlasIteration & iteration : result.iterations)
  {
    expect(iteration.energy, iteration.channelEnergies);
  }
  EXPECT_LT(result.iterations[14].energy, result.iterations[0].energy); // of one level
}

/** Each channel shows one of two blobs. Maps are compared with those of images that show both. */
TEST_P(AtlasChannels, TogetherFindWhatEachOneShowsInPart)
{
  const auto left = [](const std::array<double, 3> & p) { return 700.0 * BlobAt(p, { 0.3, 0.5, 0.5 }, 0.25); };
  const auto right = [](const std::array<double, 3> & p) { return 700.0 * BlobAt(p, { 0.7, 0.5, 0.5 }, 0.25); };
  const auto population = [](const auto & object) { return MakePopulationOf(4, { 28, 26, 24 }, object); };
  const auto ofLeft = population(left);
  const auto ofRight = population(right);
  const auto whole = population([&](const std::array<double, 3> & p) { return left(p) + right(p); });
  Population both = ofLeft;
  for (const std::vector<float> & image : ofRight.images)
  {
    both.furtherChannels.push_back({ image });
  }
  // The fastest voxel always moves by a step, which is the noise of a map: small ones, for maps that can be compared.
  AtlasParameters one = ShortSchedule();
  one.registration.levels = { { { 2, 2, 2 }, 30 }, { { 1, 1, 1 }, 20 } };
  one.registration.maximumStep = 0.1;
  AtlasParameters two = one;
  two.registration.furtherChannels.resize(1);
  const AtlasResultOf expected = this->Build(whole, one);
  const double        errorOfLeft = MapDifference(this->Build(ofLeft, one), expected);
  const double        errorOfRight = MapDifference(this->Build(ofRight, one), expected);
  const double        errorOfBoth = MapDifference(this->Build(both, two), expected);
  // The forces of the blobs add up to that of the whole, so that only the noise of a fifth of a step is left. One blob
  // alone leaves the other to be found.
  EXPECT_LT(errorOfBoth, 0.5 * std::min(errorOfLeft, errorOfRight)) << errorOfLeft << ", " << errorOfRight;
}

TEST_P(AtlasChannels, HaveGridsTransformsAndMasksOfTheirOwn)
{
  Population population = MakePopulation(3, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  const AtlasParameters parameters = TwoChannels(1.0, 1.0);
  const AtlasResultOf   expected = this->Build(population, parameters);

  // The second channel lies 100 mm and a row of voxels beside the first one, and image 1 has a spot in it.
  const auto build = [&](bool isMasked) {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices());
    for (const int image : atlas.GetOwnImages())
    {
      const auto                 index = static_cast<std::size_t>(image);
      const std::vector<float> & values = population.furtherChannels[index][0];
      Geometry                   geometry = population.geometry;
      geometry.origin[0] += 99.0;
      geometry.grid.size[0] = 21;
      std::vector<float>         further;
      std::vector<unsigned char> mask;
      for (std::size_t i = 0; i < values.size(); ++i)
      {
        if (i % 20 == 0)
        {
          further.push_back(values[i]);
          mask.push_back(1);
        }
        const bool isSpot = image == 1 && i % 20 < 4 && i / 20 % 18 < 4;
        further.push_back(isSpot ? 5000.0f : values[i]);
        mask.push_back(isSpot ? 0 : 1);
      }
      AtlasImage input;
      input.name = std::to_string(image);
      input.geometry = population.geometry;
      input.image = ConstView(population.images[index]);
      AffineMap transform;
      transform.offset[0] = 100.0;
      input.furtherChannels.push_back(
        { geometry, ConstView(further), isMasked ? ConstView(mask) : ConstVolume(), transform });
      atlas.SetImage(image, input);
    }
    AtlasResult result;
    atlas.Run({}, result);
    return ReadAtlas(population, atlas, result);
  };
  const double masked = MapDifference(build(true), expected);
  const double unmasked = MapDifference(build(false), expected);
  // Masked voxels exert no force and are absent from the mean; the corner of the spot is background for all images, so
  // that little but the border of the mask is left.
  EXPECT_LT(masked, 0.05);
  EXPECT_GT(unmasked, 4.0 * masked);
}

/** Channels of opposite kinds of intensities, trimmed and not. */
TEST_P(AtlasChannels, TrimmingDoesNotMatter)
{
  Population population = MakePopulation(3, { 40, 38, 36 });
  AddChannel(population, [](double intensity, double x) { return x < 0.5 ? 0.3 * intensity : 0.0; });
  AtlasParameters parameters = TwoChannels(1.0, 1.0);
  parameters.registration.furtherChannels[0].metric = RegistrationMetric::LocalCorrelation;
  parameters.registration.levels = { { { 2, 2, 2 }, 6 }, { { 1, 1, 1 }, 4 } };
  const AtlasResultOf trimmed = this->Build(population, parameters);
  parameters.trimToBoundingBox = false;
  const AtlasResultOf whole = this->Build(population, parameters);
  EXPECT_EQ(trimmed.furtherAverages, whole.furtherAverages);
  EXPECT_EQ(trimmed.displacements, whole.displacements);
}

TEST_P(AtlasChannels, DeformedImagesAreOfTheirChannel)
{
  Population population = MakePopulation(3, { 20, 18, 16 });
  AddChannel(population, Twice);
  DiffeomorphicAtlas atlas(TwoChannels(1.0, 1.0), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult result;
  atlas.Run({}, result);
  std::vector<float> first(population.images[0].size());
  std::vector<float> second(first.size());
  AtlasImageOutputs  outputs;
  outputs.deformed = View(first);
  outputs.deformedChannels = { View(second) };
  atlas.GetImage(1, outputs);
  EXPECT_EQ(second, Doubled(first));
  EXPECT_GT(*std::max_element(first.begin(), first.end()), 100.0f);
  std::vector<float> mean(first.size());
  std::vector<float> meanOfSecond(first.size());
  atlas.GetInitialMean(View(mean));
  atlas.GetInitialMean(View(meanOfSecond), 1);
  EXPECT_EQ(meanOfSecond, Doubled(mean));
}

TEST_P(AtlasChannels, BadOnesAreNamed)
{
  Population population = MakePopulation(2, { 12, 11, 10 });
  const auto expect = [&](const AtlasParameters & parameters, const std::string & name, const std::string & value) {
    ExpectInvalidParameter(
      [&] { DiffeomorphicAtlas(parameters, population.geometry, population.weights, this->Devices()); }, name, value);
  };
  AtlasParameters parameters = TwoChannels(1.0, 1.0);
  parameters.registration.furtherChannels[0].metric = RegistrationMetric::MutualInformation;
  expect(parameters, "channel 1: Metric", "MutualInformation");
  parameters = TwoChannels(1.0, 1.0);
  parameters.registration.furtherChannels[0].matchIntensities = true;
  expect(parameters, "channel 1: MatchIntensities", "true");
  EXPECT_THROW(DiffeomorphicAtlas(TwoChannels(0.0, 0.0), population.geometry, population.weights, this->Devices()),
               InvalidParameterError);

  DiffeomorphicAtlas atlas(TwoChannels(1.0, 1.0), population.geometry, population.weights, this->Devices());
  ExpectInvalidParameter(
    [&] { SetImages(population, atlas); }, "the number of further channels of the image 'image 0'", "0");
  AddChannel(population, [](double, double) { return 7.0; });
  EXPECT_THROW(SetImages(population, atlas), InvalidParameterError); // no contrast
  population.furtherChannels.clear();
  AddChannel(population, Same);
  SetImages(population, atlas);
  AtlasResult result;
  atlas.Run({}, result);
  std::vector<float> image(population.images[0].size());
  ExpectInvalidParameter([&] { atlas.GetTemplate(View(image), 2); }, "the channel", "2");
  ExpectInvalidParameter([&] { atlas.GetInitialMean(View(image), -1); }, "the channel", "-1");
  AtlasImageOutputs outputs;
  outputs.deformedChannels.resize(2);
  ExpectInvalidParameter([&] { atlas.GetImage(0, outputs); }, "the number of deformed images of further channels", "2");
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasChannels);
