// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasTest.h"

#include <utility>

using namespace cudaneuro;
using namespace testpopulation;

/** The order of the channels of an atlas, which its bits do not depend on. */
namespace
{

class AtlasChannelOrder : public AtlasTest
{};

/** Three channels of a population: the blobs, another contrast of them, and one of two blobs alone. */
struct ThreeChannels
{
  std::vector<std::vector<float>> images[3]; // by channel
  Population                      population;
};

ThreeChannels
MakeChannels()
{
  const std::array<std::int64_t, 3> size{ 22, 20, 18 };
  ThreeChannels                     all;
  all.population = MakePopulation(4, size);
  all.images[0] = all.population.images;
  all.images[1] = MakePopulationOf(4, size, [](const std::array<double, 3> & p) {
                    return 130.0 - 0.07 * BlobsAt(p) + 9.0 * p[1];
                  }).images;
  all.images[2] = MakePopulationOf(4, size, [](const std::array<double, 3> & p) {
                    return 51.7 * BlobAt(p, { 0.3, 0.55, 0.5 }, 0.3) + 91.3 * BlobAt(p, { 0.7, 0.4, 0.45 }, 0.2);
                  }).images;
  return all;
}

/** How each channel is compared. */
std::vector<ChannelParameters>
Descriptions(bool areAlike)
{
  std::vector<ChannelParameters> descriptions(3);
  if (!areAlike)
  {
    descriptions[0].weight = 0.7;
    descriptions[1].weight = 1.9;
    descriptions[1].metric = RegistrationMetric::LocalCorrelation;
    descriptions[1].correlationRadius = 2;
    descriptions[2].weight = 0.3;
  }
  return descriptions;
}

/** An atlas of channels in some order. */
std::pair<Population, AtlasParameters>
InOrder(const ThreeChannels & all, const std::vector<ChannelParameters> & descriptions, const std::vector<int> & order)
{
  Population      population = all.population;
  AtlasParameters parameters;
  parameters.registration.levels = { { { 2, 2, 2 }, 3 }, { { 1, 1, 1 }, 2 } };
  population.furtherChannels.resize(population.images.size());
  for (std::size_t place = 0; place < order.size(); ++place)
  {
    const auto                channel = static_cast<std::size_t>(order[place]);
    const ChannelParameters & description = descriptions[channel];
    if (place == 0)
    {
      population.images = all.images[channel];
      parameters.registration.channelWeight = description.weight;
      parameters.registration.metric = description.metric;
      parameters.registration.correlationRadius = description.correlationRadius;
      continue;
    }
    parameters.registration.furtherChannels.push_back(description);
    for (std::size_t image = 0; image < population.images.size(); ++image)
    {
      population.furtherChannels[image].push_back(all.images[channel][image]);
    }
  }
  return { population, parameters };
}

/** The template of a channel of those in some order. */
const std::vector<float> &
TemplateOf(const AtlasResultOf & result, const std::vector<int> & order, int channel)
{
  std::size_t place = 0;
  while (order[place] != channel)
  {
    ++place;
  }
  return place == 0 ? result.average : result.furtherAverages[place - 1];
}

} // namespace

TEST_P(AtlasChannelOrder, DoesNotMatter)
{
  const ThreeChannels    all = MakeChannels();
  const std::vector<int> orders[] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 1, 0 }, { 1, 2, 0 } };
  for (const bool areAlike : { true, false })
  {
    for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::Median })
    {
      AtlasResultOf expected;
      for (const std::vector<int> & order : orders)
      {
        auto [population, parameters] = InOrder(all, Descriptions(areAlike), order);
        parameters.meanMethod = mean;
        const AtlasResultOf result = this->Build(population, parameters);
        if (order == orders[0])
        {
          expected = result;
          EXPECT_NE(result.displacements[0], result.displacements[1]);
          continue;
        }
        EXPECT_EQ(result.displacements, expected.displacements) << areAlike << mean << order[0];
        EXPECT_EQ(result.result.imageEnergies, expected.result.imageEnergies) << areAlike << mean << order[0];
        EXPECT_EQ(result.result.numberOfShortenedSteps, expected.result.numberOfShortenedSteps);
        for (std::size_t place = 0; place < 3; ++place)
        {
          EXPECT_EQ(TemplateOf(result, order, order[place]), TemplateOf(expected, orders[0], order[place]));
          EXPECT_EQ(result.result.channelEnergies[place],
                    expected.result.channelEnergies[static_cast<std::size_t>(order[place])]);
        }
      }
    }
  }
}

/** First channel and second one change places. Without a weight, one that comes first makes no difference, either. */
TEST_P(AtlasChannelOrder, TwoMayBeExchanged)
{
  const ThreeChannels all = MakeChannels();
  for (const double weightOfSecond : { 1.0, 3.0, 0.0 })
  {
    auto descriptions = Descriptions(true);
    descriptions[1].weight = weightOfSecond;
    const auto [population, parameters] = InOrder(all, descriptions, { 0, 1 });
    const auto [otherPopulation, otherParameters] = InOrder(all, descriptions, { 1, 0 });
    const AtlasResultOf one = this->Build(population, parameters, 2);
    const AtlasResultOf other = this->Build(otherPopulation, otherParameters);
    EXPECT_EQ(one.displacements, other.displacements) << weightOfSecond;
    EXPECT_EQ(one.average, other.furtherAverages[0]) << weightOfSecond;
    EXPECT_EQ(one.furtherAverages[0], other.average) << weightOfSecond;
    EXPECT_EQ(one.result.energy, other.result.energy) << weightOfSecond;
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasChannelOrder);
