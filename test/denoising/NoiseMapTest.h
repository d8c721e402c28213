// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoiseMapTest_h
#define NoiseMapTest_h

#include "DenoisingProperties.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/** What the tests of filters that take a noise map have in common. */

/** From 12 to 48 along x, with waves along y and z, and 0 at some voxels. */
inline std::vector<float>
NoiseThatVaries(const cudaneuro::Grid & grid)
{
  std::vector<float> noise(grid.NumberOfVoxels());
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    const auto   voxel = static_cast<std::int64_t>(i);
    const double x = static_cast<double>(voxel % grid.size[0]) / static_cast<double>(grid.size[0]);
    const auto   y = static_cast<double>(voxel / grid.size[0] % grid.size[1]);
    const auto   z = static_cast<double>(voxel / grid.VoxelsPerPlane());
    const double value = (12.0 + 36.0 * x) * (1.0 + 0.2 * std::sin(y / 3.0) * std::cos(z / 2.0));
    noise[i] = i % 41 == 7 ? 0.0f : static_cast<float>(value);
  }
  return noise;
}

/** Maps with a bad value, or zeros alone, are refused with the value and the voxel before anything is written. */
template <typename TRun>
void
ExpectBadMapsAreRefused(const cudaneuro::Grid & grid, const TRun & run)
{
  const std::vector<float> good(grid.NumberOfVoxels(), 20.0f);
  EXPECT_NO_THROW(run(ConstView(good)));
  const auto expect = [&](float value, const std::string & text) {
    std::vector<float> bad = good;
    bad[3 + grid.size[0] * (2 + grid.size[1] * 1)] = value;
    bad.back() = value;
    ExpectInvalidParameter([&] { run(ConstView(bad)); }, "NoiseMap at voxel (3, 2, 1)", text);
  };
  expect(-1.5f, "-1.5");
  expect(std::numeric_limits<float>::quiet_NaN(), "nan");
  expect(std::numeric_limits<float>::infinity(), "inf");
  const std::vector<float> zeros(grid.NumberOfVoxels(), 0.0f);
  ExpectInvalidParameter([&] { run(ConstView(zeros)); }, "NoiseMap", "0 at all voxels");
}

/** What filters that take a noise map as they take a number have in common. */
namespace noisemaps
{

/** A filter with its parameters, which are multiples of the noise. */
using Filter = std::function<std::int64_t(cudaneuro::Context &,
                                          const cudaneuro::Grid &,
                                          const cudaneuro::ConstVolume & input,
                                          const cudaneuro::ConstVolume & mask,
                                          const cudaneuro::ConstVolume & noise,
                                          const cudaneuro::Volume &      output)>;

/** The filter with noise that varies. */
inline properties::Filter
WithNoiseThatVaries(const Filter & filter)
{
  return [=](auto & context, const auto & grid, const auto & input, const auto & mask, const auto & output) {
    const std::vector<float> noise = NoiseThatVaries(grid);
    filter(context, grid, input, mask, ConstView(noise), output);
  };
}

/** A map of one value has the bits of that value as a number, whatever the map's type, with and without a mask.
 * \param ofNumber the filter where the noise is that number */
inline void
ExpectOneValueIsThatNumber(cudaneuro::Context &                                     context,
                           const Filter &                                           filter,
                           const std::function<properties::Filter(double number)> & ofNumber)
{
  const cudaneuro::Grid    grid = testvolumes::MakeGrid({ 37, 45, 13 }, { 1.0, 1.1, 0.9 });
  const std::vector<float> input = testvolumes::NoisyPhantom(grid);
  const auto               ball = testvolumes::BallMask(grid);
  for (const float value : { 21.0f, 7.0f })
  {
    const std::vector<float> noise(input.size(), value);
    const std::vector<short> integers(input.size(), static_cast<short>(value));
    for (const std::vector<unsigned char> & mask : { std::vector<unsigned char>(), ball })
    {
      const std::vector<float> expected = properties::Run(context, ofNumber(value), grid, input, mask);
      std::vector<float>       result(input.size());
      std::vector<float>       inMask = noise;
      for (std::size_t i = 0; i < mask.size(); ++i)
      {
        inMask[i] = mask[i] != 0 ? value : std::numeric_limits<float>::quiet_NaN();
      }
      const cudaneuro::ConstVolume maps[] = { ConstView(noise), ConstView(integers), ConstView(inMask) };
      for (const cudaneuro::ConstVolume & map : maps)
      {
        EXPECT_EQ(filter(context, grid, ConstView(input), ConstView(mask), map, View(result)), 0);
        EXPECT_TRUE(properties::HaveSameBits(result, expected)) << value << ", masked " << !mask.empty();
      }
    }
  }
}

/** Where the map is 0, voxels keep their value and have no weight in others, as outside a mask, and are counted. */
inline void
ExpectZerosTakeNoPart(cudaneuro::Context & context, const Filter & filter, double tolerance)
{
  const cudaneuro::Grid            grid = testvolumes::MakeGrid({ 17, 13, 11 });
  const std::vector<float>         input = testvolumes::NoisyPhantom(grid);
  const std::vector<unsigned char> mask = testvolumes::BallMask(grid);
  std::vector<float>               noise = NoiseThatVaries(grid);
  for (float & value : noise)
  {
    value = value == 0.0f ? 20.0f : value;
  }
  std::vector<float> withZeros = noise;
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    withZeros[i] = mask[i] != 0 ? noise[i] : 0.0f;
  }
  const std::int64_t zeros = std::count(mask.begin(), mask.end(), 0);
  ASSERT_GT(zeros, 0);
  std::vector<float> expected(input.size());
  std::vector<float> result(input.size());
  EXPECT_EQ(filter(context, grid, ConstView(input), ConstView(mask), ConstView(noise), View(expected)), 0);
  EXPECT_EQ(filter(context, grid, ConstView(input), {}, ConstView(withZeros), View(result)), zeros);
  // The intensity from which differences are taken is found by the mask alone.
  EXPECT_LE(properties::LargestDifference(result, { expected.begin(), expected.end() }),
            tolerance * properties::dataRange);
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    EXPECT_TRUE(mask[i] != 0 || result[i] == input[i]) << i;
  }
}

