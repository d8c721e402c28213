// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

#include <limits>

/** Linear registrations of several pairs of images. */
namespace
{

using namespace linearphantom;

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/** A registration without a search, of which voxels count the same in all channels, whichever is the first. */
LinearRegistrationParameters
PlainParameters(LinearTransformType type = LinearTransformType::Rigid)
{
  LinearRegistrationParameters parameters;
  parameters.transformType = type;
  parameters.voxelWeighting = VoxelWeighting::Uniform;
  parameters.searchAngle = 0.0;
  parameters.searchDistance = 0.0;
  parameters.start = LinearStart::GridCenters;
  parameters.levels = { { { 4, 4, 4 }, 50 }, { { 2, 2, 2 }, 50 }, { { 1, 1, 1 }, 50 } };
  return parameters;
}

void
AddChannel(const PlacedImage &            fixed,
           const PlacedImage &            moving,
           const ChannelParameters &      channel,
           LinearMetricImages &           images,
           LinearRegistrationParameters & parameters)
{
  ChannelImages & added = images.furtherChannels.emplace_back();
  added.fixedGeometry = fixed.geometry;
  added.fixedImage = ConstView(fixed.values);
  added.movingGeometry = moving.geometry;
  added.movingImage = ConstView(moving.values);
  parameters.furtherChannels.push_back(channel);
}

void
ExpectSameBits(const LinearRegistrationResult & a, const LinearRegistrationResult & b)
{
  EXPECT_TRUE(HasSameBits(a.transform, b.transform));
  EXPECT_TRUE(HasSameBits(a.start, b.start));
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.overlap, b.overlap);
  EXPECT_EQ(a.quality, b.quality);
  EXPECT_EQ(a.numberOfEvaluations, b.numberOfEvaluations);
  ASSERT_EQ(a.iterations.size(), b.iterations.size());
  for (std::size_t i = 0; i < a.iterations.size(); ++i)
  {
    EXPECT_EQ(a.iterations[i].value, b.iterations[i].value);
    EXPECT_EQ(a.iterations[i].step, b.iterations[i].step);
  }
}

class LinearChannels : public DeviceTest
{
protected:
  LinearRegistrationResult
  Run(const LinearRegistrationParameters & parameters,
      const LinearMetricImages &           images,
      const AffineMap &                    initial = AffineMap())
  {
    return RegisterLinearly(this->GetContext(), parameters, images, initial);
  }

  void
  ExpectRefused(const LinearRegistrationParameters & parameters,
                const LinearMetricImages &           images,
                const std::string &                  name,
                const std::string &                  value)
  {
    ExpectInvalidParameter([&] { this->Run(parameters, images); }, name, value);
  }

  /** Resampled by the public function, with the value NaN beyond the grid. */
  PlacedImage
  Resampled(const PlacedImage & image, const AffineMap & transform, const Geometry & grid)
  {
    PlacedImage resampled{ grid, std::vector<float>(static_cast<std::size_t>(grid.grid.NumberOfVoxels())) };
    WarpImage(this->GetContext(),
              { Interpolation::Linear, notANumber },
              image.geometry,
              ConstView(image.values),
              {},
              grid,
              transform,
              {},
              View(resampled.values));
    return resampled;
  }
};

} // namespace

TEST_P(LinearChannels, OfWeightZeroHaveNoEffect)
{
  const AffineMap              known = KnownMap(LinearTransformType::Rigid, 3, 8.0);
  const PlacedImage            fixed = FixedHead(FixedGeometry(3));
  const PlacedImage            moving = MovingHead(MovingGeometry(3), known);
  LinearRegistrationParameters parameters;
  parameters.transformType = LinearTransformType::Rigid;
  parameters.channelWeight = 0.7;
  LinearMetricImages images = Images(fixed, moving);
  const auto         alone = this->Run(parameters, images);
  // Of other heads on other grids.
  const PlacedImage other = FixedHead(MovingGeometry(3));
  AddChannel(other, fixed, ChannelParameters{ 0.0, RegistrationMetric::LocalCorrelation }, images, parameters);
  const auto both = this->Run(parameters, images);
  ExpectSameBits(alone, both);
  EXPECT_EQ(alone.channelValues, std::vector<double>{ alone.value });
  EXPECT_EQ(both.channelValues, (std::vector<double>{ both.value, 0.0 }));
}

