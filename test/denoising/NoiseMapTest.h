// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NoiseMapTest_h
#define NoiseMapTest_h

#include "DeviceTest.h"
#include "TestVolumes.h"

#include <cmath>
#include <limits>
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

#endif
