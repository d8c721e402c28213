// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Points of the images of an atlas on its template: against places that are known, and against the maps, which an own
// interpolation in double precision follows.

#include "TestVolumes.h"
#include "atlas/AtlasPointsTest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

using namespace cudaneuro;
using namespace testpopulation;
using namespace atlaspoints;

namespace
{

/** A displacement field of three components side by side, between voxels of its grid. */
Place
FieldAt(const Geometry & geometry, const std::vector<float> & field, const Place & point)
{
  const Place index = Mapped(PointToIndex(geometry), point);
  Place       sum{};
  for (int corner = 0; corner < 8; ++corner)
  {
    double      weight = 1.0;
    std::size_t voxel = 0;
    for (std::size_t axis = 3; axis-- > 0;)
    {
      const double lower = std::floor(index[axis]);
      const bool   isUpper = (corner >> axis & 1) != 0;
      weight *= isUpper ? index[axis] - lower : 1.0 - (index[axis] - lower);
      voxel = voxel * static_cast<std::size_t>(geometry.grid.size[axis]) + static_cast<std::size_t>(lower) +
              (isUpper ? 1 : 0);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      sum[axis] += weight * static_cast<double>(field[3 * voxel + axis]);
    }
  }
  return sum;
}

Place
Added(const Place & a, const Place & b)
{
  return { a[0] + b[0], a[1] + b[1], a[2] + b[2] };
}

double
Distance(const Place & a, const Place & b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Makes all images the first one. Its intensities are whole numbers, whose sums are not rounded, so that no map moves. */
void
MakeEqual(Population & population, std::size_t count)
{
  std::vector<float> image = population.images[0];
  std::transform(image.begin(), image.end(), image.begin(), [](float value) { return std::round(value); });
  population.images.assign(count, image);
}

} // namespace

/** Places of the template go to the images by their maps, and come back. */
TEST_P(AtlasOfPoints, GoAgainstTheMaps)
{
  const Population   population = MakeTurnedPopulation();
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  const AtlasResultOf result = ReadAtlas(population, atlas, run);
  const Places        places = PlacesInside(population.geometry, 60);
  double              longest = 0.0;
  for (const int image : atlas.GetOwnImages())
  {
    const std::vector<float> & map = result.displacements[static_cast<std::size_t>(image)];
    Places                     inImage;
    for (const Place & place : places)
    {
      inImage.push_back(Added(place, FieldAt(population.geometry, map, place)));
      longest = std::max(longest, Distance(place, inImage.back()));
    }
    const AtlasPointsResult left = atlas.SetPoints(image, PointsOf(population, inImage));
    EXPECT_TRUE(left.outsideImage.empty() && left.outsideTemplate.empty());
  }
  EXPECT_GT(longest, 0.5); // mm: the maps are not the identity
  const std::vector<AtlasPoint> points = atlas.GetPoints();
  ASSERT_EQ(points.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    EXPECT_EQ(points[i].numberOfImages, 4);
    // The inverse is found to 1e-5 voxels, and displacements are of float, once in voxels and once in mm.
    EXPECT_LT(Distance(points[i].position, places[i]), 1e-4) << i;
    EXPECT_LT(points[i].GetSpread(), 1e-4) << i;
  }
}

/** Equal images do not move, so that the transforms of points are all there is, whose inverses are known. */
TEST_P(AtlasOfPoints, HaveTheMeanAndTheSpreadOfTheImages)
{
  Population population = MakeTurnedPopulation();
  MakeEqual(population, 4);
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  EXPECT_THROW(atlas.GetPoints(), Error);
  const Places       places = PlacesInside(population.geometry, 30);
  std::vector<float> field;
  for (std::size_t i = 0; i < population.images[0].size(); ++i)
  {
    field.insert(field.end(), { 0.75f, -0.5f, 0.25f });
  }
  std::vector<Places> onTemplate(4, places);
  for (std::size_t image = 0; image < 4; ++image)
  {
    AtlasPoints points = PointsOf(population, {});
    points.transform.matrix = { 1.05, 0.02, 0.0, -0.03, 0.97, 0.01, 0.0, 0.02, 1.0 };
    points.transform.offset = { 3.0 * static_cast<double>(image), -2.0, 0.5 };
    points.geometry.grid.size = { 40, 40, 40 };
    points.geometry.grid.spacing = { 2.0, 2.0, 2.0 };
    points.geometry.direction = AffineMap().matrix;
    points.geometry.origin = { -10.0, -40.0, -20.0 };
    points.transformField.data = image == 2 ? field.data() : nullptr;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        onTemplate[image][i][axis] += testvolumes::UniformNoise(20 + 3 * image + axis, i) - 0.5;
      }
      const Place moved = image == 2 ? Added(onTemplate[image][i], { 0.75, -0.5, 0.25 }) : onTemplate[image][i];
      points.positions.push_back(Mapped(points.transform, moved));
    }
    const AtlasPointsResult left = atlas.SetPoints(static_cast<int>(image), points);
    EXPECT_TRUE(left.outsideImage.empty() && left.outsideTemplate.empty()) << image;
  }
  const std::vector<AtlasPoint> points = atlas.GetPoints();
  ASSERT_EQ(points.size(), places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    double sum = 0.0;
    Place  mean{};
    for (std::size_t image = 0; image < 4; ++image)
    {
      sum += population.weights[image];
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        mean[axis] += population.weights[image] * onTemplate[image][i][axis];
      }
    }
    mean = { mean[0] / sum, mean[1] / sum, mean[2] / sum };
    std::array<double, 9> covariance{};
    double                square = 0.0;
    for (std::size_t image = 0; image < 4; ++image)
    {
      const Place & place = onTemplate[image][i];
      for (std::size_t entry = 0; entry < 9; ++entry)
      {
        covariance[entry] +=
          population.weights[image] / sum * (place[entry / 3] - mean[entry / 3]) * (place[entry % 3] - mean[entry % 3]);
      }
      square += population.weights[image] / sum * std::pow(Distance(place, mean), 2.0);
    }
    // The inverse of the field is found to 1e-5 voxels of up to 1.5 mm; deviations are below 1 mm.
    EXPECT_LT(Distance(points[i].position, mean), 3e-5) << i;
    for (std::size_t entry = 0; entry < 9; ++entry)
    {
      EXPECT_NEAR(points[i].covariance[entry], covariance[entry], 6e-5) << i << ", " << entry;
    }
    EXPECT_NEAR(points[i].GetSpread(), std::sqrt(square), 6e-5) << i;
  }
}