TEST_P(LinearChannels, GivenTwiceAtHalfWeightFindTheSameMap)
{
  for (const int dimension : { 2, 3 })
  {
    const AffineMap              known = KnownMap(LinearTransformType::Affine, dimension, 8.0);
    const PlacedImage            fixed = FixedHead(FixedGeometry(dimension));
    const PlacedImage            moving = MovingHead(MovingGeometry(dimension), known);
    LinearRegistrationParameters parameters;
    LinearMetricImages           images = Images(fixed, moving);
    const auto                   alone = this->Run(parameters, images);
    EXPECT_LT(MeanDistance(alone.transform, known, dimension), 0.2);
    parameters.channelWeight = 0.5;
    AddChannel(fixed, moving, { 0.5, RegistrationMetric::MutualInformation }, images, parameters);
    const auto twice = this->Run(parameters, images);
    // A hundredth of a voxel of 2 mm.
    EXPECT_LT(MeanDistance(alone.transform, twice.transform, dimension), 0.02);
    EXPECT_NEAR(twice.value, alone.value, 1e-6);
    EXPECT_EQ(twice.channelValues[0], twice.channelValues[1]);
  }
}

TEST_P(LinearChannels, PermutedFindTheSameMap)
{
  const AffineMap   known = KnownMap(LinearTransformType::Rigid, 3, 6.0);
  const PlacedImage fixed = FixedHead(FixedGeometry(3));
  const PlacedImage moving = MovingHead(MovingGeometry(3), known);
  const PlacedImage otherFixed = WithOtherContrast(fixed);
  struct Pair
  {
    const PlacedImage & fixed;
    ChannelParameters   channel;
  };
  const Pair pairs[3] = { { fixed, { 0.4, RegistrationMetric::LocalCorrelation, 2 } },
                          { otherFixed, { 1.1, RegistrationMetric::MutualInformation } },
                          { fixed, { 0.7, RegistrationMetric::MutualInformation, 3, 20 } } };
  const auto runInOrder = [&](const std::array<int, 3> & order) {
    LinearRegistrationParameters parameters = PlainParameters();
    const Pair &                 first = pairs[order[0]];
    LinearMetricImages           images = Images(first.fixed, moving);
    parameters.channelWeight = first.channel.weight;
    parameters.metric.metric = first.channel.metric;
    parameters.metric.correlationRadius = first.channel.correlationRadius;
    parameters.metric.numberOfHistogramBins = first.channel.numberOfHistogramBins;
    AddChannel(pairs[order[1]].fixed, moving, pairs[order[1]].channel, images, parameters);
    AddChannel(pairs[order[2]].fixed, moving, pairs[order[2]].channel, images, parameters);
    return this->Run(parameters, images);
  };
  const auto result = runInOrder({ 0, 1, 2 });
  EXPECT_LT(MeanDistance(result.transform, known, 3), 0.2);
  EXPECT_NEAR(result.value,
              (0.4 * result.channelValues[0] + 1.1 * result.channelValues[1] + 0.7 * result.channelValues[2]) / 2.2,
              1e-12); // of rounding
  for (const auto & order : { std::array<int, 3>{ 2, 1, 0 }, std::array<int, 3>{ 1, 2, 0 } })
  {
    const auto permuted = runInOrder(order);
    EXPECT_TRUE(HasSameBits(result.transform, permuted.transform));
    EXPECT_EQ(result.value, permuted.value);
    for (std::size_t c = 0; c < 3; ++c)
    {
      EXPECT_EQ(permuted.channelValues[c], result.channelValues[order[c]]);
    }
  }
}

