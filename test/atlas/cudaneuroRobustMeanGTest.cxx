// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Trimmed means and medians of weighted images against a slow reference, and what they promise of bits.

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "atlas/means/RobustMean.h"
#include "jobs/DeviceJob.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace
{

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

/** Images of one size with their weights. */
struct Population
{
  std::vector<std::vector<float>> images;
  std::vector<float>              weights;
};

struct Kind
{
  double trimmedFraction;
  bool   isMedian;
};

const Kind kinds[] = { { 0.0, false }, { 0.1, false }, { 0.25, false }, { 0.49, false }, { 0.0, true } };

struct WeightedValue
{
  double value;
  double weight;
};

/** The values at a voxel that take part, in order. */
std::vector<WeightedValue>
SortedValues(const Population & population, std::size_t voxel)
{
  std::vector<WeightedValue> values;
  for (std::size_t k = 0; k < population.images.size(); ++k)
  {
    if (std::isfinite(population.images[k][voxel]) && population.weights[k] > 0.0f)
    {
      values.push_back({ population.images[k][voxel], population.weights[k] });
    }
  }
  std::sort(values.begin(), values.end(), [](auto & a, auto & b) { return a.value < b.value; });
  return values;
}

/** The result by the definition, and the largest magnitude among the values that are kept. */
struct Expected
{
  double value = std::numeric_limits<double>::quiet_NaN();
  double magnitude = 0.0;
};

Expected
TrimmedMean(const std::vector<WeightedValue> & values, double total, double fraction)
{
  const double low = fraction * total;
  const double high = total - low;
  Expected     expected{ 0.0, 0.0 };
  double       begin = 0.0;
  for (const WeightedValue & each : values)
  {
    const double end = begin + each.weight;
    const double kept = std::min(end, high) - std::max(begin, low);
    if (kept > 1e-9 * total)
    {
      expected.value += kept / (high - low) * each.value;
      expected.magnitude = std::max(expected.magnitude, std::abs(each.value));
    }
    begin = end;
  }
  return expected;
}

Expected
Median(const std::vector<WeightedValue> & values, double total)
{
  // Weights of tests of medians are small integers, whose sums are exact.
  double sum = 0.0;
  double lower = notANumber;
  double upper = notANumber;
  for (const WeightedValue & each : values)
  {
    sum += each.weight;
    lower = std::isnan(lower) && 2.0 * sum >= total ? each.value : lower;
    upper = std::isnan(upper) && 2.0 * sum > total ? each.value : upper;
  }
  return { 0.5 * (lower + upper), std::max(std::abs(lower), std::abs(upper)) };
}

Expected
Reference(const Population & population, const Kind & kind, std::size_t voxel)
{
  const std::vector<WeightedValue> values = SortedValues(population, voxel);
  const double                     total =
    std::accumulate(values.begin(), values.end(), 0.0, [](double sum, auto & each) { return sum + each.weight; });
  return values.empty()  ? Expected()
         : kind.isMedian ? Median(values, total)
                         : TrimmedMean(values, total, kind.trimmedFraction);
}

class RobustMean : public DeviceTest
{
protected:
  cudaneuro::MemorySpace
  DeviceSpace() const
  {
    return this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }

  cudaneuro::DeviceMemory
  ToDevice(const std::vector<float> & values)
  {
    const cudaneuro::DeviceMemory memory =
      cudaneuro::AllocateDeviceMemory(this->GetParam(), values.size() * sizeof(float));
    CopyVolume(this->GetContext(),
               testvolumes::MakeGrid({ static_cast<std::int64_t>(values.size()), 1, 1 }),
               ConstView(values),
               { memory.Data(), cudaneuro::PixelType::Float, this->DeviceSpace() });
    return memory;
  }

  std::vector<float>
  Compute(const Population & population, const Kind & kind)
  {
    const std::size_t  voxels = population.images[0].size();
    const std::size_t  stride = voxels + 3;
    std::vector<float> rows(stride * population.images.size(), 5e20f);
    for (std::size_t k = 0; k < population.images.size(); ++k)
    {
      std::copy(population.images[k].begin(), population.images[k].end(), rows.begin() + k * stride);
    }
    const auto                     values = this->ToDevice(rows);
    const auto                     weights = this->ToDevice(population.weights);
    const auto                     output = this->ToDevice(std::vector<float>(voxels, -7.0f));
    cudaneuro::RobustMeanArguments arguments;
    arguments.voxels = static_cast<std::int64_t>(voxels);
    arguments.images = static_cast<int>(population.images.size());
    arguments.values = static_cast<const float *>(values.Data());
    arguments.stride = static_cast<std::int64_t>(stride);
    arguments.weights = static_cast<const float *>(weights.Data());
    arguments.trimmedFraction = kind.trimmedFraction;
    arguments.isMedian = kind.isMedian;
    arguments.output = static_cast<float *>(output.Data());
    RunDeviceJob(this->GetContext(), [&] { cudaneuro::RobustMean(this->GetContext(), arguments); });
    std::vector<float> result(voxels);
    CopyVolume(this->GetContext(),
               testvolumes::MakeGrid({ arguments.voxels, 1, 1 }),
               { output.Data(), cudaneuro::PixelType::Float, this->DeviceSpace() },
               View(result));
    return result;
  }

  void
  ExpectReference(const Population & population)
  {
    for (const Kind & kind : kinds)
    {
      const std::vector<float> results = this->Compute(population, kind);
      for (std::size_t voxel = 0; voxel < results.size(); ++voxel)
      {
        const Expected expected = Reference(population, kind, voxel);
        ASSERT_EQ(std::isnan(results[voxel]), std::isnan(expected.value)) << "voxel " << voxel;
        if (!std::isnan(expected.value))
        {
          // Half a unit in the last place of float, 6e-8, and 2^-29 of the weights for an image at the end of what is
          // kept.
          ASSERT_NEAR(results[voxel], expected.value, 2e-7 * expected.magnitude)
            << population.images.size() << " images, fraction " << kind.trimmedFraction << ", median " << kind.isMedian
            << ", voxel " << voxel;
        }
      }
    }
  }

  /** \param weightOf gives the weight of an image. */
  template <typename TWeight>
  static Population
  Random(int images, std::size_t voxels, const TWeight & weightOf)
  {
    Population population;
    for (int k = 0; k < images; ++k)
    {
      std::vector<float> image(voxels);
      for (std::size_t i = 0; i < voxels; ++i)
      {
        // Every third voxel has few different values, most of them more than once.
        const double noise = testvolumes::NormalNoise(k + 1, i);
        image[i] = static_cast<float>(i % 3 == 0 ? std::round(2.0 * noise) : 100.0 * noise);
      }
      population.images.push_back(image);
      population.weights.push_back(static_cast<float>(weightOf(k)));
    }
    return population;
  }
};

/** Bits, so that NaN equals NaN, and 0 differs from -0. */
std::vector<std::uint32_t>
BitsOf(const std::vector<float> & values)
{
  std::vector<std::uint32_t> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(float));
  return bits;
}

} // namespace

