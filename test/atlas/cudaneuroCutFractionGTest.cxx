// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/Atlas.h"

#include <cmath>

/** An atlas knows how much of an image lies beyond the grid of its template. Images are balls in noisy air, of which
 * the part beyond a plane is a formula. */

using namespace cudaneuro;

namespace
{

constexpr double radius = 20.0;

/** Air of mean 10 and a head of 100, both with noise, as magnitude images have it. */
constexpr float air = 10.0f;
constexpr float head = 100.0f;

/** A grid of \p size voxels of 2 mm an axis around the origin. */
Geometry
MakeGeometry(const std::array<std::int64_t, 3> & size)
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid(size, { 2.0, 2.0, size[2] == 1 ? 1.0 : 2.0 });
  for (int axis = 0; axis < 3; ++axis)
  {
    geometry.origin[axis] = size[axis] == 1 ? 0.0 : 1.0 - static_cast<double>(size[axis]);
  }
  return geometry;
}

/** The ball at a place, with noise of a fifth of the head's intensity that is a formula. */
std::vector<float>
MakeBall(const Geometry & geometry, const std::array<double, 3> & center)
{
  const auto &       size = geometry.grid.size;
  std::vector<float> values;
  for (std::int64_t i = 0; i < size[0] * size[1] * size[2]; ++i)
  {
    const std::array<std::int64_t, 3> index{ i % size[0], i / size[0] % size[1], i / size[0] / size[1] };
    double                            square = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double x =
        geometry.origin[axis] + geometry.grid.spacing[axis] * static_cast<double>(index[axis]) - center[axis];
      square += x * x;
    }
    const auto noise = static_cast<float>(10.0 * std::sin(78.233 * static_cast<double>(i % 4099)));
    values.push_back((square < radius * radius ? head : air) + noise);
  }
  return values;
}

/** The volume of a cap of the ball, as a fraction of the ball's. */
double
CapOfBall(double height)
{
  return height * height * (3.0 * radius - height) / (4.0 * radius * radius * radius);
}

} // namespace

class AtlasCuts : public DeviceTest
{
protected:
  /** The fraction of an image that an atlas on a grid loses. */
  double
  Measure(const Geometry &                   ofTemplate,
          const Geometry &                   geometry,
          const std::vector<float> &         values,
          const AffineMap &                  transform = {},
          const std::vector<unsigned char> & mask = {})
  {
    AtlasParameters parameters;
    parameters.registration.levels = { { { 1, 1, 1 }, 1 } };
    AtlasDevices devices;
    devices.devices = { this->GetParam() };
    DiffeomorphicAtlas atlas(parameters, ofTemplate, { 1.0, 1.0 }, devices);
    AtlasImage         image;
    image.name = "ball";
    image.geometry = geometry;
    image.image = ConstView(values);
    image.transform = transform;
    if (!mask.empty())
    {
      image.mask = ConstView(mask);
    }
    atlas.SetImage(0, image);
    return atlas.GetCutFraction(0);
  }
};

TEST_P(AtlasCuts, AreTheVolumeBeyondTheGrid)
{
  const Geometry           whole = MakeGeometry({ 32, 32, 32 });
  const std::vector<float> ball = MakeBall(whole, {});
  EXPECT_EQ(this->Measure(whole, whole, ball), 0.0);
  for (const double plane : { 0.0, 6.0, 14.0 })
  {
    // The grid ends at the plane, where a cap of the ball is cut off.
    Geometry lower = whole;
    lower.origin[2] = plane + 1.0 - 64.0;
    const double cap = CapOfBall(radius - plane);
    // Voxels of a ball 20 voxels wide are as many as its volume, and that of a cap, to less than 1 % of it.
    EXPECT_NEAR(this->Measure(lower, whole, ball), cap, 0.01) << plane;
    // The same by a map, turned so that the third axis of the template is the first of the image.
    AffineMap map;
    map.matrix = { 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 };
    EXPECT_NEAR(this->Measure(lower, whole, ball, map), cap, 0.01) << plane;
  }
}

TEST_P(AtlasCuts, LeaveAirOut)
{
  const Geometry           whole = MakeGeometry({ 40, 40, 40 });
  const std::vector<float> ball = MakeBall(whole, { 3.0, -2.0, 1.0 });
  // Four fifths of the volume go, and nothing but air, whose intensities sum up to more than those of the head.
  EXPECT_EQ(this->Measure(MakeGeometry({ 24, 24, 24 }), whole, ball), 0.0);
  // A mask takes out what it excludes: a cap of the ball, 19 mm high, is beyond the plane, and the mask keeps the rest.
  Geometry lower = whole;
  lower.origin[0] = 4.0 + 1.0 - 80.0;
  std::vector<unsigned char> mask;
  for (std::size_t i = 0; i < ball.size(); ++i)
  {
    mask.push_back(2 * static_cast<int>(i % 40) - 39 < 4 ? 1 : 0);
  }
  EXPECT_NEAR(this->Measure(lower, whole, ball), CapOfBall(19.0), 0.01);
  EXPECT_EQ(this->Measure(lower, whole, ball, {}, mask), 0.0);
}

TEST_P(AtlasCuts, IsMeasuredIn2D)
{
  const Geometry           whole = MakeGeometry({ 64, 64, 1 });
  const std::vector<float> disk = MakeBall(whole, {});
  Geometry                 lower = whole;
  lower.origin[1] -= 64.0;
  EXPECT_EQ(this->Measure(whole, whole, disk), 0.0);
  EXPECT_NEAR(this->Measure(lower, whole, disk), 0.5, 0.02);
  // A slice beside that of the template is taken into its plane, and nothing of it is cut off.
  Geometry thick = whole;
  thick.grid.spacing[2] = 4.0;
  thick.origin[2] = 1.0;
  EXPECT_EQ(this->Measure(whole, thick, disk), 0.0);
}

TEST_P(AtlasCuts, AreTheSameOnTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "it compares a CUDA device with the CPU";
  }
  const Geometry           whole = MakeGeometry({ 33, 40, 70 });
  const std::vector<float> ball = MakeBall(whole, { 1.0, 2.0, 3.0 });
  Geometry                 lower = whole;
  lower.origin[2] -= 20.0;
  const double    onDevice = this->Measure(lower, whole, ball);
  AtlasParameters parameters;
  parameters.registration.levels = { { { 1, 1, 1 }, 1 } };
  DiffeomorphicAtlas atlas(parameters, lower, { 1.0, 1.0 }, {});
  AtlasImage         image;
  image.geometry = whole;
  image.image = ConstView(ball);
  atlas.SetImage(0, image);
  EXPECT_EQ(atlas.GetCutFraction(0), onDevice);
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasCuts);
