// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "RegistrationRuns.h"
#include "cudaneuro/Error.h"

#include <cmath>
#include <string>

/** Registrations by several channels. */
namespace
{

using namespace cudaneuro;
using namespace registrationruns;

/** Another contrast of a pair of heads, and what is known of it. */
PhantomPair
MakePair(std::uint64_t seed, const std::array<std::int64_t, 3> & size = { 34, 30, 28 })
{
  const Blobs blobs{ seed, 30, 0.2, 0.07 };
  const auto  contrast = [=](std::uint64_t stream) {
    return [=](const Vector & p, std::size_t i) {
      const double texture = Texture(p, 1.0 + static_cast<double>(seed), 0.0);
      return 100.0 * (texture + blobs.At(p)) + 8.0 * testvolumes::NormalNoise(100 * seed + stream, i);
    };
  };
  return MakePairOf(size, 2.5, contrast(1), contrast(2));
}

ChannelImages
ChannelOf(const PhantomPair & pair)
{
  ChannelImages images;
  images.fixedGeometry = pair.geometry;
  images.movingGeometry = pair.geometry;
  images.fixedImage = ConstView(pair.fixed);
  images.movingImage = ConstView(pair.moving);
  return images;
}

/** A pair for each channel, and how the registration compares it. */
struct Channels
{
  RegistrationParameters parameters;
  RegistrationImages     images;

  Channels(const RegistrationParameters & itsParameters, const PhantomPair & first)
    : parameters(itsParameters)
    , images(ImagesOf(first))
  {}

