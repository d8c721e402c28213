// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "RegistrationRuns.h"
#include "cudaneuro/Error.h"

#include <cmath>

/** Registrations by maps of labels, with images and without. */
namespace
{

using namespace cudaneuro;
using namespace registrationruns;

constexpr double pi = 3.141592653589793;
constexpr int    side = 32;

/** Two heads of nested shells and a ball, 5 labels. */
struct Heads
{
  Geometry                    geometry;
  std::vector<unsigned short> fixed;
  std::vector<unsigned short> moving;
};

unsigned short
LabelAt(const Vector & p)
{
  const double radius = std::hypot(p[0] - 0.5, p[1] - 0.5, p[2] - 0.5);
  if (std::hypot(p[0] - 0.62, p[1] - 0.5, p[2] - 0.45) < 0.09)
  {
    return 40;
  }
  return static_cast<unsigned short>(radius < 0.2 ? 7 : (radius < 0.3 ? 3 : (radius < 0.4 ? 11 : 0)));
}

Heads
MakeHeads()
{
  Heads heads;
  heads.geometry.grid = testvolumes::MakeGrid({ side, side, side });
  ForEachVoxel(std::array<int, 3>{ side, side, side }, [&](int x, int y, int z) {
    const Vector p{ (x + 0.5) / side, (y + 0.5) / side, (z + 0.5) / side };
    const double window = 0.08 * std::sin(pi * p[0]) * std::sin(pi * p[1]) * std::sin(pi * p[2]);
    heads.moving.push_back(LabelAt(p));
    heads.fixed.push_back(LabelAt({ p[0] + window, p[1] - window, p[2] + 0.5 * window }));
  });
  return heads;
}

RegistrationImages
OnlyLabels(const Heads & heads)
{
  RegistrationImages images;
  images.fixedGeometry = heads.geometry;
  images.movingGeometry = heads.geometry;
  images.labels.fixedGeometry = heads.geometry;
  images.labels.movingGeometry = heads.geometry;
  images.labels.fixed = { heads.fixed.data(), PixelType::UnsignedShort, MemorySpace::Host };
  images.labels.moving = { heads.moving.data(), PixelType::UnsignedShort, MemorySpace::Host };
  return images;
}

/** Dice's overlap of a label, where the moving labels are seen through a displacement in voxels, from the nearest
 * voxel. */
double
OverlapOf(const Heads & heads, const std::vector<float> & displacement, unsigned short label)
{
  double both = 0.0;
  double sum = 0.0;
  ForEachVoxel(std::array<int, 3>{ side, side, side }, [&](int x, int y, int z) {
    const std::size_t i = static_cast<std::size_t>((z * side + y) * side + x);
    const auto        nearest = [&](int at, std::size_t axis) {
      const long moved = std::lround(at + static_cast<double>(displacement[3 * i + axis]));
      return static_cast<std::size_t>(std::clamp<long>(moved, 0, side - 1));
    };
    const std::size_t j = (nearest(z, 2) * side + nearest(y, 1)) * side + nearest(x, 0);
    const bool        isFixed = heads.fixed[i] == label;
    const bool        isMoving = heads.moving[j] == label;
    both += isFixed && isMoving ? 2.0 : 0.0;
    sum += (isFixed ? 1.0 : 0.0) + (isMoving ? 1.0 : 0.0);
  });
  return both / sum;
}

std::vector<RegistrationParameters>
Methods()
{
  std::vector<RegistrationParameters> methods = MethodsWithLevels({ { { 2, 2, 2 }, 40 }, { { 1, 1, 1 }, 40 } });
  for (RegistrationParameters & method : methods)
  {
    method.unbiasedWeight *= 0.1;
  }
  return methods;
}

class RegistrationLabels : public DeviceTest
{};

TEST_P(RegistrationLabels, AloneComeToOverlap)
{
  const Heads              heads = MakeHeads();
  const std::vector<float> still(3 * heads.fixed.size(), 0.0f);
  for (const RegistrationParameters & method : Methods())
  {
    const TermOutcome outcome = RunTerms(this->GetContext(), method, OnlyLabels(heads));
    for (const unsigned short label : { 3, 7, 11, 40 })
    {
      EXPECT_LT(OverlapOf(heads, still, label), 0.85);
      // The small ball has a radius of 3 voxels: half of its voxels are at its surface.
      EXPECT_GT(OverlapOf(heads, outcome.displacement, label), 0.9)
        << label << ", symmetric " << method.isSymmetric << ", " << method.velocityMethod;
    }
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    EXPECT_LT(outcome.result.final.labelEnergy, 0.3 * outcome.result.iterations.front().labelEnergy);
    EXPECT_EQ(outcome.result.final.imageEnergy, 0.0);
  }
}

/** A label of weight 0 pulls nothing along that others do not. */
TEST_P(RegistrationLabels, HaveAWeightEach)
{
  const Heads        heads = MakeHeads();
  RegistrationImages images = OnlyLabels(heads);
  images.labels.weights.assign(41, 0.0);
  images.labels.weights[40] = 1.0;
  for (const RegistrationParameters & method : Methods())
  {
    const TermOutcome ofAll = RunTerms(this->GetContext(), method, OnlyLabels(heads));
    const TermOutcome ofOne = RunTerms(this->GetContext(), method, images);
    EXPECT_GT(OverlapOf(heads, ofOne.displacement, 40), 0.93);
    EXPECT_LT(OverlapOf(heads, ofOne.displacement, 11), OverlapOf(heads, ofAll.displacement, 11) - 0.03);
  }
}

TEST_P(RegistrationLabels, OfWeight0LeaveTheBits)
{
  const Heads        heads = MakeHeads();
  std::vector<float> fixed;
  std::vector<float> moving;
  for (std::size_t i = 0; i < heads.fixed.size(); ++i)
  {
    fixed.push_back(static_cast<float>(heads.fixed[i] + testvolumes::NormalNoise(1, i)));
    moving.push_back(static_cast<float>(heads.moving[i] + testvolumes::NormalNoise(2, i)));
  }
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 1, 1, 1 }, 10 } };
    RegistrationImages images = OnlyLabels(heads);
    images.fixedImage = ConstView(fixed);
    images.movingImage = ConstView(moving);
    method.labelWeight = 0.0;
    const TermOutcome withLabels = RunTerms(this->GetContext(), method, images);
    images.labels = {};
    EXPECT_EQ(withLabels.displacement, RunTerms(this->GetContext(), method, images).displacement);
  }
}

