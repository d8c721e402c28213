// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ForEachVoxel.h"
#include "atlas/TestPopulation.h"
#include "registration/RegistrationCases.h"

#include <algorithm>

/** A few voxels of any intensity change no map by more than 0.2 mm five voxels away from them. */

using namespace registrationcases;

namespace
{

/** The bound of the change of a map, in mm. In 2D, where a voxel is a larger part of the image, maps change by up to
 * 0.3 mm as the three voxels change by 1 %. */
constexpr double
BoundOf(bool isFlat)
{
  return isFlat ? 0.4 : 0.2;
}

/** Two images without masks, of voxels of 1 mm. */
Pair
MakeBarePair(bool isFlat)
{
  Pair pair{ MakeImage(1.0, isFlat, 0.3), MakeImage(1.0, isFlat, 0.9) };
  pair.fixed.mask.clear();
  pair.moving.mask.clear();
  return pair;
}

std::size_t
VoxelAt(const Grid & grid, std::array<int, 3> index)
{
  return static_cast<std::size_t>((index[2] * grid.size[1] + index[1]) * grid.size[0] + index[0]);
}

/** Beside the middle of an image. */
std::array<int, 3>
PlaceIn(const Grid & grid)
{
  const auto at = [&](int axis, double share) {
    return static_cast<int>(share * static_cast<double>(grid.size[axis]));
  };
  return { at(0, 0.4), at(1, 0.55), grid.size[2] > 1 ? at(2, 0.45) : 0 };
}

/** Offsets of voxels from there. */
using Group = std::vector<std::array<int, 3>>;
const Group oneVoxel{ { 0, 0, 0 } };
const Group threeVoxels{ { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 } };

/** \param factor multiple of the largest intensity of the image */
PlacedImage
WithOutliers(PlacedImage image, const Group & group, float factor)
{
  const Grid & grid = image.geometry.grid;
  const auto   place = PlaceIn(grid);
  const float  value = factor * *std::max_element(image.values.begin(), image.values.end());
  for (const auto & offset : group)
  {
    image.values[VoxelAt(grid, { place[0] + offset[0], place[1] + offset[1], place[2] + offset[2] })] = value;
  }
  return image;
}

/** The point of a group's first voxel. */
std::array<double, 3>
PointOf(const PlacedImage & image)
{
  const auto place = PlaceIn(image.geometry.grid);
  return lineartests::Mapped(IndexToPoint(image.geometry), { double(place[0]), double(place[1]), double(place[2]) });
}

/** A displacement of the fixed grid, in mm. */
struct Map
{
  Geometry                    geometry;
  std::vector<float>          displacement;
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
};

/** The largest difference of two maps at voxels that are five voxels or more from a point, in mm. */
double
LargestDifference(const Map & a, const Map & b, const std::array<double, 3> & point)
{
  const Grid &    grid = a.geometry.grid;
  const AffineMap toPoint = IndexToPoint(a.geometry);
  double          largest = 0.0;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t voxel) {
    const auto p = lineartests::Mapped(toPoint, { double(x), double(y), double(z) });
    const auto distance = std::hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
    const auto difference = [&](std::size_t i) {
      return static_cast<double>(a.displacement[3 * voxel + i]) - b.displacement[3 * voxel + i];
    };
    if (distance >= 5.0 * grid.spacing[0])
    {
      largest = std::max(largest, std::hypot(difference(0), difference(1), difference(2)));
    }
  });
  return largest;
}

Map
RunDeformable(Context & context, const DeformableMethod & method, const Pair & pair)
{
  RegistrationParameters parameters = ParametersOf(method);
  parameters.updateFieldStandardDeviations = { 4.0, 4.0, 4.0 };
  parameters.standardDeviations = { 1.0, 1.0, 1.0 }; // without it, the map beside the blob is left to chance
  parameters.maximumStep = 0.2;
  parameters.levels = { { { 2, 2, 2 }, 20 }, { { 1, 1, 1 }, 10 } };
  Map                 map{ pair.fixed.geometry, std::vector<float>(3 * pair.fixed.values.size()) };
  RegistrationOutputs outputs;
  outputs.displacement = { map.displacement.data(), 3, MemorySpace::Host };
  const RegistrationResult result = Register(context, parameters, ImagesOf<RegistrationImages>(pair), outputs);
  map.numberOfOutliers = result.numberOfOutliers;
  return map;
}

Map
RunLinear(Context & context, RegistrationMetric metric, const Pair & pair)
{
  LinearRegistrationParameters parameters;
  parameters.metric.metric = metric;
  parameters.searchAngle = 0.0;
  parameters.searchDistance = 0.0;
  parameters.levels = { { { 2, 2, 2 }, 30 }, { { 1, 1, 1 }, 10 } };
  const LinearRegistrationResult result = RegisterLinearly(context, parameters, ImagesOf<LinearMetricImages>(pair));
  Map                            map{ pair.fixed.geometry, {}, result.numberOfOutliers };
  const Grid &                   grid = map.geometry.grid;
  const AffineMap                toPoint = IndexToPoint(map.geometry);
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    const std::int64_t y = i / grid.size[0] % grid.size[1];
    const std::int64_t z = i / grid.VoxelsPerPlane();
    const auto         p = lineartests::Mapped(toPoint, { double(i % grid.size[0]), double(y), double(z) });
    const auto         q = lineartests::Mapped(result.transform, p);
    for (int axis = 0; axis < 3; ++axis)
    {
      map.displacement.push_back(static_cast<float>(q[axis] - p[axis]));
    }
  }
  return map;
}