  void
  Add(const PhantomPair & pair, const ChannelParameters & description)
  {
    parameters.furtherChannels.push_back(description);
    images.furtherChannels.push_back(ChannelOf(pair));
  }
};

TermOutcome
RunTerms(Context & context, const Channels & channels)
{
  return registrationruns::RunTerms(context, channels.parameters, channels.images);
}

/** The three methods, with few iterations. */
std::vector<RegistrationParameters>
Methods()
{
  return MethodsWithLevels({ { { 2, 2, 2 }, 12 }, { { 1, 1, 1 }, 8 } });
}

ChannelParameters
Described(RegistrationMetric metric, double weight)
{
  ChannelParameters description;
  description.metric = metric;
  description.weight = weight;
  description.correlationRadius = 2;
  description.numberOfHistogramBins = 16;
  return description;
}

constexpr std::array<RegistrationMetric, 3> metrics{ RegistrationMetric::MeanSquares,
                                                     RegistrationMetric::LocalCorrelation,
                                                     RegistrationMetric::MutualInformation };

class RegistrationChannels : public DeviceTest
{};

TEST_P(RegistrationChannels, OfWeight0LeaveTheBits)
{
  const PhantomPair first = MakePair(1);
  const PhantomPair second = MakePair(2);
  for (const RegistrationParameters & method : Methods())
  {
    const TermOutcome alone = RunTerms(this->GetContext(), { method, first });
    Channels          before(method, first);
    before.Add(second, Described(RegistrationMetric::LocalCorrelation, 0.0));
    EXPECT_EQ(RunTerms(this->GetContext(), before).displacement, alone.displacement);
    Channels after(method, second);
    after.parameters.metric = RegistrationMetric::LocalCorrelation;
    after.parameters.channelWeight = 0.0;
    after.Add(first, Described(method.metric, 1.0));
    EXPECT_EQ(RunTerms(this->GetContext(), after).displacement, alone.displacement);
  }
}

TEST_P(RegistrationChannels, TwiceAtHalfWeightAreOne)
{
  const PhantomPair pair = MakePair(1);
  for (RegistrationParameters method : Methods())
  {
    for (const RegistrationMetric metric : metrics)
    {
      method.metric = metric;
      method.correlationRadius = 2;
      method.numberOfHistogramBins = 16;
      method.channelWeight = 0.5;
      const TermOutcome alone = RunTerms(this->GetContext(), { method, pair });
      Channels          twice(method, pair);
      twice.Add(pair, Described(metric, 0.5));
      const TermOutcome both = RunTerms(this->GetContext(), twice);
      // Sums of the same numbers, rounded otherwise, over 20 iterations.
      EXPECT_LT(LargestDistance(both.displacement, alone.displacement), 0.01) << metric;
      EXPECT_NEAR(both.result.final.imageEnergy, alone.result.final.imageEnergy, 1e-4) << metric;
      ASSERT_EQ(both.result.final.channelEnergies.size(), 2u);
      // The mean of both sides' energies is rounded otherwise than that of both sides' sums.
      const auto & energies = both.result.final.channelEnergies;
      EXPECT_NEAR(energies[0], energies[1], 1e-6) << metric;
    }
  }
}

TEST_P(RegistrationChannels, InAnyOrderHaveTheSameBits)
{
  const PhantomPair a = MakePair(1);
  const PhantomPair b = MakePair(2);
  const PhantomPair c = MakePair(3);
  const auto        ofA = Described(RegistrationMetric::MutualInformation, 0.5);
  const auto        ofB = Described(RegistrationMetric::LocalCorrelation, 1.5);
  const auto        ofC = Described(RegistrationMetric::LocalCorrelation, 1.5);
  const auto        with = [](RegistrationParameters parameters, const ChannelParameters & first) {
    parameters.metric = first.metric;
    parameters.channelWeight = first.weight;
    parameters.correlationRadius = first.correlationRadius;
    parameters.numberOfHistogramBins = first.numberOfHistogramBins;
    return parameters;
  };
  for (const RegistrationParameters & method : Methods())
  {
    Channels forth(with(method, ofA), a);
    forth.Add(b, ofB);
    forth.Add(c, ofC);
    Channels back(with(method, ofC), c);
    back.Add(b, ofB);
    back.Add(a, ofA);
    const TermOutcome first = RunTerms(this->GetContext(), forth);
    const TermOutcome second = RunTerms(this->GetContext(), back);
    EXPECT_EQ(first.displacement, second.displacement);
    const auto & energies = first.result.final.channelEnergies;
    EXPECT_EQ(std::vector<double>(energies.rbegin(), energies.rend()), second.result.final.channelEnergies);
  }
}

TEST_P(RegistrationChannels, SeeTogetherWhatNeitherSeesAlone)
{
  // Each channel shows one half of the object alone.
  const PhantomPair whole = MakePair(1);
  PhantomPair       left = whole;
  PhantomPair       right = whole;
  for (std::size_t i = 0; i < left.fixed.size(); ++i)
  {
    const bool isLeft = i % 34 < 17;
    for (std::vector<float> * const image : { &left.fixed, &left.moving })
    {
      (*image)[i] = isLeft ? (*image)[i] : 0.0f;
    }
    for (std::vector<float> * const image : { &right.fixed, &right.moving })
    {
      (*image)[i] = isLeft ? 0.0f : (*image)[i];
    }
  }
  RegistrationParameters method = UnbiasedRegistrationParameters();
  method.unbiasedWeight = 0.02;
  method.levels = { { { 2, 2, 2 }, 60 }, { { 1, 1, 1 }, 60 } };
  Channels both(method, left);
  both.Add(right, Described(RegistrationMetric::MeanSquares, 1.0));
  const double together = MeanErrorInObject(left, RunTerms(this->GetContext(), both).displacement);
  const double leftAlone = MeanErrorInObject(left, RunTerms(this->GetContext(), { method, left }).displacement);
  const double rightAlone = MeanErrorInObject(left, RunTerms(this->GetContext(), { method, right }).displacement);
  const double seen = MeanErrorInObject(whole, RunTerms(this->GetContext(), { method, whole }).displacement);
  // At the seam both images have an edge that does not move with the object.
  EXPECT_LT(together, 2.5 * seen);
  EXPECT_LT(together, 0.6 * std::min(leftAlone, rightAlone));
}

TEST_P(RegistrationChannels, HaveMasksOfTheirOwn)
{
  // The second channel contradicts the first one where its mask is 0.
  const PhantomPair          first = MakePair(1);
  PhantomPair                second = MakePair(2);
  std::vector<unsigned char> mask(second.fixed.size(), 1);
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    if (i % 34 >= 17)
    {
      mask[i] = 0;
      second.fixed[i] = static_cast<float>(200.0 * testvolumes::NormalNoise(9, i));
    }
  }
  PhantomPair other = second;
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    other.fixed[i] = mask[i] == 0 ? 7.0f : other.fixed[i];
  }
  for (const RegistrationParameters & method : Methods())
  {
    const auto outcomeOf = [&](const PhantomPair & pair, bool hasMask) {
      Channels channels(method, first);
      channels.Add(pair, Described(RegistrationMetric::LocalCorrelation, 1.0));
      channels.images.furtherChannels[0].fixedMask = hasMask ? ConstView(mask) : ConstVolume();
      return RunTerms(this->GetContext(), channels).displacement;
    };
    // What is behind the mask changes no bit; without the mask it does.
    EXPECT_EQ(outcomeOf(second, true), outcomeOf(other, true));
    EXPECT_GT(LargestDistance(outcomeOf(second, true), outcomeOf(second, false)), 0.1);
  }
}