/** Outside the mask there may be anything: no bit changes. Where the mask has no voxel, the image stays. */
inline void
ExpectMapCountsInMaskAlone(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid            grid = testvolumes::MakeGrid({ 17, 13, 11 });
  const std::vector<float>         input = testvolumes::NoisyPhantom(grid);
  const std::vector<unsigned char> mask = testvolumes::BallMask(grid);
  const std::vector<float>         noise = NoiseThatVaries(grid);
  std::vector<float>               expected(input.size());
  const std::int64_t zeros = filter(context, grid, ConstView(input), ConstView(mask), ConstView(noise), View(expected));
  constexpr float    infinity = std::numeric_limits<float>::infinity();
  for (const float outside : { std::numeric_limits<float>::quiet_NaN(), infinity, -3.0f, 0.0f, 1e30f })
  {
    std::vector<float> other = noise;
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
      other[i] = mask[i] != 0 ? noise[i] : outside;
    }
    std::vector<float> result(input.size());
    EXPECT_EQ(filter(context, grid, ConstView(input), ConstView(mask), ConstView(other), View(result)), zeros);
    EXPECT_TRUE(properties::HaveSameBits(result, expected)) << outside;
  }
  const std::vector<unsigned char> nothing(mask.size(), 0);
  std::vector<float>               result(input.size());
  EXPECT_EQ(filter(context, grid, ConstView(input), ConstView(nothing), ConstView(noise), View(result)), 0);
  EXPECT_TRUE(properties::HaveSameBits(result, input)) << "with a mask of no voxel";
}

/** A thousand times the image and the map gives a thousand times the result, to the tolerance. */
inline void
ExpectScales(cudaneuro::Context & context, const Filter & filter, double tolerance)
{
  constexpr float          factor = 1000.0f;
  const cudaneuro::Grid    grid = testvolumes::MakeGrid({ 17, 13, 11 });
  const std::vector<float> input = testvolumes::NoisyPhantom(grid);
  const std::vector<float> noise = NoiseThatVaries(grid);
  const auto               scaled = [](std::vector<float> values) {
    for (float & value : values)
    {
      value *= factor;
    }
    return values;
  };
  const std::vector<float> largeInput = scaled(input);
  const std::vector<float> largeNoise = scaled(noise);
  std::vector<float>       result(input.size());
  std::vector<float>       large(input.size());
  filter(context, grid, ConstView(input), {}, ConstView(noise), View(result));
  filter(context, grid, ConstView(largeInput), {}, ConstView(largeNoise), View(large));
  const std::vector<float> expected = scaled(result);
  EXPECT_LE(properties::LargestDifference(large, { expected.begin(), expected.end() }),
            factor * tolerance * properties::dataRange);
}