TEST_P(LinearChannels, MayHaveGridsOfTheirOwn)
{
  for (const int dimension : { 2, 3 })
  {
    const AffineMap   known = KnownMap(LinearTransformType::Rigid, dimension, 8.0);
    const PlacedImage fixed = FixedHead(FixedGeometry(dimension));
    const PlacedImage moving = MovingHead(MovingGeometry(dimension), known);
    // The same heads at another place, on finer grids whose axes are turned.
    const AffineMap   ofFixed = KnownMap(LinearTransformType::Rigid, dimension, 25.0);
    const AffineMap   ofMoving = Inverse(KnownMap(LinearTransformType::Rigid, dimension, 14.0));
    const Geometry    fine = TurnedGeometry(dimension, { 1.7, 1.6, 1.8 }, 130.0, -0.3);
    const PlacedImage otherFixed = WithOtherContrast(MovingHead(fine, ofFixed));
    const PlacedImage otherMoving = WithOtherContrast(MovingHead(fine, Compose(ofMoving, known)));

    LinearRegistrationParameters parameters = PlainParameters();
    parameters.channelWeight = 0.0; // what is found is found by the channel
    LinearMetricImages images = Images(fixed, moving);
    AddChannel(otherFixed, otherMoving, { 1.0, RegistrationMetric::MeanSquares }, images, parameters);
    LinearMetricImages resampledImages = images;
    images.furtherChannels.front().fixedTransform = ofFixed;
    images.furtherChannels.front().movingTransform = ofMoving;
    const auto result = this->Run(parameters, images);
    // Interpolated twice, voxels of 2 mm.
    EXPECT_LT(MeanDistance(result.transform, known, dimension), 0.2);

    const PlacedImage fixedOnGrid = this->Resampled(otherFixed, ofFixed, fixed.geometry);
    const PlacedImage movingOnGrid = this->Resampled(otherMoving, ofMoving, moving.geometry);
    ChannelImages &   onGrid = resampledImages.furtherChannels.front();
    onGrid.fixedGeometry = fixed.geometry;
    onGrid.fixedImage = ConstView(fixedOnGrid.values);
    onGrid.movingGeometry = moving.geometry;
    onGrid.movingImage = ConstView(movingOnGrid.values);
    ExpectSameBits(result, this->Run(parameters, resampledImages));
  }
}

TEST_P(LinearChannels, MayBeSlicesOfOtherGridsInTheirPlane)
{
  // A plane of space, turned about two axes, and slices of it with axes of their own.
  const AffineMap toSpace = { Compose(Rotation(3, 50.0), Rotation(2, 20.0)).matrix, { 3.0, -4.0, 12.0 } };
  const auto      inSpace = [&](PlacedImage image) {
    const AffineMap moved = Compose(toSpace, { image.geometry.direction, image.geometry.origin });
    image.geometry.direction = moved.matrix;
    image.geometry.origin = moved.offset;
    image.geometry.grid.spacing[2] = 2.0;
    return image;
  };
  const AffineMap              known = KnownMap(LinearTransformType::Rigid, 2, 8.0);
  const PlacedImage            fixed = inSpace(FixedHead(FixedGeometry(2)));
  const PlacedImage            moving = inSpace(MovingHead(MovingGeometry(2), known));
  const Geometry               fine = TurnedGeometry(2, { 1.7, 1.6, 1.0 }, 130.0, -0.3);
  const PlacedImage            otherFixed = inSpace(FixedHead(fine));
  const PlacedImage            otherMoving = inSpace(MovingHead(fine, known));
  LinearRegistrationParameters parameters = PlainParameters();
  parameters.channelWeight = 0.0;
  LinearMetricImages images = Images(fixed, moving);
  AddChannel(otherFixed, otherMoving, { 1.0, RegistrationMetric::MeanSquares }, images, parameters);
  const AffineMap found = this->Run(parameters, images).transform;
  EXPECT_LT(MeanDistance(Compose(Inverse(toSpace), Compose(found, toSpace)), known, 2), 0.2);

  // A channel beside the plane is refused.
  images.furtherChannels.front().fixedTransform.offset = { 5.0, 5.0, 5.0 };
  EXPECT_THROW(this->Run(parameters, images), InvalidParameterError);
}