TEST_P(RobustMean, AgreesWithReference)
{
  // The lengths of the kernels, one more, and runs that are not full.
  for (const int images : { 1, 2, 3, 4, 5, 8, 9, 16, 17, 36, 37, 47, 48, 63, 64, 65, 130, 400 })
  {
    this->ExpectReference(this->Random(images, 517, [](int) { return 1; }));
    this->ExpectReference(this->Random(images, 130, [](int k) { return 1 + (k * 7) % 5; }));
  }
}

/** More voxels than a task of the CPU has, or a kernel that takes voxels in turn has threads. */
TEST_P(RobustMean, ManyVoxels)
{
  this->ExpectReference(this->Random(7, 40001, [](int k) { return 1 + k % 2; }));
  this->ExpectReference(this->Random(66, 80001, [](int) { return 1; }));
}

TEST_P(RobustMean, MissingValuesTakeNoPart)
{
  for (const int images : { 1, 6, 36, 70 })
  {
    Population population = this->Random(images, 300, [](int k) { return k % 4; });
    for (int k = 0; k < images; ++k)
    {
      testvolumes::SprinkleNotFinite(population.images[k], 3, k);
      population.images[k][17] = notANumber;
      // Here only the images of weight 0 have a value.
      population.images[k][18] = k % 4 == 0 ? 1.0f : notANumber;
    }
    this->ExpectReference(population);
    const std::vector<float> results = this->Compute(population, kinds[1]);
    EXPECT_TRUE(std::isnan(results[17]));
    EXPECT_TRUE(std::isnan(results[18]));
  }
  Population none = this->Random(5, 10, [](int) { return 0; });
  for (const float result : this->Compute(none, kinds[1]))
  {
    EXPECT_TRUE(std::isnan(result));
  }
}