/** Labels on a grid of their own, behind a transform, are the labels on the first channel's grid. */
TEST_P(RegistrationLabels, HaveGridsAndTransformsOfTheirOwn)
{
  const Heads heads = MakeHeads();
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 2, 2, 2 }, 10 }, { { 1, 1, 1 }, 6 } };
    const TermOutcome  plain = RunTerms(this->GetContext(), method, OnlyLabels(heads));
    RegistrationImages images = OnlyLabels(heads);
    images.labels.fixedGeometry.origin = { 5.0, -3.0, 2.0 };
    images.labels.fixedTransform.offset = { 5.0, -3.0, 2.0 };
    images.labels.movingGeometry.origin = { -40.0, 7.0, 1.0 };
    images.labels.movingTransform.offset = { -40.0, 7.0, 1.0 };
    EXPECT_EQ(plain.displacement, RunTerms(this->GetContext(), method, images).displacement);
  }
}

TEST_P(RegistrationLabels, AgreeWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  const Heads heads = MakeHeads();
  Context     cpu{ Device{} };
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 2, 2, 2 }, 10 }, { { 1, 1, 1 }, 10 } };
    const TermOutcome onGpu = RunTerms(this->GetContext(), method, OnlyLabels(heads));
    const TermOutcome onCpu = RunTerms(cpu, method, OnlyLabels(heads));
    // Iterations of float32 that differ in rounding.
    EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.05);
    EXPECT_NEAR(onGpu.result.final.labelEnergy, onCpu.result.final.labelEnergy, 1e-4);
  }
}

TEST_P(RegistrationLabels, AreRefusedWithTheValue)
{
  const Heads heads = MakeHeads();
  const auto  messageOf = [&](const auto & change) {
    RegistrationImages images = OnlyLabels(heads);
    change(images.labels);
    return RefusalOf([&] { RunTerms(this->GetContext(), UnbiasedRegistrationParameters(), images); });
  };
  EXPECT_FALSE(messageOf([](LabelPair & labels) { labels.moving.data = nullptr; }).empty());
  EXPECT_FALSE(messageOf([](LabelPair & labels) { labels.fixed.type = PixelType::Float; }).empty());
  EXPECT_FALSE(messageOf([](LabelPair & labels) { labels.weights = { 0.0, -1.0 }; }).empty());
  EXPECT_FALSE(messageOf([](LabelPair & labels) { labels.weights = { 0.0, 0.0 }; }).empty());
  EXPECT_FALSE(messageOf([](LabelPair & labels) { labels.fixedGeometry.grid.size[2] = 1; }).empty());
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationLabels);

} // namespace