/** A channel on a grid of its own, behind a transform, is the channel on the first one's grid. */
TEST_P(RegistrationChannels, HaveGridsAndTransformsOfTheirOwn)
{
  const PhantomPair first = MakePair(1);
  const PhantomPair second = MakePair(2);
  Channels          plain(UnbiasedRegistrationParameters(), first);
  plain.parameters.levels = { { { 2, 2, 2 }, 12 }, { { 1, 1, 1 }, 8 } };
  plain.Add(second, Described(RegistrationMetric::LocalCorrelation, 1.0));
  Channels        moved = plain;
  ChannelImages & channel = moved.images.furtherChannels[0];
  // Whole voxels of 1 mm: no value changes.
  channel.fixedGeometry.origin = { 5.0, -3.0, 2.0 };
  channel.fixedTransform.offset = { 5.0, -3.0, 2.0 };
  channel.movingGeometry.origin = { -40.0, 7.0, 1.0 };
  channel.movingTransform.offset = { -40.0, 7.0, 1.0 };
  const TermOutcome a = RunTerms(this->GetContext(), plain);
  const TermOutcome b = RunTerms(this->GetContext(), moved);
  EXPECT_LT(LargestDistance(a.displacement, b.displacement), 1e-3);
  channel.fixedTransform.offset[0] += 2.0;
  EXPECT_GT(LargestDistance(a.displacement, RunTerms(this->GetContext(), moved).displacement), 0.3);
}

TEST_P(RegistrationChannels, AgreeWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  const PhantomPair first = MakePair(1, { 35, 31, 29 });
  const PhantomPair second = MakePair(2, { 35, 31, 29 });
  Context           cpu{ Device{} };
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 1, 1, 1 }, 30 } };
    for (const RegistrationMetric metric : metrics)
    {
      Channels channels(method, first);
      channels.Add(second, Described(metric, 0.7));
      const TermOutcome onGpu = RunTerms(this->GetContext(), channels);
      const TermOutcome onCpu = RunTerms(cpu, channels);
      // Iterations of float32 that differ in rounding.
      EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.05) << metric;
      EXPECT_NEAR(onGpu.result.final.energy, onCpu.result.final.energy, 1e-4) << metric;
    }
  }
}

TEST_P(RegistrationChannels, AreRefusedWithTheValue)
{
  const PhantomPair first = MakePair(1, { 12, 11, 10 });
  const PhantomPair second = MakePair(2, { 12, 11, 10 });
  const auto        messageOf = [&](const auto & change) {
    Channels channels(UnbiasedRegistrationParameters(), first);
    channels.parameters.levels = { { { 1, 1, 1 }, 1 } };
    channels.Add(second, Described(RegistrationMetric::MeanSquares, 1.0));
    change(channels);
    return RefusalOf([&] { RunTerms(this->GetContext(), channels); });
  };
  const auto expect = [&](const char * text, const auto & change) {
    EXPECT_NE(messageOf(change).find(text), std::string::npos) << messageOf(change);
  };
  expect("number of channels with images is 1", [](Channels & c) { c.images.furtherChannels.clear(); });
  expect("channel 1: Weight is -1", [](Channels & c) { c.parameters.furtherChannels[0].weight = -1.0; });
  expect("channel 1: Weight is nan", [](Channels & c) { c.parameters.furtherChannels[0].weight = NAN; });
  expect("weights of all channels, points and labels is 0", [](Channels & c) {
    c.parameters.channelWeight = 0.0;
    c.parameters.furtherChannels[0].weight = 0.0;
  });
  expect("channel 1: fixedImage", [](Channels & c) { c.images.furtherChannels[0].fixedImage = {}; });
  expect("channel 1: the size of an image is",
         [](Channels & c) { c.images.furtherChannels[0].movingGeometry.grid.size[2] = 1; });
  expect("number of channels is 9", [](Channels & c) { c.parameters.furtherChannels.resize(8); });
  const std::vector<float> flat(first.fixed.size(), 3.0f);
  expect("fixed image of channel 1", [&](Channels & c) { c.images.furtherChannels[0].fixedImage = ConstView(flat); });
  expect("images do not overlap", [](Channels & c) { c.images.furtherChannels[0].movingGeometry.origin[0] = 500.0; });
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationChannels);

} // namespace
