// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What has the same bits on every machine, beside synthetic data, whose tests have the like: sums in fixed point, and
// the distances of neighbors. Checksums are from a run on x86-64.

#include "atlas/checkpoints/Checksum.h"
#include "atlas/means/FixedPoint.h"
#include "atlas/means/ImageSums.h"
#include "core/CounterRandom.h"
#include "cudaneuro/NearestNeighbors.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace
{

using cudaneuro::Context;
using cudaneuro::Extent;

template <typename T>
std::uint64_t
ChecksumOf(const std::vector<T> & values)
{
  return cudaneuro::Checksum(values.data(), values.size() * sizeof(T));
}

/** Numbers from -1 to below 1 with all bits of single precision, made without rounding. */
std::vector<float>
Numbers(std::uint64_t key, std::size_t count)
{
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i)
  {
    const auto bits = static_cast<std::int32_t>(cudaneuro::RandomBits(key, i) >> 39);
    numbers.push_back(std::ldexp(static_cast<float>(bits - (1 << 24)), -24));
  }
  return numbers;
}

struct MeanImage
{
  std::vector<std::int64_t> sums;
  std::vector<std::int32_t> sumsOfWeights;
  std::vector<float>        values;
};

constexpr int numberOfImages = 5;

/** The weighted mean of five images, one of which is not known everywhere, added in the order given. */
MeanImage
MeanInOrder(Context & context, const std::array<int, numberOfImages> & order)
{
  constexpr Extent                extent{ 37, 11, 5 };
  const auto                      voxels = static_cast<std::size_t>(extent.x * extent.y * extent.z);
  const std::vector<std::int32_t> weights = cudaneuro::WholeWeights({ 1.0, 0.3, 2.7, 1.0 / 3.0, 0.5 });
  const double                    scale = cudaneuro::FixedPointScale(1.0);
  MeanImage image{ std::vector<std::int64_t>(voxels), std::vector<std::int32_t>(voxels), std::vector<float>(voxels) };
  cudaneuro::SumOfVolumes sum;
  sum.extent = extent;
  sum.box = cudaneuro::VoxelBox::Whole(extent);
  sum.count = 1;
  sum.isFirst = true;
  sum.sums = image.sums.data();
  sum.sumsOfWeights = image.sumsOfWeights.data();
  for (const int k : order)
  {
    std::vector<float> volume = Numbers(static_cast<std::uint64_t>(k), voxels);
    if (k == 2)
    {
      std::fill_n(volume.begin(), 100, std::numeric_limits<float>::quiet_NaN());
    }
    sum.volumes[0] = volume.data();
    sum.weights[0] = weights[k];
    sum.factors[0] = weights[k] * scale;
    cudaneuro::cpu::AddVolumes(context, sum);
    sum.isFirst = false;
  }
  cudaneuro::MeanOfSums mean;
  mean.extent = extent;
  mean.box = sum.box;
  mean.sums = sum.sums;
  mean.sumsOfWeights = sum.sumsOfWeights;
  mean.inverseScale = 1.0 / scale;
  mean.mean = image.values.data();
  cudaneuro::cpu::DivideSums(context, mean);
  return image;
}

} // namespace

TEST(SameBits, SumsInFixedPoint)
{
  Context         context{ cudaneuro::Device() };
  const MeanImage image = MeanInOrder(context, { 0, 1, 2, 3, 4 });
  EXPECT_EQ(ChecksumOf(image.sums), 0xaa336cb2f30edb6eULL);
  EXPECT_EQ(ChecksumOf(image.sumsOfWeights), 0xdbfb9eb0291f736dULL);
  EXPECT_EQ(ChecksumOf(image.values), 0x810f8bfbcf18c793ULL);
  const MeanImage other = MeanInOrder(context, { 3, 1, 4, 0, 2 });
  EXPECT_EQ(other.sums, image.sums);
  EXPECT_EQ(other.values, image.values);
}

TEST(SameBits, DistancesOfNeighbors)
{
  Context                               context{ cudaneuro::Device() };
  constexpr std::int64_t                count = 400;
  cudaneuro::NearestNeighborsParameters parameters;
  parameters.dimension = 45;
  parameters.numberOfNeighbors = 7;
  const std::vector<float>  points = Numbers(9, static_cast<std::size_t>(count * parameters.dimension));
  std::vector<std::int32_t> indices(static_cast<std::size_t>(count * parameters.numberOfNeighbors));
  std::vector<float>        squaredDistances(indices.size());
  cudaneuro::FindNearestNeighbors(context,
                                  parameters,
                                  { points.data(), count },
                                  { points.data(), count },
                                  { indices.data(), squaredDistances.data() });
  EXPECT_EQ(ChecksumOf(indices), 0x0990d974a110882cULL);
  EXPECT_EQ(ChecksumOf(squaredDistances), 0xc3e7722f373441a6ULL);
}
