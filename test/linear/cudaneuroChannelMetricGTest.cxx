// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ChannelShares.h"
#include "linear/ChannelMetric.h"
#include "linear/LinearReference.h"

/** The mean of the metrics of several channels against references in double precision. */
namespace
{

using namespace lineartests;

struct Channel
{
  double                 share;
  LinearMetricParameters parameters;
  PlacedImage            fixed;
  PlacedImage            moving;
};

/** Two channels on the same grids: other waves, another metric, and masks for the second one alone. */
std::vector<Channel>
TwoChannels(bool isSymmetric)
{
  std::vector<Channel> channels{
    { 0.25, ParametersOf(RegistrationMetric::MeanSquares, isSymmetric), FixedImage(), MovingImage() },
    { 0.75, ParametersOf(RegistrationMetric::MutualInformation, isSymmetric), FixedImage(), MovingImage() }
  };
  Channel & second = channels.back();
  second.fixed = MakePlacedImage(second.fixed.geometry, 1.4);
  second.moving = MakePlacedImage(second.moving.geometry, 2.1);
  AddMask(0.3, second.fixed);
  AddMask(1.7, second.moving);
  return channels;
}

class ChannelMetrics : public DeviceTest
{
protected:
  LinearTrial
  EvaluateAt(const AffineMap & map, const std::vector<Channel> & channels)
  {
    ChannelMetric metric;
    for (const Channel & channel : channels)
    {
      metric.Add(
        channel.share,
        std::make_unique<LinearMetric>(this->GetContext(), channel.parameters, Compare(channel.fixed, channel.moving)));
    }
    std::vector<LinearTrial> trials(1);
    trials[0].map = map;
    metric.Evaluate(trials, true);
    return trials[0];
  }
};

} // namespace

TEST_P(ChannelMetrics, AreTheMeanOfReferences)
{
  for (const bool isSymmetric : { false, true })
  {
    const std::vector<Channel> channels = TwoChannels(isSymmetric);
    ReferenceResult            mean{};
    const LinearTrial          trial = this->EvaluateAt(ObliqueMap(), channels);
    for (const Channel & channel : channels)
    {
      const ReferenceResult ofChannel = ReferenceOf(channel.parameters, channel.fixed, channel.moving, ObliqueMap());
      mean.value += channel.share * ofChannel.value;
      for (std::size_t i = 0; i < 12; ++i)
      {
        mean.derivatives[i] += channel.share * ofChannel.derivatives[i];
      }
      mean.overlap = channel.share == 0.25 ? ofChannel.overlap : mean.overlap;
      // As ExpectReference has it.
      EXPECT_NEAR(trial.channelValues[&channel - channels.data()], ofChannel.value, 1e-5);
    }
    ExpectReference(mean, trial, false);
  }
}

TEST_P(ChannelMetrics, OfOneChannelHaveItsBits)
{
  std::vector<Channel> channels = TwoChannels(true);
  const Channel        second = channels.back();
  const auto           alone =
    EvaluateOne(this->GetContext(), second.parameters, Compare(second.fixed, second.moving), ObliqueMap());
  const auto expectSame = [&](const LinearTrial & trial) {
    EXPECT_EQ(trial.value, alone.value);
    EXPECT_EQ(trial.derivativeByMatrix, alone.derivativeByMatrix);
    EXPECT_EQ(trial.derivativeByOffset, alone.derivativeByOffset);
  };
  channels = { second };
  channels.front().share = 1.0;
  expectSame(this->EvaluateAt(ObliqueMap(), channels));
  channels = { second, second };
  channels[0].share = channels[1].share = 0.5;
  expectSame(this->EvaluateAt(ObliqueMap(), channels));
  // The first channel has an overlap also where it has no share.
  channels = TwoChannels(true);
  channels[0].share = 0.0;
  channels[1].share = 1.0;
  const LinearTrial withoutFirst = this->EvaluateAt(ObliqueMap(), channels);
  expectSame(withoutFirst);
  EXPECT_NE(withoutFirst.overlap, alone.overlap);
  EXPECT_EQ(withoutFirst.channelValues[0], 0.0);
}

TEST_P(ChannelMetrics, AreInfiniteWhereAChannelIsNotCovered)
{
  std::vector<Channel> channels = TwoChannels(false);
  // The second moving image has values only where the map leads no voxel.
  PlacedImage & moving = channels.back().moving;
  moving.mask.assign(moving.values.size(), 0);
  std::fill_n(moving.mask.begin(), 24, 1);
  AffineMap map;
  map.offset[2] = 4.0;
  EXPECT_TRUE(std::isinf(this->EvaluateAt(map, channels).value));
  EXPECT_TRUE(std::isinf(this->EvaluateAt(map, channels).score));
  channels.back().share = 0.0;
  EXPECT_FALSE(std::isinf(this->EvaluateAt(map, channels).value));
}

TEST(ChannelShares, SumToOne)
{
  LinearRegistrationParameters parameters;
  parameters.channelWeight = 0.3;
  EXPECT_EQ(SharesOfChannels(parameters.channelWeight, parameters.furtherChannels), std::vector<double>{ 1.0 });
  parameters.furtherChannels.resize(2);
  parameters.furtherChannels[0].weight = 0.3;
  parameters.furtherChannels[1].weight = 0.0;
  EXPECT_EQ(SharesOfChannels(parameters.channelWeight, parameters.furtherChannels),
            (std::vector<double>{ 0.5, 0.5, 0.0 }));
}

CUDANEURO_TEST_ON_ALL_DEVICES(ChannelMetrics);
