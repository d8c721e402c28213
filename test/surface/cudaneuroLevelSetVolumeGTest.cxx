// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "LevelSetTestCases.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "surface/LevelSetVolume.h"
#include "surface/NonLocalMeansLevelSet.h"

#include <cmath>

namespace
{

using namespace levelsettests;
using testvolumes::MakeGrid;

class LevelSetVolume : public DeviceTest
{
protected:
  /** In voxels. */
  double
  VolumeOf(const Grid &                       grid,
           const std::vector<float> &         distances,
           double                             offset = 0.0,
           const std::vector<unsigned char> & mask = {})
  {
    double volume = 0.0;
    cudaneuro::RunDeviceJob(this->GetContext(), [&] {
      const cudaneuro::FloatInput input(this->GetContext(), grid, ConstView(distances));
      const cudaneuro::MaskInput  inside(this->GetContext(), grid, ConstView(mask));
      volume = EnclosedVolume(this->GetContext(), { ExtentOf(grid), input.Data(), inside.Data(), offset });
    });
    return volume;
  }
};

/** x / a + y / b + z / c < 1 is a corner of a box: a b c / 6. Its faces cut tetrahedra of all kinds, and the
 * interpolation of a linear function is the function. */
TEST_P(LevelSetVolume, OfCornersOfABox)
{
  const Grid grid = MakeGrid({ 20, 18, 23 });
  const auto hull = 19.0 * 17.0 * 22.0;
  for (const Position & size : { Position{ 12.3, 15.7, 20.1 }, Position{ 18.9, 4.2, 9.0 }, Position{ 0.3, 0.4, 0.7 } })
  {
    for (int corner = 0; corner < 8; ++corner)
    {
      const auto value = [&](const Position & at) {
        double sum = -1.0;
        for (int axis = 0; axis < 3; ++axis)
        {
          const auto last = static_cast<double>(grid.size[axis] - 1);
          sum += ((corner >> axis) % 2 == 0 ? at[axis] : last - at[axis]) / size[axis];
        }
        return sum;
      };
      // Values of 5 rounded to float move the plane by 3e-7 of the size, on average by much less.
      const double expected = size[0] * size[1] * size[2] / 6.0;
      const double tolerance = 1e-6 * expected + 1e-8;
      EXPECT_NEAR(VolumeOf(grid, Sample(grid, value)), expected, tolerance) << "corner " << corner;
      const auto negative = [&](const Position & at) { return -value(at); };
      EXPECT_NEAR(VolumeOf(grid, Sample(grid, negative)), hull - expected, tolerance) << "corner " << corner;
    }
  }
}

/** Planes through voxels, and regions that are 0, have the volume where distances are negative. */
TEST_P(LevelSetVolume, OfPlanesThroughVoxels)
{
  const Grid grid = MakeGrid({ 9, 8, 7 });
  EXPECT_EQ(VolumeOf(grid, Sample(grid, [](const Position & at) { return at[0] - 3.0; })), 3.0 * 7.0 * 6.0);
  EXPECT_EQ(VolumeOf(grid, Sample(grid, [](const Position & at) { return at[2] - 2.5; })), 2.5 * 8.0 * 7.0);
  EXPECT_EQ(VolumeOf(grid, Sample(grid, [](const Position & at) { return std::max(0.0, at[1] - 2.0); })), 0.0);
  EXPECT_EQ(VolumeOf(grid, Sample(grid, [](const Position &) { return -1.0; })), 8.0 * 7.0 * 6.0);
  EXPECT_EQ(VolumeOf(grid, Sample(grid, [](const Position &) { return 1.0; })), 0.0);
}

/** Linear interpolation of a distance, which is convex, is larger: by 1 / (6 r) voxels on average, which is 1 / (2
 * r^2) of the volume. */
TEST_P(LevelSetVolume, OfSpheres)
{
  constexpr double pi = 3.14159265358979;
  for (const double radius : { 7.3, 10.0, 14.8 })
  {
    const Grid   grid = MakeGrid({ 37, 36, 38 });
    const double volume = 4.0 / 3.0 * pi * radius * radius * radius;
    const double expected = volume * (1.0 - 0.5 / (radius * radius));
    EXPECT_NEAR(VolumeOf(grid, Sphere(grid, radius)), expected, 3e-4 * volume) << "radius " << radius;
    EXPECT_NEAR(VolumeOf(grid, Sphere(grid, radius + 0.25), 0.25), expected, 3e-4 * volume) << "radius " << radius;
  }
}

TEST_P(LevelSetVolume, OffsetsAreThoseOfTheMask)
{
  const Grid                 grid = MakeGrid({ 9, 8, 7 });
  std::vector<unsigned char> mask(static_cast<std::size_t>(grid.NumberOfVoxels()));
  std::fill(mask.begin(), mask.begin() + static_cast<std::ptrdiff_t>(4 * grid.VoxelsPerPlane()), 1); // planes 0 to 3
  const std::vector<float> plane = Sample(grid, [](const Position & at) { return at[0] - 3.0; });
  // Three planes of cells have a depth of 2.5, two of 3, and the one between them the mean, as the plane is tilted
  // there.
  EXPECT_NEAR(VolumeOf(grid, plane, 0.5, mask), 7.0 * (3.0 * 2.5 + 2.75 + 2.0 * 3.0), 1e-9);

  std::vector<float> moved = plane;
  cudaneuro::RunDeviceJob(this->GetContext(), [&] {
    Context &                   context = this->GetContext();
    const cudaneuro::FloatInput input(context, grid, ConstView(plane));
    const cudaneuro::MaskInput  inside(context, grid, ConstView(mask));
    cudaneuro::FloatOutput      output(context, grid, View(moved));
    CopyDistances(context, grid.NumberOfVoxels(), input.Data(), output.Data());
    AddOffset(context, { ExtentOf(grid), output.Data(), inside.Data(), 0.5 }, output.Data());
    output.Finish();
  });
  for (std::size_t i = 0; i < plane.size(); ++i)
  {
    EXPECT_EQ(moved[i], plane[i] + (mask[i] != 0 ? 0.5f : 0.0f));
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(LevelSetVolume);

/** Functions that fall: linear, curved, with steep and flat parts, and with a jump of slope. */
TEST(LevelSetOffset, IsFoundForFallingFunctions)
{
  int        calls = 0;
  const auto sphere = [&](double offset) {
    ++calls;
    return std::pow(std::max(0.0, 10.0 - offset), 3.0);
  };
  for (const double wanted : { 1000.0, 1000.0005, 1100.0, 900.0, 1.0, 30000.0 })
  {
    calls = 0;
    const double offset = cudaneuro::FindOffset(sphere, wanted, 0.01);
    EXPECT_NEAR(sphere(offset), wanted, 1.001e-6 * wanted);
    EXPECT_LE(calls, 30);
  }
  const auto bent = [](double offset) { return offset < 0.3 ? 5.0 - offset : 4.7 - 100.0 * (offset - 0.3); };
  EXPECT_NEAR(bent(cudaneuro::FindOffset(bent, 3.0, 0.01)), 3.0, 4e-6);
  EXPECT_NEAR(bent(cudaneuro::FindOffset(bent, 4.9, 0.01)), 4.9, 6e-6);
  // Nothing inside before, and something after: the offset takes it away.
  EXPECT_EQ(sphere(cudaneuro::FindOffset(sphere, 0.0, 0.01)), 0.0);
  EXPECT_EQ(cudaneuro::FindOffset(sphere, 1000.0, 0.01), 0.0);
}

class LevelSetJoin : public DeviceTest
{};

TEST_P(LevelSetJoin, KeepsWhatIsFarAndMasked)
{
  const Grid                       grid = MakeGrid({ 8, 1, 1 });
  const std::vector<float>         before{ -0.5f, 0.5f, -0.5f, 9.0f, -9.0f, 0.5f, 9.0f, 0.5f };
  const std::vector<float>         exact{ -0.75f, 2.0f, 1.0f, 2.0f, -2.0f, -2.0f, -1.0f, 1.0f };
  const std::vector<unsigned char> mask{ 1, 1, 1, 1, 1, 1, 1, 0 };
  std::vector<float>               joined = before;
  cudaneuro::RunDeviceJob(this->GetContext(), [&] {
    Context &                   context = this->GetContext();
    const cudaneuro::FloatInput input(context, grid, ConstView(before));
    const cudaneuro::FloatInput exactInput(context, grid, ConstView(exact));
    const cudaneuro::MaskInput  inside(context, grid, ConstView(mask));
    cudaneuro::FloatOutput      output(context, grid, View(joined));
    CopyDistances(context, 8, input.Data(), output.Data());
    JoinDistances(context, 8, { exactInput.Data(), inside.Data(), 2.0f, output.Data() });
    output.Finish();
  });
  EXPECT_EQ(joined, (std::vector<float>{ -0.75f, 2.0f, 1.0f, 9.0f, -9.0f, -2.0f, -1.0f, 0.5f }));
}

CUDANEURO_TEST_ON_ALL_DEVICES(LevelSetJoin);

} // namespace