/** Noise that is a millionth of that elsewhere, or less, leaves its voxel as it is. */
inline void
ExpectTinyNoiseKeepsTheVoxel(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid    grid = testvolumes::MakeGrid({ 12, 11, 10 });
  const std::vector<float> input = testvolumes::NoisyPhantom(grid);
  for (const float tiny : { 1e-5f, 1e-12f, 1e-38f, std::numeric_limits<float>::denorm_min() })
  {
    std::vector<float> noise(input.size(), 20.0f);
    noise[700] = tiny;
    std::vector<float> result(input.size());
    EXPECT_EQ(filter(context, grid, ConstView(input), {}, ConstView(noise), View(result)), 0);
    EXPECT_NEAR(result[700], input[700], 1e-5 * properties::dataRange) << tiny;
    EXPECT_NE(result[701], input[701]);
  }
}

/** Bad maps are refused, and a parameter that is out of range where the noise is largest, with its product. */
inline void
ExpectRefusals(cudaneuro::Context & context, const Filter & filter, const Filter & with1e30, const std::string & name)
{
  const cudaneuro::Grid    grid = testvolumes::MakeGrid({ 7, 6, 5 });
  const std::vector<float> input = testvolumes::NoisyPhantom(grid);
  std::vector<float>       output(input.size());
  ExpectBadMapsAreRefused(grid, [&](const cudaneuro::ConstVolume & noise) {
    filter(context, grid, ConstView(input), {}, noise, View(output));
  });
  const std::vector<float> noise(input.size(), 1024.0f);
  ExpectInvalidParameter(
    [&] { with1e30(context, grid, ConstView(input), {}, ConstView(noise), View(output)); }, name, "1.024e+33");
}

/** The map is looked at inside the mask alone wherever either of them is, and a mask of no voxel leaves the image. */
inline void
ExpectMasksInAnyMemory(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid            grid = testvolumes::MakeGrid({ 31, 29, 27 });
  const std::vector<float>         input = testvolumes::NoisyPhantom(grid);
  const std::vector<unsigned char> ball = testvolumes::BallMask(grid);
  const std::vector<unsigned char> nothing(ball.size(), 0);
  std::vector<float>               noise = NoiseThatVaries(grid);
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    noise[i] = ball[i] != 0 ? noise[i] : std::numeric_limits<float>::quiet_NaN();
  }
  const properties::DeviceVolume<>              noiseOnDevice(context, grid);
  const properties::DeviceVolume<unsigned char> maskOnDevice(context, grid);
  CopyVolume(context, grid, ConstView(noise), noiseOnDevice);
  std::vector<float> expected(input.size());
  const std::int64_t zeros = filter(context, grid, ConstView(input), ConstView(ball), ConstView(noise), View(expected));
  EXPECT_EQ(zeros, std::count(noise.begin(), noise.end(), 0.0f));
  const auto expect = [&](const cudaneuro::ConstVolume & mask, const cudaneuro::ConstVolume & map, bool isEmpty) {
    std::vector<float> result(input.size());
    EXPECT_EQ(filter(context, grid, ConstView(input), mask, map, View(result)), isEmpty ? 0 : zeros);
    EXPECT_TRUE(properties::HaveSameBits(result, isEmpty ? input : expected));
  };
  for (const std::vector<unsigned char> & mask : { ball, nothing })
  {
    CopyVolume(context, grid, ConstView(mask), maskOnDevice);
    for (const cudaneuro::ConstVolume & map : { ConstView(noise), cudaneuro::ConstVolume(noiseOnDevice) })
    {
      expect(ConstView(mask), map, mask == nothing);
      expect(maskOnDevice, map, mask == nothing);
    }
  }
}

/** Maps in device memory give the bits of those in host memory, with masks in either, and bad ones are refused. */
inline void
ExpectMapsInDeviceMemory(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid            grid = testvolumes::MakeGrid({ 31, 29, 27 });
  const std::vector<float>         input = testvolumes::NoisyPhantom(grid);
  const std::vector<float>         noise = NoiseThatVaries(grid);
  const properties::DeviceVolume<> onDevice(context, grid);
  std::vector<float>               output(input.size());
  CopyVolume(context, grid, ConstView(noise), onDevice);
  EXPECT_EQ(filter(context, grid, ConstView(input), {}, onDevice, View(output)),
            std::count(noise.begin(), noise.end(), 0.0f));
  EXPECT_TRUE(properties::HaveSameBits(output, properties::Run(context, WithNoiseThatVaries(filter), grid, input)));
  ExpectBadMapsAreRefused(grid, [&](const cudaneuro::ConstVolume & bad) {
    CopyVolume(context, grid, bad, onDevice);
    filter(context, grid, ConstView(input), {}, onDevice, View(output));
  });
  ExpectMasksInAnyMemory(context, filter);
}

} // namespace noisemaps

#endif