Map
RunAtlas(const Device & device, RegistrationMetric metric, const Pair & pair)
{
  AtlasParameters parameters;
  parameters.registration.metric = metric;
  parameters.registration.levels = { { { 2, 2, 2 }, 10 }, { { 1, 1, 1 }, 5 } };
  AtlasDevices devices;
  devices.devices = { device };
  DiffeomorphicAtlas atlas(parameters, pair.fixed.geometry, { 1.0, 1.0 }, devices);
  int                index = 0;
  for (const PlacedImage * const placed : { &pair.fixed, &pair.moving })
  {
    AtlasImage image;
    image.name = "image " + std::to_string(index);
    image.geometry = placed->geometry;
    image.image = ConstView(placed->values);
    atlas.SetImage(index++, image);
  }
  AtlasResult result;
  atlas.Run({}, result);
  Map               map{ pair.fixed.geometry, std::vector<float>(3 * pair.fixed.values.size()) };
  AtlasImageOutputs outputs;
  outputs.displacement = { map.displacement.data(), 3, MemorySpace::Host };
  map.numberOfOutliers[0] = atlas.GetImage(0, outputs).numberOfOutliers;
  map.numberOfOutliers[1] = atlas.GetImage(1, {}).numberOfOutliers;
  return map;
}

} // namespace

class Outliers : public DeviceTest
{
protected:
  /** run(pair) must hardly change with outliers in either image. */
  template <typename TRun>
  void
  ExpectHardlyChange(bool isFlat, const TRun & run)
  {
    SCOPED_TRACE(isFlat ? "2D" : "3D");
    const Pair pair = MakeBarePair(isFlat);
    const Map  expected = run(pair);
    EXPECT_EQ(expected.numberOfOutliers, (std::array<std::int64_t, 2>{ 0, 0 }));
    const Map ofFixed = run({ WithOutliers(pair.fixed, oneVoxel, 4.0f), pair.moving });
    EXPECT_LE(LargestDifference(ofFixed, expected, PointOf(pair.fixed)), BoundOf(isFlat));
    EXPECT_EQ(ofFixed.numberOfOutliers, (std::array<std::int64_t, 2>{ 1, 0 }));
    const Map ofMoving = run({ pair.fixed, WithOutliers(pair.moving, threeVoxels, -1e6f) });
    EXPECT_LE(LargestDifference(ofMoving, expected, PointOf(pair.moving)), BoundOf(isFlat));
    EXPECT_EQ(ofMoving.numberOfOutliers, (std::array<std::int64_t, 2>{ 0, 3 }));
  }
};

/** Whatever their size and sign, repaired voxels are the same. */
TEST_P(Outliers, AreRepairedWhateverTheyAre)
{
  const Pair             pair = MakeBarePair(false);
  const DeformableMethod method = DeformableMethods().front();
  std::vector<float>     expected;
  for (const float factor : { 4.0f, -4.0f, 1e3f, -1e6f, 1e30f, -1e35f })
  {
    const Map map =
      RunDeformable(this->GetContext(), method, { WithOutliers(pair.fixed, threeVoxels, factor), pair.moving });
    EXPECT_EQ(map.numberOfOutliers[0], 3) << factor;
    expected = expected.empty() ? map.displacement : expected;
    EXPECT_EQ(map.displacement, expected) << factor;
  }
}

/** A larger group may be an object: it counts as the limit beyond which it is, and is not lost. */
TEST_P(Outliers, OfLargeGroupsAreLimited)
{
  Pair         pair = MakeBarePair(false);
  const Grid & grid = pair.fixed.geometry.grid;
  const auto   range = std::minmax_element(pair.fixed.values.begin(), pair.fixed.values.end());
  const float  limit = 2.0f * *range.second - *range.first;
  Pair         limited = pair;
  for (int i = 0; i < 64; ++i)
  {
    const std::size_t voxel = VoxelAt(grid, { 20 + i % 4, 20 + i / 4 % 4, 20 + i / 16 });
    pair.fixed.values[voxel] = 100.0f * limit;
    limited.fixed.values[voxel] = limit;
  }
  const DeformableMethod method = DeformableMethods().front();
  const Map              map = RunDeformable(this->GetContext(), method, pair);
  EXPECT_EQ(map.numberOfOutliers[0], 64);
  // The limit follows from quantiles, which are a little nearer to each other than the extremes.
  EXPECT_LE(LargestDifference(map, RunDeformable(this->GetContext(), method, limited), PointOf(pair.fixed)), 0.2);
}

TEST_P(Outliers, HardlyChangeADeformation)
{
  for (const DeformableMethod & method : DeformableMethods())
  {
    SCOPED_TRACE(method.name);
    for (const bool isFlat : { true, false })
    {
      this->ExpectHardlyChange(isFlat,
                               [&](const Pair & pair) { return RunDeformable(this->GetContext(), method, pair); });
    }
  }
}

TEST_P(Outliers, HardlyChangeALinearMap)
{
  for (const RegistrationMetric metric : metrics)
  {
    SCOPED_TRACE(metric);
    for (const bool isFlat : { true, false })
    {
      this->ExpectHardlyChange(isFlat, [&](const Pair & pair) { return RunLinear(this->GetContext(), metric, pair); });
    }
  }
}

TEST_P(Outliers, HardlyChangeAnAtlas)
{
  for (const auto metric : { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    SCOPED_TRACE(metric);
    for (const bool isFlat : { true, false })
    {
      this->ExpectHardlyChange(isFlat, [&](const Pair & pair) { return RunAtlas(this->GetParam(), metric, pair); });
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(Outliers);