/** Fractions as weights; those of the images have no exact sums, so this is of means alone. */
TEST_P(RobustMean, WeightsOfAnySize)
{
  for (const double scale : { 1e-36, 1.0 / 3.0, 1e30 })
  {
    const Population population =
      this->Random(36, 200, [scale](int k) { return scale * (0.5 + testvolumes::UniformNoise(9, k)); });
    for (const Kind & kind : { kinds[0], kinds[1], kinds[2] })
    {
      const std::vector<float> results = this->Compute(population, kind);
      for (std::size_t voxel = 0; voxel < results.size(); ++voxel)
      {
        const Expected expected = Reference(population, kind, voxel);
        ASSERT_NEAR(results[voxel], expected.value, 2e-7 * expected.magnitude) << "scale " << scale;
      }
    }
  }
}

TEST_P(RobustMean, IntegerWeightsAreRepetition)
{
  for (const int images : { 5, 20, 60 })
  {
    const Population weighted = this->Random(images, 300, [](int k) { return k % 3 == 0 ? 2 : 1; });
    Population       repeated;
    for (int k = 0; k < images; ++k)
    {
      for (int i = 0; i < static_cast<int>(weighted.weights[k]); ++i)
      {
        repeated.images.push_back(weighted.images[k]);
        repeated.weights.push_back(1.0f);
      }
    }
    for (const Kind & kind : kinds)
    {
      EXPECT_EQ(BitsOf(this->Compute(weighted, kind)), BitsOf(this->Compute(repeated, kind)));
    }
  }
}

TEST_P(RobustMean, OrderOfImagesDoesNotMatter)
{
  for (const int images : { 7, 36, 64, 150 })
  {
    Population population = this->Random(images, 300, [](int k) { return 1.0 / (1 + k % 7); });
    for (int k = 0; k < images; ++k)
    {
      population.images[k][5] = k % 2 == 0 ? 0.0f : -0.0f;
    }
    Population permuted;
    for (int k = 0; k < images; ++k)
    {
      // 11 has no divisor in common with the numbers of images.
      permuted.images.push_back(population.images[(k * 11 + 3) % images]);
      permuted.weights.push_back(population.weights[(k * 11 + 3) % images]);
    }
    for (const Kind & kind : kinds)
    {
      EXPECT_EQ(BitsOf(this->Compute(population, kind)), BitsOf(this->Compute(permuted, kind)));
    }
  }
}

TEST_P(RobustMean, HugeValuesThatAreLeftOutCostNothing)
{
  for (const int images : { 10, 36, 100 })
  {
    Population population = this->Random(images, 200, [](int) { return 1; });
    // A tenth of the images at most at each end is left out, and no less than one.
    std::fill(population.images[2].begin(), population.images[2].end(), 1e30f);
    std::fill(population.images[5].begin(), population.images[5].end(), -3e38f);
    this->ExpectReference(population);
  }
}

TEST_P(RobustMean, EqualValuesAreKept)
{
  Population population;
  for (int k = 0; k < 36; ++k)
  {
    population.images.push_back({ 0.1f, -3.7e-20f, 3.4e38f });
    population.weights.push_back(1.0f / 36.0f);
  }
  for (const Kind & kind : kinds)
  {
    EXPECT_EQ(this->Compute(population, kind), population.images[0]);
  }
}

TEST_P(RobustMean, RefusesParameters)
{
  cudaneuro::RobustMeanArguments arguments;
  arguments.images = 3;
  const auto call = [&] { cudaneuro::RobustMean(this->GetContext(), arguments); };
  EXPECT_NO_THROW(call());
  for (const double fraction : { -0.01, 0.5 })
  {
    arguments.trimmedFraction = fraction;
    ExpectInvalidParameter(call, "TrimmedFraction", fraction < 0.0 ? "-0.01" : "0.5");
  }
  arguments.trimmedFraction = std::numeric_limits<double>::quiet_NaN();
  ExpectInvalidParameter(call, "TrimmedFraction", "nan");
  arguments.trimmedFraction = 0.1;
  arguments.voxels = 2;
  arguments.stride = 1;
  ExpectInvalidParameter(call, "stride", "1");
  arguments.voxels = -1;
  ExpectInvalidParameter(call, "voxels", "-1");
  arguments.images = 0;
  ExpectInvalidParameter(call, "images", "0");
}

CUDANEURO_TEST_ON_ALL_DEVICES(RobustMean);
