// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/StructuralSimilarity.h"

#include "DenoisingProperties.h"
#include "UploadedVolumes.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace
{

using namespace testvolumes;

// Documented error of the map, which lies in [-1, 1]. Variances are small differences of large averages, and C2 is
// 9e-4 of the squared data range.
constexpr double mapTolerance = 1e-5;
// Error of the mean: rounding errors of the map's voxels have random signs.
constexpr double meanTolerance = 1e-6;

cudaneuro::StructuralSimilarityParameters
MakeParameters()
{
  cudaneuro::StructuralSimilarityParameters parameters;
  parameters.dataRange = properties::dataRange;
  return parameters;
}

/** The similarity to another noisy copy of the phantom, as a filter. */
properties::Filter
MapFilter()
{
  return [](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    const std::vector<float> other = NoisyPhantom(grid, 60.0, 5);
    cudaneuro::StructuralSimilarity(context, MakeParameters(), grid, input, ConstView(other), mask, output);
  };
}

struct Pair
{
  cudaneuro::Grid            grid;
  std::vector<float>         reference;
  std::vector<float>         image;
  std::vector<unsigned char> mask;
};

Pair
MakePair(std::array<std::int64_t, 3> size)
{
  const cudaneuro::Grid grid = MakeGrid(size, { 0.8, 1.0, 2.0 });
  return { grid, NoisyPhantom(grid, 0.0), NoisyPhantom(grid, 50.0), {} };
}

/** Compares with the reference.
 * \returns the result */
cudaneuro::StructuralSimilarityResult
ExpectReference(cudaneuro::Context &                              context,
                const Pair &                                      pair,
                const cudaneuro::StructuralSimilarityParameters & parameters = MakeParameters())
{
  std::vector<float> map(pair.reference.size());
  const auto         result = cudaneuro::StructuralSimilarity(
    context, parameters, pair.grid, ConstView(pair.reference), ConstView(pair.image), ConstView(pair.mask), View(map));
  const reference::Similarity expected = reference::StructuralSimilarity(
    parameters, ToReference(pair.grid, pair.reference, pair.mask), ToReference(pair.grid, pair.image));
  EXPECT_LE(properties::LargestDifference(map, expected.map), mapTolerance);
  if (std::isnan(expected.mean))
  {
    EXPECT_TRUE(std::isnan(result.meanStructuralSimilarity));
  }
  else
  {
    EXPECT_NEAR(result.meanStructuralSimilarity, expected.mean, meanTolerance);
  }
  EXPECT_NEAR(result.meanSquaredError, expected.meanSquaredError, 1e-6 * expected.meanSquaredError);
  return result;
}

class StructuralSimilarity : public DeviceTest
{};

TEST_P(StructuralSimilarity, MatchesReference)
{
  const std::array<std::int64_t, 3> sizes[] = { { 17, 13, 12 }, { 11, 11, 11 }, { 10, 12, 3 },
                                                { 31, 27, 1 },  { 1, 21, 13 },  { 25, 1, 1 },
                                                { 2, 3, 2 },    { 73, 19, 2 },  { 3, 2, 41 } };
  for (const std::array<std::int64_t, 3> & size : sizes)
  {
    SCOPED_TRACE(::testing::Message() << size[0] << " x " << size[1] << " x " << size[2]);
    ExpectReference(this->GetContext(), MakePair(size));
  }
}

TEST_P(StructuralSimilarity, MatchesReferenceForOtherParameters)
{
  cudaneuro::StructuralSimilarityParameters parameters;
  parameters.dataRange = 300.0;
  parameters.k1 = 0.03;
  parameters.k2 = 0.1;
  ExpectReference(this->GetContext(), MakePair({ 17, 13, 12 }), parameters);
}

TEST_P(StructuralSimilarity, MatchesReferenceOnBrightImages)
{
  // The images are far from 0 compared with their contrast, as CT images are.
  Pair pair = MakePair({ 17, 13, 12 });
  for (std::size_t i = 0; i < pair.image.size(); ++i)
  {
    pair.reference[i] = 3000.0f + 0.2f * pair.reference[i];
    pair.image[i] = 3000.0f + 0.2f * pair.image[i];
  }
  ExpectReference(this->GetContext(), pair);
}

TEST_P(StructuralSimilarity, MaskSelectsWhatIsAveraged)
{
  Pair       pair = MakePair({ 19, 17, 13 });
  const auto all = ExpectReference(this->GetContext(), pair);
  pair.mask = BallMask(pair.grid);
  const auto masked = ExpectReference(this->GetContext(), pair);
  EXPECT_NE(all.meanStructuralSimilarity, masked.meanStructuralSimilarity);

  pair.mask.assign(pair.mask.size(), 0);
  pair.mask[0] = 1; // near the border, where no window fits
  const auto border = ExpectReference(this->GetContext(), pair);
  EXPECT_TRUE(std::isnan(border.meanStructuralSimilarity));
}

TEST_P(StructuralSimilarity, NotFiniteTakesNoPart)
{
  Pair pair = MakePair({ 19, 17, 13 });
  SprinkleNotFinite(pair.reference, 23, 7);
  SprinkleNotFinite(pair.image, 31, 8);
  const auto result = ExpectReference(this->GetContext(), pair);
  EXPECT_TRUE(std::isfinite(result.meanStructuralSimilarity));
  EXPECT_TRUE(std::isfinite(result.meanSquaredError));
}

TEST_P(StructuralSimilarity, WithoutMapTheMeansAreTheSame)
{
  const Pair         pair = MakePair({ 37, 29, 23 });
  std::vector<float> map(pair.reference.size());
  const auto         compare = [&](const cudaneuro::Volume & volume) {
    return cudaneuro::StructuralSimilarity(
      this->GetContext(), MakeParameters(), pair.grid, ConstView(pair.reference), ConstView(pair.image), {}, volume);
  };
  const auto with = compare(View(map));
  const auto without = compare({});
  EXPECT_EQ(with.meanStructuralSimilarity, without.meanStructuralSimilarity);
  EXPECT_EQ(with.meanSquaredError, without.meanSquaredError);
}

TEST_P(StructuralSimilarity, SeveralImagesAreComparedAsOneByOne)
{
  // Among images in the memory of the device there is one on the host, and one of integers, which are copied.
  const cudaneuro::Grid            grid = MakeGrid({ 37, 29, 41 });
  const std::vector<float>         reference = NoisyPhantom(grid, 0.0);
  const std::vector<unsigned char> mask = BallMask(grid);
  std::vector<std::vector<float>>  images;
  for (int i = 0; i < 7; ++i)
  {
    images.push_back(NoisyPhantom(grid, 10.0 * i, i));
  }
  SprinkleNotFinite(images[2], 23, 7);
  images[5].assign(images[5].size(), std::numeric_limits<float>::quiet_NaN());
  const std::vector<short> integers(images[3].begin(), images[3].end());

  cudaneuro::Context & context = this->GetContext();
  UploadedVolumes      uploaded(context);
  const auto space = context.GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const auto onDevice = [&](const std::vector<float> & values) {
    return cudaneuro::ConstVolume{ uploaded.Upload(values), cudaneuro::PixelType::Float, space };
  };
  std::vector<cudaneuro::ConstVolume> volumes;
  for (const std::vector<float> & image : images)
  {
    volumes.push_back(onDevice(image));
  }
  volumes.insert(volumes.begin() + 2, ConstView(images[6]));
  volumes.insert(volumes.begin() + 5, ConstView(integers));
  for (const cudaneuro::ConstVolume & from : { onDevice(reference), ConstView(reference) })
  {
    for (const cudaneuro::ConstVolume & inside : { cudaneuro::ConstVolume(), ConstView(mask) })
    {
      const auto results = cudaneuro::StructuralSimilarities(context, MakeParameters(), grid, from, volumes, inside);
      ASSERT_EQ(results.size(), volumes.size());
      for (std::size_t i = 0; i < volumes.size(); ++i)
      {
        const auto expected =
          cudaneuro::StructuralSimilarity(context, MakeParameters(), grid, from, volumes[i], inside, {});
        const auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        EXPECT_TRUE(isSame(results[i].meanStructuralSimilarity, expected.meanStructuralSimilarity)) << i;
        EXPECT_TRUE(isSame(results[i].meanSquaredError, expected.meanSquaredError)) << i;
      }
    }
  }
  EXPECT_TRUE(cudaneuro::StructuralSimilarities(context, MakeParameters(), grid, ConstView(reference), {}, {}).empty());
  volumes.push_back({});
  EXPECT_THROW(cudaneuro::StructuralSimilarities(context, MakeParameters(), grid, ConstView(reference), volumes, {}),
               cudaneuro::InvalidParameterError);
}

TEST_P(StructuralSimilarity, EqualImages)
{
  const Pair pair = MakePair({ 37, 29, 23 });
  const auto result = cudaneuro::StructuralSimilarity(
    this->GetContext(), MakeParameters(), pair.grid, ConstView(pair.image), ConstView(pair.image), {}, {});
  EXPECT_NEAR(result.meanStructuralSimilarity, 1.0, meanTolerance);
  EXPECT_EQ(result.meanSquaredError, 0.0);
}

TEST_P(StructuralSimilarity, MapOfAllPixelTypes)
{
  properties::ExpectAllPixelTypes(this->GetContext(), MapFilter());
}

TEST_P(StructuralSimilarity, Repeatable)
{
  properties::ExpectRepeatable(this->GetContext(), MapFilter());

  const Pair pair = MakePair({ 141, 37, 35 });
  double     means[3];
  for (int i = 0; i < 3; ++i)
  {
    cudaneuro::Context context(this->GetParam(), 1 + i);
    means[i] = cudaneuro::StructuralSimilarity(
                 context, MakeParameters(), pair.grid, ConstView(pair.reference), ConstView(pair.image), {}, {})
                 .meanStructuralSimilarity;
  }
  EXPECT_EQ(means[0], means[1]);
  EXPECT_EQ(means[0], means[2]);
}

TEST_P(StructuralSimilarity, Concurrent)
{
  properties::ExpectConcurrent(this->GetParam(), { MapFilter() });
}

TEST_P(StructuralSimilarity, Progress)
{
  properties::ExpectProgress(this->GetContext(), MapFilter());
}

TEST_P(StructuralSimilarity, Abort)
{
  properties::ExpectAbort(this->GetContext(), MapFilter());
}

TEST_P(StructuralSimilarity, FiniteRange)
{
  const cudaneuro::Grid grid = MakeGrid({ 91, 67, 71 });
  std::vector<float>    values = NoisyPhantom(grid);
  SprinkleNotFinite(values, 50);
  values[12345] = -17.5f;
  values.back() = 4321.0f;
  const std::array<double, 2> expected{ -17.5, 4321.0 };
  EXPECT_EQ(cudaneuro::ComputeFiniteRange(this->GetContext(), grid, ConstView(values)), expected);

  const std::vector<short>    shorts{ -300, 5, 200, 7, 8, 9 };
  const std::array<double, 2> expectedOfShorts{ -300.0, 200.0 };
  EXPECT_EQ(cudaneuro::ComputeFiniteRange(this->GetContext(), MakeGrid({ 3, 2, 1 }), ConstView(shorts)),
            expectedOfShorts);

  const std::vector<float>    none(6, std::numeric_limits<float>::infinity());
  const std::array<double, 2> expectedOfNone{ 0.0, 0.0 };
  EXPECT_EQ(cudaneuro::ComputeFiniteRange(this->GetContext(), MakeGrid({ 3, 2, 1 }), ConstView(none)), expectedOfNone);
}

CUDANEURO_TEST_ON_ALL_DEVICES(StructuralSimilarity);

class StructuralSimilarityOnGpu : public DeviceTest
{};

TEST_P(StructuralSimilarityOnGpu, MatchesCpu)
{
  // Tolerances of the property are shares of the data range; the map's range is 1.
  properties::ExpectMatchesCpu(this->GetContext(), MapFilter(), mapTolerance / properties::dataRange);

  cudaneuro::Context cpu{ cudaneuro::Device{} };
  const Pair         pair = MakePair({ 61, 47, 53 });
  const auto         compare = [&](cudaneuro::Context & context) {
    return cudaneuro::StructuralSimilarity(
      context, MakeParameters(), pair.grid, ConstView(pair.reference), ConstView(pair.image), {}, {});
  };
  const auto result = compare(this->GetContext());
  const auto expected = compare(cpu);
  EXPECT_NEAR(result.meanStructuralSimilarity, expected.meanStructuralSimilarity, meanTolerance);
  EXPECT_NEAR(result.meanSquaredError, expected.meanSquaredError, 1e-6 * expected.meanSquaredError);
}

TEST_P(StructuralSimilarityOnGpu, SlabsEqualWhole)
{
  properties::ExpectSlabsEqualWhole(this->GetContext(), MapFilter());

  // The means sum over all slabs.
  const Pair pair = MakePair({ 67, 61, 301 });
  const auto compare = [&] {
    return cudaneuro::StructuralSimilarity(
      this->GetContext(), MakeParameters(), pair.grid, ConstView(pair.reference), ConstView(pair.image), {}, {});
  };
  const auto whole = compare();
  this->GetContext().SetMemoryLimit(pair.reference.size() * sizeof(float));
  const auto slabs = compare();
  EXPECT_GT(this->GetContext().GetStatistics().numberOfSlabs, 1U);
  // Partial sums are in double precision and differ only in their order.
  EXPECT_NEAR(slabs.meanStructuralSimilarity, whole.meanStructuralSimilarity, 1e-12);
  EXPECT_NEAR(slabs.meanSquaredError, whole.meanSquaredError, 1e-12 * whole.meanSquaredError);
}

/** Progress is told after each piece. The last planes as a piece of their own would need those before them again. */
TEST_P(StructuralSimilarityOnGpu, VolumesOnTheDeviceAreOnePiece)
{
  const Pair           pair = MakePair({ 31, 29, 20 });
  cudaneuro::Context & context = this->GetContext();
  UploadedVolumes      uploaded(context);
  const auto           onDevice = [&](const std::vector<float> & values) {
    return cudaneuro::ConstVolume{ uploaded.Upload(values),
                                   cudaneuro::PixelType::Float,
                                   cudaneuro::MemorySpace::Device };
  };
  const cudaneuro::ConstVolume reference = onDevice(pair.reference);
  const cudaneuro::ConstVolume image = onDevice(pair.image);
  std::vector<float>           pieces;
  context.SetProgressFunction([&](float fraction) {
    if (fraction > 0.0f && fraction < 1.0f)
    {
      pieces.push_back(fraction);
    }
    return true;
  });
  cudaneuro::StructuralSimilarity(context, MakeParameters(), pair.grid, reference, image, {}, {});
  context.SetProgressFunction(nullptr);
  EXPECT_EQ(pieces.size(), 1U);
}

TEST_P(StructuralSimilarityOnGpu, LargeVolume)
{
  const cudaneuro::Grid grid = MakeGrid({ 1300, 1300, 1280 });
  const std::size_t     count = static_cast<std::size_t>(grid.NumberOfVoxels());
  cudaneuro::Context    cpu{ cudaneuro::Device{} };
  if (GetDeviceProperties(this->GetParam()).freeBytes < 24 * count ||
      GetDeviceProperties(cpu.GetDevice()).freeBytes < 3 * count)
  {
    GTEST_SKIP() << "needs " << 24 * count << " free bytes on the device and " << 3 * count << " on the host";
  }
  // The volumes are equal except in the last row, where every value differs by 2.
  std::vector<unsigned char> first(count, 100);
  std::vector<unsigned char> second(count, 100);
  std::memset(second.data() + count - 1300, 102, 1300);
  const auto result = cudaneuro::StructuralSimilarity(
    this->GetContext(), MakeParameters(), grid, ConstView(first), ConstView(second), {}, {});
  const double expected = 4.0 * 1300.0 / static_cast<double>(count);
  EXPECT_NEAR(result.meanSquaredError, expected, 1e-6 * expected);
  EXPECT_NEAR(result.meanStructuralSimilarity, 1.0, meanTolerance);
}

CUDANEURO_TEST_ON_CUDA(StructuralSimilarityOnGpu);

} // namespace
