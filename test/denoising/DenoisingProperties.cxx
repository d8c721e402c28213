// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingProperties.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

/** What filters compute: that it agrees with the references and on all devices, whatever the voxels and pixel types. */
namespace properties
{
namespace
{

using namespace testvolumes;

struct VolumeCase
{
  const char *                name;
  std::array<std::int64_t, 3> size;
  std::array<double, 3>       spacing;
  bool                        hasMask;
  bool                        hasNotFinite;
};

const VolumeCase volumeCases[] = {
  { "odd sizes", { 13, 11, 9 }, { 1.0, 1.0, 1.0 }, false, false },
  { "anisotropic spacing", { 10, 13, 7 }, { 0.7, 1.3, 2.1 }, false, false },
  { "flat", { 23, 14, 1 }, { 0.9, 1.2, 5.0 }, false, false },
  { "size 1 along x", { 1, 15, 12 }, { 1.0, 1.5, 1.0 }, false, false },
  { "size 1 along y", { 16, 1, 9 }, { 1.0, 1.0, 0.5 }, false, false },
  { "a row", { 29, 1, 1 }, { 1.0, 1.0, 1.0 }, false, false },
  { "one voxel", { 1, 1, 1 }, { 1.0, 1.0, 1.0 }, false, false },
  { "smaller than windows", { 3, 2, 2 }, { 1.0, 1.0, 1.0 }, false, false },
  { "longer and wider than blocks", { 139, 19, 3 }, { 1.0, 1.0, 1.0 }, false, false },
  { "more planes than a block", { 7, 5, 37 }, { 1.0, 1.0, 1.0 }, true, true },
  { "mask", { 13, 11, 9 }, { 1.0, 1.2, 1.4 }, true, false },
  { "not finite", { 12, 11, 10 }, { 1.0, 1.0, 1.0 }, false, true },
  { "flat, mask and not finite", { 21, 19, 1 }, { 1.0, 1.0, 1.0 }, true, true },
};

/** Whether two values are equal or both NaN. */
bool
IsSame(double a, double b)
{
  return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

::testing::AssertionResult
HaveSameBits(const std::vector<float> & a, const std::vector<float> & b)
{
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0)
    {
      return ::testing::AssertionFailure() << "element " << i << " is " << a[i] << " and " << b[i];
    }
  }
  return ::testing::AssertionSuccess();
}

std::vector<float>
Run(cudaneuro::Context &               context,
    const Filter &                     filter,
    const cudaneuro::Grid &            grid,
    const std::vector<float> &         input,
    const std::vector<unsigned char> & mask)
{
  std::vector<float> output(input.size(), -12345.0f);
  filter(context, grid, ConstView(input), ConstView(mask), View(output));
  return output;
}

double
LargestDifference(const std::vector<float> & result, const std::vector<double> & expected)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    if (!std::isfinite(result[i]) || !std::isfinite(expected[i]))
    {
      largest = IsSame(result[i], expected[i]) ? largest : std::numeric_limits<double>::infinity();
      continue;
    }
    largest = std::max(largest, std::abs(result[i] - expected[i]));
  }
  return largest;
}

void
ExpectMatchesReference(cudaneuro::Context &    context,
                       const Filter &          filter,
                       const ReferenceFilter & referenceFilter,
                       double                  tolerance)
{
  for (const VolumeCase & volumeCase : volumeCases)
  {
    const cudaneuro::Grid      grid = MakeGrid(volumeCase.size, volumeCase.spacing);
    std::vector<float>         input = NoisyPhantom(grid);
    std::vector<unsigned char> mask;
    if (volumeCase.hasNotFinite)
    {
      SprinkleNotFinite(input);
    }
    if (volumeCase.hasMask)
    {
      mask = BallMask(grid);
    }
    const std::vector<float> result = Run(context, filter, grid, input, mask);
    EXPECT_LE(LargestDifference(result, referenceFilter(ToReference(grid, input, mask))), tolerance * dataRange)
      << volumeCase.name;
  }
}

