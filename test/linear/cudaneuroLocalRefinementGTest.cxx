// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/HeadPhantom.h"

#include "jobs/DeviceJob.h"
#include "linear/LinearRefinement.h"
#include "linear/LocalLevel.h"

/** The refinement of linear maps by local correlation, after the last level. */
namespace
{

using namespace headphantom;

AffineMap
KnownSimilarity()
{
  AffineMap known = Rotation(3, 4.0);
  for (double & entry : known.matrix)
  {
    entry *= 1.03;
  }
  known.offset = { 2.0, -1.5, 0.8 };
  return known;
}

class LocalRefinement : public DeviceTest
{
protected:
  /** The map after the local refinement alone, or after as many iterations of mutual information at the same voxels. */
  AffineMap
  Refine(const PlacedImage & fixed, const PlacedImage & moving, const AffineMap & start, bool isLocal)
  {
    LinearRegistrationParameters     parameters;
    LinearRegistrationResult         result;
    const LinearRegistrationObserver observer;
    RunDeviceJob(this->GetContext(), [&] {
      const LinearImages           images(this->GetContext(), Images(fixed, moving), false);
      LinearRun                    run(this->GetContext(), parameters, images, start, observer, result);
      std::vector<LinearCandidate> candidates(1);
      candidates.front().map = start;
      parameters.metric.countUncovered = false;
      const std::optional<LinearLevel> level =
        isLocal
          ? MakeLocalLevel(run)
          : MakeLinearLevel(this->GetContext(), { parameters.metric }, images, { 1, 1, 1 }, VoxelWeighting::Depth);
      ASSERT_TRUE(level);
      EXPECT_NEAR(level->voxel, 1.0, 1e-6);
      LinearStage stage;
      stage.looksAround = false;
      RefineCandidates(run, *level, stage, candidates);
      result.transform = candidates.front().map;
    });
    return result.transform;
  }