TEST_P(AtlasOfPoints, AreLeftOutWhereTheyHaveNoPlace)
{
  // In 2D, as in 3D.
  Population population = MakePopulation(1, { 20, 18, 1 });
  MakeEqual(population, 3);
  population.weights = { 1.0, 1.0, 0.0 };
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  AtlasPoints points = PointsOf(population, { { 3.0, 4.0, 0.0 }, { 25.0, 4.0, 0.0 }, { 19.4, 4.0, 0.0 } });
  points.numbers = { 5, 1, 3 };
  points.transform.offset = { -2.0, 0.0, 0.0 }; // the template's 21.4 is the image's 19.4
  const AtlasPointsResult left = atlas.SetPoints(0, points);
  EXPECT_EQ(left.outsideImage, std::vector<int>{ 1 });
  EXPECT_EQ(left.outsideTemplate, std::vector<int>{ 3 });
  points.positions[0] = { 100.0, 0.0, 0.0 };
  atlas.SetPoints(2, points); // of weight 0, and none in its image
  std::vector<AtlasPoint> means = atlas.GetPoints();
  ASSERT_EQ(means.size(), 6u);
  for (std::size_t i = 0; i < 5; ++i)
  {
    EXPECT_EQ(means[i].numberOfImages, 0);
    EXPECT_TRUE(std::isnan(means[i].position[0]) && std::isnan(means[i].GetSpread()));
  }
  EXPECT_EQ(means[5].numberOfImages, 1);
  EXPECT_LT(Distance(means[5].position, { 5.0, 4.0, 0.0 }), 1e-4);
  EXPECT_EQ(means[5].GetSpread(), 0.0);
  // Points that are set again replace those before.
  points.positions = { { 7.0, 8.0, 0.0 } };
  points.numbers.clear();
  atlas.SetPoints(0, points);
  means = atlas.GetPoints();
  ASSERT_EQ(means.size(), 1u);
  EXPECT_LT(Distance(means[0].position, { 9.0, 8.0, 0.0 }), 1e-4);
}

TEST_P(AtlasOfPoints, BadPointsAreNamed)
{
  const Population   population = MakePopulation(2, { 12, 11, 10 });
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasPoints points = PointsOf(population, { { 1.0, 2.0, 3.0 }, { 2.0, 3.0, 4.0 } });
  points.name = "a.csv";
  EXPECT_THROW(atlas.SetPoints(0, points), Error); // before Run
  EXPECT_THROW(atlas.GetPoints(), Error);
  AtlasResult run;
  atlas.Run({}, run);
  const auto expect = [&](const std::string & name, const std::string & value) {
    ExpectInvalidParameter([&] { atlas.SetPoints(0, points); }, name, value);
  };
  ExpectInvalidParameter([&] { atlas.SetPoints(2, points); }, "the index of an image", "2");
  points.positions[1][2] = std::numeric_limits<double>::quiet_NaN();
  expect("a coordinate of point 1 of the points 'a.csv'", "nan");
  points.positions[1][2] = 4.0;
  points.numbers = { 0 };
  expect("the count of numbers of the points 'a.csv'", "1");
  points.numbers = { 7, 7 };
  expect("the number of two points of the points 'a.csv'", "7");
  points.numbers = { 0, -1 };
  expect("number 1 of the points 'a.csv'", "-1");
  points.numbers = { 0, largestPointNumber + 1 };
  expect("number 1 of the points 'a.csv'", std::to_string(largestPointNumber + 1));
  points.numbers.clear();
  points.geometry.grid.size = { 12, 110, 1 };
  expect("the size of the points 'a.csv'", "12 x 110 x 1");
  points.geometry = population.geometry;
  points.transform.matrix = {};
  EXPECT_THROW(atlas.SetPoints(0, points), InvalidParameterError);
  points.transform = {};
  EXPECT_TRUE(atlas.SetPoints(0, points).outsideImage.empty());
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasOfPoints);