TEST_P(LinearChannels, MasksHoldForTheirChannelAlone)
{
  const AffineMap              known = KnownMap(LinearTransformType::Rigid, 3, 8.0);
  const PlacedImage            fixed = FixedHead(FixedGeometry(3));
  const PlacedImage            moving = MovingHead(MovingGeometry(3), known);
  const Geometry               ofChannel = TurnedGeometry(3, { 2.3, 1.8, 2.0 }, 100.0, 0.1);
  std::vector<unsigned char>   mask;
  std::vector<PlacedImage>     spoiled;
  LinearRegistrationParameters parameters = PlainParameters();
  for (const float outside : { 500.0f, 3000.0f })
  {
    spoiled.push_back(FixedHead(ofChannel));
    mask.assign(spoiled.back().values.size(), 1);
    const auto & size = ofChannel.grid.size;
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
      const auto x = static_cast<std::int64_t>(i) % size[0];
      if (x > 2 * size[0] / 3)
      {
        mask[i] = 0;
        spoiled.back().values[i] = i % 5 == 0 ? std::numeric_limits<float>::infinity() : outside;
      }
    }
  }
  LinearMetricImages images = Images(fixed, moving);
  AddChannel(spoiled[0], moving, { 3.0, RegistrationMetric::MutualInformation }, images, parameters);
  const auto withoutMask = this->Run(parameters, images);
  images.furtherChannels.front().fixedMask = ConstView(mask);
  const auto withMask = this->Run(parameters, images);
  EXPECT_LT(MeanDistance(withMask.transform, known, 3), 0.2);
  EXPECT_LT(withMask.channelValues[1], withoutMask.channelValues[1] - 0.05);
  images.furtherChannels.front().fixedImage = ConstView(spoiled[1].values);
  const auto otherOutside = this->Run(parameters, images);
  ExpectSameBits(withMask, otherOutside);
  // The first channel has all of its voxels: its metric is that of a run without the other one.
  parameters.furtherChannels.clear();
  images.furtherChannels.clear();
  parameters.start = LinearStart::InitialTransform;
  parameters.levels = { { { 1, 1, 1 }, 0 } };
  EXPECT_EQ(this->Run(parameters, images, withMask.transform).value, withMask.channelValues[0]);
}

TEST_P(LinearChannels, TellWhatTheFirstOneCannot)
{
  for (const int dimension : { 2, 3 })
  {
    const AffineMap known = KnownMap(LinearTransformType::Rigid, dimension, 20.0);
    const AffineMap back = Inverse(known);
    const auto      rings = [](const Point & p) {
      const double radius = std::hypot(p[0], p[1], p[2]);
      return (60.0 + 25.0 * std::sin(0.5 * radius)) * SoftEllipsoid(p, {}, { 25.0, 25.0, 25.0 });
    };
    const PlacedImage fixed = Sample(FixedGeometry(dimension), rings);
    const PlacedImage moving =
      Sample(MovingGeometry(dimension), [&](const Point & p) { return rings(Mapped(back, p)); });
    const PlacedImage            otherFixed = FixedHead(FixedGeometry(dimension));
    const PlacedImage            otherMoving = MovingHead(MovingGeometry(dimension), known);
    LinearRegistrationParameters parameters;
    parameters.transformType = LinearTransformType::Rigid;
    LinearMetricImages images = Images(fixed, moving);
    // The rotation remains unknown, which at the corners is about 10 mm.
    EXPECT_GT(MeanDistance(this->Run(parameters, images).transform, known, dimension), 3.0);
    AddChannel(otherFixed, otherMoving, { 1.0, RegistrationMetric::MutualInformation }, images, parameters);
    EXPECT_LT(MeanDistance(this->Run(parameters, images).transform, known, dimension), 0.2);
  }
}

