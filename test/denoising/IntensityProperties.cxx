// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingProperties.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace properties
{
namespace
{

using namespace testvolumes;

const cudaneuro::Grid smallGrid = MakeGrid({ 17, 13, 11 }, { 1.0, 1.1, 1.3 });

constexpr float largest = std::numeric_limits<float>::max();
constexpr float hugeValues[] = { largest, -largest, 1e20f, -1e30f };

std::size_t
SmallIndex(std::int64_t x, std::int64_t y, std::int64_t z)
{
  return static_cast<std::size_t>(x + smallGrid.size[0] * (y + smallGrid.size[1] * z));
}

/** Whether a huge voxel is within \p reach of a voxel along every axis. */
bool
IsNearHuge(const std::vector<float> & input, std::size_t voxel, std::int64_t reach)
{
  const auto                        i = static_cast<std::int64_t>(voxel);
  const std::array<std::int64_t, 3> at{ i % smallGrid.size[0],
                                        i / smallGrid.size[0] % smallGrid.size[1],
                                        i / smallGrid.VoxelsPerPlane() };
  for (std::int64_t z = at[2] - reach; z <= at[2] + reach; ++z)
  {
    for (std::int64_t y = at[1] - reach; y <= at[1] + reach; ++y)
    {
      for (std::int64_t x = at[0] - reach; x <= at[0] + reach; ++x)
      {
        const bool inside =
          x >= 0 && x < smallGrid.size[0] && y >= 0 && y < smallGrid.size[1] && z >= 0 && z < smallGrid.size[2];
        if (inside && std::abs(input[SmallIndex(x, y, z)]) > 1e6f)
        {
          return true;
        }
      }
    }
  }
  return false;
}

/** Sets huge voxels: one in a corner, two next to each other, and one of the other sign. */
std::vector<float>
WithHugeVoxels(float huge)
{
  std::vector<float> input = NoisyPhantom(smallGrid);
  input[SmallIndex(0, 0, 0)] = huge;
  input[SmallIndex(8, 6, 5)] = huge;
  input[SmallIndex(9, 6, 5)] = huge;
  input[SmallIndex(14, 10, 8)] = -huge;
  return input;
}

} // namespace

void
ExpectHugeVoxelsInsideCount(cudaneuro::Context &    context,
                            const Filter &          filter,
                            const ReferenceFilter & referenceFilter,
                            double                  tolerance,
                            std::int64_t            reach)
{
  for (const float huge : hugeValues)
  {
    const std::vector<float>  input = WithHugeVoxels(huge);
    const std::vector<float>  result = Run(context, filter, smallGrid, input);
    const std::vector<double> expected = referenceFilter(ToReference(smallGrid, input));
    std::size_t               numberCompared = 0;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      ASSERT_TRUE(std::isfinite(result[i])) << huge << ", element " << i;
      if (!IsNearHuge(input, i, reach - 1))
      {
        // Huge voxels may differ by half a unit in their last place.
        const double allowed = std::max(tolerance * dataRange, std::abs(expected[i]) / 16777216.0);
        ASSERT_NEAR(result[i], expected[i], allowed) << huge << ", element " << i << ", was " << input[i];
        ++numberCompared;
      }
    }
    EXPECT_GT(numberCompared, input.size() / 4);
  }
}

void
ExpectHugeVoxelOutsideMaskChangesNothing(cudaneuro::Context & context, const Filter & filter)
{
  std::vector<unsigned char> mask(static_cast<std::size_t>(smallGrid.NumberOfVoxels()), 1);
  const std::size_t          out = SmallIndex(8, 6, 5);
  mask[out] = 0;
  std::vector<float>       input = NoisyPhantom(smallGrid);
  const std::vector<float> expected = Run(context, filter, smallGrid, input, mask);
  for (const float huge : hugeValues)
  {
    input[out] = huge;
    const std::vector<float> result = Run(context, filter, smallGrid, input, mask);
    for (std::size_t i = 0; i < input.size(); ++i)
    {
      ASSERT_EQ(result[i], i == out ? huge : expected[i]) << huge << ", element " << i;
    }
  }
}

void
ExpectExactFarFromZero(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       float                   timesTheRange,
                       bool                    isMagnitude)
{
  // Values have 17 + 6 bits, which float holds exactly.
  constexpr float  grain = 64.0f;
  constexpr double tolerance = 1e-5;
  const float      farthest = timesTheRange * static_cast<float>(dataRange);
  for (const float offset : { 9e3f, -0.86f * farthest, farthest })
  {
    if (isMagnitude && offset < 0.0f)
    {
      continue;
    }
    std::vector<float> input = NoisyPhantom(smallGrid);
    for (float & value : input)
    {
      value = std::floor(offset) + std::floor(grain * value) / grain;
    }
    const std::vector<float> result = Run(context, filter, smallGrid, input);
    EXPECT_LE(LargestDifference(result, referenceFilter(ToReference(smallGrid, input))), tolerance * dataRange)
      << "at " << offset;
  }
}

} // namespace properties