  LinearRegistrationResult
  Register(const PlacedImage & fixed, const PlacedImage & moving, const LinearRegistrationParameters & ofTest)
  {
    LinearRegistrationParameters parameters = ofTest;
    parameters.transformType = LinearTransformType::Similarity;
    parameters.start = LinearStart::InitialTransform;
    parameters.searchAngle = 0.0;
    parameters.searchDistance = 0.0;
    return RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
  }
};

/** The upper part of the head, cut off at all sides but the upper one, where air is. */
Geometry
Crown(std::int64_t voxels)
{
  return GridAround({ voxels, voxels, voxels }, { 1.0, 1.0, 1.0 }, {}, { 0.0, 0.0, 28.0 });
}

/** A slab through the head. */
Geometry
Slab(double spacing, std::int64_t slices)
{
  const auto voxels = [&](double length) { return static_cast<std::int64_t>(length / spacing); };
  return GridAround({ voxels(136.0), voxels(166.0), slices }, { spacing, spacing, spacing }, {}, { 0.0, 0.0, 4.0 });
}

/** The head with folds of some mm in it. */
double
FoldedHead(const Point & p)
{
  const double folds =
    std::sin(0.45 * p[0] + 0.2 * p[1]) + std::sin(0.4 * p[1] - 0.25 * p[2]) + std::sin(0.5 * p[2] + 0.15 * p[0] + 1.0);
  return WholeHead(p) + 12.0 * folds * SoftEllipsoid(p, {}, { 50.0, 65.0, 45.0 });
}

/** The same with the shading of a coil at one side of it. */
double
ShadedHead(const Point & p)
{
  return FoldedHead(p) * (1.0 + 0.6 * std::tanh(p[0] / 30.0) + 0.3 * std::tanh(p[1] / 40.0));
}

TEST_P(LocalRefinement, FollowsStructuresWhereShadingMisleadsMutualInformation)
{
  const AffineMap   known = KnownSimilarity();
  const PlacedImage fixed = NoisyImage(Crown(56), {}, 3.0, 1, FoldedHead);
  const PlacedImage moving = NoisyImage(Crown(72), known, 3.0, 2, ShadedHead);
  AffineMap         start = Compose(known, Rotation(3, 1.0));
  start.offset[0] += 0.8;
  start.offset[1] -= 0.6;
  const double before = LargestError(fixed.geometry, start, known);
  ASSERT_GT(before, 1.0);
  const double after = LargestError(fixed.geometry, this->Refine(fixed, moving, start, true), known);
  const double byInformation = LargestError(fixed.geometry, this->Refine(fixed, moving, start, false), known);
  // At the corners, where nothing counts.
  EXPECT_LT(after, 0.5);
  EXPECT_GT(byInformation, 2.0 * after);
}

TEST_P(LocalRefinement, LeavesAirAroundTheHeadOut)
{
  Geometry geometry = Slab(2.0, 12);
  geometry.grid.size = { 100, 120, 12 };
  const PlacedImage fixed = NoisyImage(geometry, {}, 3.0, 1, FoldedHead);
  const PlacedImage moving = NoisyImage(geometry, KnownSimilarity(), 3.0, 2, FoldedHead);
  RunDeviceJob(this->GetContext(), [&] {
    const LinearImages     images(this->GetContext(), Images(fixed, moving), false);
    LinearMetricParameters metric = LinearRegistrationParameters().metric;
    metric.metric = RegistrationMetric::LocalCorrelation;
    metric.countUncovered = false;
    const auto levelOf = [&](LevelPart part) {
      return MakeLinearLevel(this->GetContext(), { metric }, images, { 1, 1, 1 }, VoxelWeighting::Depth, part);
    };
    const LinearLevel whole = levelOf(LevelPart::Whole);
    const LinearLevel head = levelOf(LevelPart::Head);
    for (int axis = 0; axis < 2; ++axis)
    {
      EXPECT_LT(head.images.fixedGeometry.grid.size[axis], 0.85 * geometry.grid.size[axis]);
      EXPECT_LT(head.images.movingGeometry.grid.size[axis], 0.85 * geometry.grid.size[axis]);
    }
    EXPECT_EQ(head.images.fixedGeometry.grid.size[2], 12);
    std::vector<LinearTrial> ofWhole(1);
    ofWhole.front().map = KnownSimilarity();
    std::vector<LinearTrial> ofHead = ofWhole;
    whole.metric->Evaluate(ofWhole, true);
    head.metric->Evaluate(ofHead, true);
    // The floor of variances is a thousandth of the image's variance, which is less without air.
    EXPECT_NEAR(ofHead.front().value, ofWhole.front().value, 3e-3);
    EXPECT_NEAR(ofHead.front().coverage, ofWhole.front().coverage, 1e-6);
  });
}

TEST_P(LocalRefinement, ComparesAllChannels)
{
  const PlacedImage            fixed = NoisyHead(Slab(1.0, 10), {}, 3.0, 1);
  const PlacedImage            moving = NoisyHead(Slab(1.0, 10), KnownSimilarity(), 3.0, 2);
  PlacedImage                  inverted = moving;
  LinearRegistrationParameters parameters;
  LinearMetricImages           whole = Images(fixed, moving);
  for (float & value : inverted.values)
  {
    value = 200.0f - value;
  }
  parameters.furtherChannels.resize(2); // MeanSquares on the levels
  whole.furtherChannels.resize(2);
  for (ChannelImages & channel : whole.furtherChannels)
  {
    channel.fixedImage = whole.fixedImage;
    channel.movingImage = whole.movingImage;
  }
  whole.furtherChannels.back().movingImage = ConstView(inverted.values);
  RunDeviceJob(this->GetContext(), [&] {
    const LinearImages               images(this->GetContext(), whole, false, { 0.25, 0.25, 0.5 });
    LinearRegistrationResult         result;
    const LinearRegistrationObserver observer;
    const LinearRun                  run(this->GetContext(), parameters, images, {}, observer, result);
    const std::optional<LinearLevel> level = MakeLocalLevel(run);
    ASSERT_TRUE(level);
    std::vector<LinearTrial> trials(1);
    trials.front().map = KnownSimilarity();
    level->metric->Evaluate(trials, true);
    const ChannelValues & values = trials.front().channelValues;
    EXPECT_LT(values[0], 0.95); // of noise alone almost 1
    EXPECT_EQ(values[1], values[0]);
    // A squared correlation does not see the sign; means of squares of such images would differ by more than 1. The
    // background that goes on beyond the grid is dark in one of them alone.
    EXPECT_NEAR(values[2], values[0], 0.02);
    EXPECT_DOUBLE_EQ(trials.front().value, 0.5 * values[0] + 0.5 * values[2]);
  });
}

/** The last level that had an iteration. */
int
LastLevel(const LinearRegistrationResult & result)
{
  return result.iterations.empty() ? -1 : result.iterations.back().level;
}

TEST_P(LocalRefinement, IsForSmallVoxelsAndWeightsOfDepthAlone)
{
  LinearRegistrationParameters parameters;
  parameters.levels.resize(2);
  parameters.levels[0] = { { 4, 4, 2 }, 5 };
  parameters.levels[1] = { { 1, 1, 1 }, 3 };
  const PlacedImage coarse = NoisyHead(Slab(3.0, 12), {}, 3.0, 1);
  EXPECT_EQ(LastLevel(this->Register(coarse, NoisyHead(Slab(3.0, 12), KnownSimilarity(), 3.0, 2), parameters)), 1);

  const PlacedImage fixed = NoisyHead(Slab(1.0, 10), {}, 3.0, 1);
  const PlacedImage moving = NoisyHead(Slab(1.0, 10), KnownSimilarity(), 3.0, 2);
  const auto        refined = this->Register(fixed, moving, parameters);
  EXPECT_EQ(LastLevel(refined), 2);
  parameters.useLocalRefinement = false;
  const auto plain = this->Register(fixed, moving, parameters);
  EXPECT_EQ(LastLevel(plain), 1);
  // The value stays that of the metric of the levels.
  EXPECT_NEAR(refined.value, plain.value, 0.1 * std::abs(plain.value));
  parameters.useLocalRefinement = true;
  parameters.voxelWeighting = VoxelWeighting::NearHead;
  EXPECT_EQ(LastLevel(this->Register(fixed, moving, parameters)), 1);
  parameters.voxelWeighting = VoxelWeighting::Depth;
  parameters.metric.metric = RegistrationMetric::LocalCorrelation;
  EXPECT_EQ(LastLevel(this->Register(fixed, moving, parameters)), 1);
}

CUDANEURO_TEST_ON_ALL_DEVICES(LocalRefinement);

} // namespace