TEST_P(LinearChannels, AreRefusedWithTheValue)
{
  const PlacedImage                  fixed = FixedHead(FixedGeometry(3));
  const PlacedImage                  moving = MovingHead(MovingGeometry(3), AffineMap());
  const PlacedImage                  slice = FixedHead(FixedGeometry(2));
  const LinearRegistrationParameters plain = PlainParameters();
  const LinearMetricImages           onePair = Images(fixed, moving);
  LinearRegistrationParameters       parameters = plain;
  LinearMetricImages                 images = onePair;
  AddChannel(fixed, moving, { 1.0, RegistrationMetric::MeanSquares }, images, parameters);

  this->ExpectRefused(plain, images, "the number of channels with images", "2; it must be that of channels with");
  this->ExpectRefused(parameters, onePair, "the number of channels with images", "1; it must be that of channels with");
  const auto refuses = [&](const auto & change, const std::string & name, const std::string & value) {
    LinearRegistrationParameters changedParameters = parameters;
    LinearMetricImages           changedImages = images;
    change(changedParameters, changedImages.furtherChannels.front());
    this->ExpectRefused(changedParameters, changedImages, name, value);
  };
  refuses([](auto & p, auto &) { p.furtherChannels.resize(8); }, "the number of channels", "9");
  refuses([](auto & p, auto &) { p.channelWeight = -1.0; }, "ChannelWeight", "-1");
  refuses([](auto & p, auto &) { p.furtherChannels[0].weight = -0.5; }, "channel 1: Weight", "-0.5");
  refuses([](auto & p, auto &) { p.furtherChannels[0].weight = notANumber; }, "channel 1: Weight", "nan");
  refuses([](auto & p, auto &) { p.channelWeight = p.furtherChannels[0].weight = 0.0; }, "ChannelWeight", "0");
  refuses(
    [](auto & p, auto &) {
      p.furtherChannels[0] = { 1.0, RegistrationMetric::LocalCorrelation, 9 };
    },
    "channel 1: CorrelationRadius",
    "9");
  refuses([](auto & p, auto &) { p.furtherChannels[0].matchIntensities = true; }, "channel 1: MatchIntensities", "on");
  refuses([](auto &, auto & c) { c.fixedImage = {}; }, "channel 1: fixedImage", "absent");
  refuses([](auto &, auto & c) { c.movingGeometry.grid.size[0] = 0; }, "channel 1: size[0]", "0");
  refuses(
    [&](auto &, auto & c) {
      c.fixedGeometry = slice.geometry;
      c.fixedImage = ConstView(slice.values);
    },
    "channel 1: the size of an image",
    "42 x 41 x 1");
  const auto says = [&](const auto & change, const std::string & message) {
    LinearMetricImages changed = images;
    change(changed.furtherChannels.front());
    ::ExpectRefused([&] { this->Run(parameters, changed); }, message);
  };
  says([](auto & c) { c.fixedTransform.matrix = {}; }, "channel 1: the fixed transform has no inverse");
  says([](auto & c) { c.movingTransform.offset[1] = notANumber; }, "channel 1: the moving transform has an element");
  const std::vector<float> constant(moving.values.size(), 3.0f);
  says([&](auto & c) { c.movingImage = ConstView(constant); }, "channel 1: ");
  EXPECT_THROW(LinearMetric(this->GetContext(), parameters.metric, images), InvalidParameterError);
}

TEST(LinearChannelDevices, CpuAndGpuFindTheSameMapOnGpu)
{
  if (GetNumberOfCudaDevices() == 0)
  {
    GTEST_SKIP() << "no CUDA device: " << GetReasonForNoCudaDevice();
  }
  const AffineMap              known = KnownMap(LinearTransformType::Affine, 3, 10.0);
  const PlacedImage            fixed = FixedHead(FixedGeometry(3));
  const PlacedImage            moving = MovingHead(MovingGeometry(3), known);
  const PlacedImage            other = WithOtherContrast(FixedHead(TurnedGeometry(3, { 1.8, 1.9, 2.3 }, 90.0, 0.3)));
  LinearRegistrationParameters parameters;
  LinearMetricImages           images = Images(fixed, moving);
  AddChannel(other, moving, { 0.8, RegistrationMetric::MutualInformation }, images, parameters);
  AddChannel(fixed, moving, { 0.3, RegistrationMetric::LocalCorrelation }, images, parameters);
  Context    cpu{ Device() };
  Context    gpu{ Device{ 0 } };
  const auto onCpu = RegisterLinearly(cpu, parameters, images);
  const auto onGpu = RegisterLinearly(gpu, parameters, images);
  // Rounding of float leads to other ends of the last descent; 0.05 voxels.
  EXPECT_LT(MeanDistance(onCpu.transform, onGpu.transform, 3), 0.1);
  EXPECT_LT(MeanDistance(onGpu.transform, known, 3), 0.2);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearChannels);