void
ExpectConstantIsFixedPoint(cudaneuro::Context & context, const Filter & filter, double tolerance)
{
  for (const float value : { 0.0f, 437.25f, -1e-3f, 1e6f })
  {
    const std::vector<float>  input(static_cast<std::size_t>(middleGrid.NumberOfVoxels()), value);
    const std::vector<double> expected(input.begin(), input.end());
    EXPECT_LE(LargestDifference(Run(context, filter, middleGrid, input), expected), tolerance * std::abs(value));
  }
}

void
ExpectNoPartTaken(cudaneuro::Context & context, const Filter & filter)
{
  const std::vector<unsigned char> mask = BallMask(middleGrid);
  std::vector<float>               input = NoisyPhantom(middleGrid);
  SprinkleNotFinite(input);
  std::vector<float> other = input;
  for (std::size_t i = 0; i < other.size(); ++i)
  {
    if (mask[i] == 0)
    {
      other[i] = i % 2 == 0 ? -1e5f : std::numeric_limits<float>::quiet_NaN();
    }
  }
  const std::vector<float> result = Run(context, filter, middleGrid, input, mask);
  const std::vector<float> otherResult = Run(context, filter, middleGrid, other, mask);
  std::size_t              numberOfChanges = 0;
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    if (mask[i] == 0 || !std::isfinite(input[i]))
    {
      ASSERT_TRUE(IsSame(result[i], input[i])) << "element " << i << " is " << result[i] << ", was " << input[i];
      ASSERT_TRUE(IsSame(otherResult[i], other[i])) << "element " << i;
      continue;
    }
    ASSERT_TRUE(std::isfinite(result[i])) << "element " << i;
    ASSERT_EQ(result[i], otherResult[i]) << "element " << i;
    numberOfChanges += result[i] != input[i] ? 1 : 0;
  }
  EXPECT_GT(numberOfChanges, result.size() / 4) << "the filter does nothing";
}

namespace
{

template <typename TIn, typename TOut>
void
ExpectPixelTypes(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid  grid = MakeGrid({ 19, 14, 11 });
  const std::vector<TIn> input = Converted<TIn>(NoisyPhantom(grid));

  std::vector<TOut> output(input.size());
  filter(context, grid, ConstView(input), {}, View(output));
  const std::vector<float> asFloat = Run(context, filter, grid, std::vector<float>(input.begin(), input.end()));
  EXPECT_EQ(output, Converted<TOut>(asFloat)) << "pixel types " << static_cast<int>(cudaneuro::PixelTypeOf<TIn>::value)
                                              << " and " << static_cast<int>(cudaneuro::PixelTypeOf<TOut>::value);
}

template <typename TIn>
void
ExpectPixelTypesOut(cudaneuro::Context & context, const Filter & filter)
{
  ExpectPixelTypes<TIn, unsigned char>(context, filter);
  ExpectPixelTypes<TIn, short>(context, filter);
  ExpectPixelTypes<TIn, unsigned short>(context, filter);
  ExpectPixelTypes<TIn, float>(context, filter);
  ExpectPixelTypes<TIn, double>(context, filter);
}

} // namespace

void
ExpectAllPixelTypes(cudaneuro::Context & context, const Filter & filter)
{
  ExpectPixelTypesOut<unsigned char>(context, filter);
  ExpectPixelTypesOut<short>(context, filter);
  ExpectPixelTypesOut<unsigned short>(context, filter);
  ExpectPixelTypesOut<float>(context, filter);
  ExpectPixelTypesOut<double>(context, filter);
}

void
ExpectMatchesCpu(cudaneuro::Context & context, const Filter & filter, double tolerance)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const cudaneuro::Grid & grid : { MakeGrid({ 61, 47, 53 }, { 1.0, 0.8, 1.7 }), MakeGrid({ 301, 203, 1 }) })
  {
    std::vector<float> input = NoisyPhantom(grid);
    SprinkleNotFinite(input, 997);
    for (const std::vector<unsigned char> & mask : { std::vector<unsigned char>{}, BallMask(grid) })
    {
      const std::vector<float> expected = Run(cpu, filter, grid, input, mask);
      EXPECT_LE(LargestDifference(Run(context, filter, grid, input, mask), { expected.begin(), expected.end() }),
                tolerance * dataRange);
    }
  }
}

} // namespace properties
