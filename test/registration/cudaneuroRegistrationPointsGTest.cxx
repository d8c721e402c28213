// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "RegistrationRuns.h"
#include "cudaneuro/Error.h"

#include <algorithm>
#include <cmath>
#include <string>

/** Registrations by pairs of points, with images and without. */
namespace
{

using namespace cudaneuro;
using namespace registrationruns;

constexpr double pi = 3.141592653589793;

/** A grid with voxels that are not cubes, turned in space. */
Geometry
MakeGeometry()
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid({ 40, 36, 30 }, { 1.5, 1.5, 2.0 });
  geometry.origin = { 20.0, -15.0, 7.0 };
  const double c = std::cos(0.3);
  const double s = std::sin(0.3);
  geometry.direction = { c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0 };
  return geometry;
}

Vector
Mapped(const AffineMap & map, const Vector & p)
{
  Vector sum = map.offset;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      sum[row] += map.matrix[3 * row + column] * p[column];
    }
  }
  return sum;
}

/** A smooth map of the grid's box, which moves points by up to 5 mm and keeps J between 0.5 and 2. */
Vector
KnownMap(const Geometry & geometry, const Vector & p)
{
  const Vector index = Mapped(PointToIndex(geometry), p);
  double       window = 5.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    window *= std::sin(pi * (index[axis] + 0.5) / static_cast<double>(geometry.grid.size[axis]));
  }
  return { p[0] + window, p[1] - 0.6 * window, p[2] + 0.4 * window };
}

/** Points at places of no order, and where the map takes them. */
PointPairs
MakePoints(const Geometry & geometry, int count)
{
  PointPairs pairs;
  for (int k = 0; k < count; ++k)
  {
    Vector index{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      index[axis] = (0.1 + 0.8 * testvolumes::UniformNoise(31 + axis, static_cast<std::uint64_t>(k))) *
                    static_cast<double>(geometry.grid.size[axis] - 1);
    }
    pairs.fixed.push_back(Mapped(IndexToPoint(geometry), index));
    pairs.moving.push_back(KnownMap(geometry, pairs.fixed.back()));
  }
  return pairs;
}

RegistrationImages
OnlyPoints(const Geometry & geometry, const PointPairs & points)
{
  RegistrationImages images;
  images.fixedGeometry = geometry;
  images.movingGeometry = geometry;
  images.points = points;
  return images;
}

double
Median(std::vector<double> values)
{
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double
Largest(const std::vector<double> & values)
{
  return *std::max_element(values.begin(), values.end());
}

std::vector<RegistrationParameters>
Methods()
{
  return MethodsWithLevels({ { { 4, 4, 4 }, 60 }, { { 2, 2, 2 }, 60 }, { { 1, 1, 1 }, 60 } });
}

class RegistrationPoints : public DeviceTest
{};

TEST_P(RegistrationPoints, AloneLeadToTheirPartners)
{
  const Geometry   geometry = MakeGeometry();
  const PointPairs points = MakePoints(geometry, 200);
  for (const RegistrationParameters & method : Methods())
  {
    const TermOutcome outcome = RunTerms(this->GetContext(), method, OnlyPoints(geometry, points));
    const auto &      distances = outcome.result.pointDistances;
    ASSERT_EQ(distances.before.size(), points.fixed.size());
    ASSERT_EQ(distances.after.size(), points.fixed.size());
    for (std::size_t k = 0; k < points.fixed.size(); ++k)
    {
      const Vector & x = points.fixed[k];
      const Vector & y = points.moving[k];
      EXPECT_NEAR(distances.before[k], std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]), 1e-4);
    }
    EXPECT_GT(Median(distances.before), 1.0);
    // What is asked of 200 points of a smooth map is 0.5 and 2 mm.
    EXPECT_LT(Median(distances.after), 0.1) << method.velocityMethod << ", symmetric " << method.isSymmetric;
    EXPECT_LT(Largest(distances.after), 0.5) << method.velocityMethod << ", symmetric " << method.isSymmetric;
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    EXPECT_LT(outcome.result.final.pointEnergy, 0.01 * outcome.result.iterations.front().pointEnergy);
    EXPECT_EQ(outcome.result.final.imageEnergy, 0.0);
  }
}

/** Distances are those of the field that is returned, interpolated linearly. */
TEST_P(RegistrationPoints, HaveTheDistancesOfTheField)
{
  const Geometry         geometry = MakeGeometry();
  PointPairs             points = MakePoints(geometry, 8);
  RegistrationParameters method = UnbiasedRegistrationParameters();
  method.levels = { { { 1, 1, 1 }, 4 } };
  // At voxels nothing is interpolated.
  std::vector<std::size_t> voxels;
  for (std::size_t k = 0; k < points.fixed.size(); ++k)
  {
    const Vector index{ 5.0 + 3.0 * static_cast<double>(k), 10.0 + static_cast<double>(k), 12.0 };
    points.fixed[k] = Mapped(IndexToPoint(geometry), index);
    points.moving[k] = KnownMap(geometry, points.fixed[k]);
    voxels.push_back(static_cast<std::size_t>(index[0] + 40.0 * (index[1] + 36.0 * index[2])));
  }
  RegistrationImages images = OnlyPoints(geometry, points);
  images.transform.offset = { 1.0, -2.0, 0.5 };
  const TermOutcome outcome = RunTerms(this->GetContext(), method, images);
  for (std::size_t k = 0; k < voxels.size(); ++k)
  {
    const float * const d = outcome.displacement.data() + 3 * voxels[k];
    const Vector &      x = points.fixed[k];
    const Vector &      y = points.moving[k];
    const double expected = std::hypot(x[0] + d[0] + 1.0 - y[0], x[1] + d[1] - 2.0 - y[1], x[2] + d[2] + 0.5 - y[2]);
    EXPECT_NEAR(outcome.result.pointDistances.after[k], expected, 1e-4);
  }
}

/** Points that contradict each other leave a map that keeps its bound. */
TEST_P(RegistrationPoints, ThatContradictEachOtherDoNotFold)
{
  const Geometry geometry = MakeGeometry();
  PointPairs     points = MakePoints(geometry, 100);
  std::rotate(points.moving.begin(), points.moving.begin() + 1, points.moving.end());
  points.standardDeviations = { 0.2 };
  for (const RegistrationParameters & method : Methods())
  {
    const TermOutcome outcome = RunTerms(this->GetContext(), method, OnlyPoints(geometry, points));
    EXPECT_EQ(outcome.result.jacobian.numberOfFoldedVoxels, 0);
    // Rounded otherwise than the determinants of the steps.
    EXPECT_GE(outcome.result.jacobian.minimum, method.jacobianBound - 1e-6);
    // The levels' energies have scales of their own.
    const RegistrationIteration & firstOfFinest = outcome.result.iterations[120];
    EXPECT_EQ(firstOfFinest.iteration, 0);
    EXPECT_LT(outcome.result.final.pointEnergy, firstOfFinest.pointEnergy);
  }
}

/** Swapping the points of a symmetric registration swaps the map and its inverse. */
TEST_P(RegistrationPoints, SwapTheMapsOfASymmetricRegistration)
{
  const Geometry         geometry = MakeGeometry();
  const PointPairs       points = MakePoints(geometry, 50);
  RegistrationParameters method = SymmetricRegistrationParameters();
  method.levels = { { { 2, 2, 2 }, 30 } };
  const auto runOf = [&](const PointPairs & pairs) {
    BothMaps outcome;
    outcome.displacement.resize(3 * static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
    outcome.inverse.resize(outcome.displacement.size());
    RegistrationOutputs outputs;
    outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
    outputs.inverse = { outcome.inverse.data(), 3, MemorySpace::Host };
    outcome.result = Register(this->GetContext(), method, OnlyPoints(geometry, pairs), outputs);
    return outcome;
  };
  PointPairs swapped = points;
  std::swap(swapped.fixed, swapped.moving);
  const BothMaps forth = runOf(points);
  const BothMaps back = runOf(swapped);
  EXPECT_LT(LargestDistance(forth.displacement, back.inverse), 1e-5);
  EXPECT_LT(LargestDistance(forth.inverse, back.displacement), 1e-5);
}

PhantomPair
MakeImages(const Geometry & geometry)
{
  PhantomPair pair;
  pair.geometry = geometry;
  const AffineMap toPoint = IndexToPoint(geometry);
  const auto      phantom = [&](const Vector & p) {
    return static_cast<float>(100.0 * (std::sin(0.4 * p[0]) + std::cos(0.35 * p[1]) + std::sin(0.3 * p[2] + 1.0)));
  };
  ForEachVoxel(std::array<double, 3>{ 40, 36, 30 }, [&](double x, double y, double z) {
    const Vector p = Mapped(toPoint, { x, y, z });
    pair.moving.push_back(phantom(p));
    pair.fixed.push_back(phantom(KnownMap(geometry, p)));
  });
  return pair;
}

TEST_P(RegistrationPoints, OfWeight0LeaveTheBits)
{
  const Geometry    geometry = MakeGeometry();
  const PhantomPair pair = MakeImages(geometry);
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 4, 4, 4 }, 8 }, { { 2, 2, 2 }, 8 }, { { 1, 1, 1 }, 8 } };
    RegistrationImages images = ImagesOf(pair);
    const TermOutcome  alone = RunTerms(this->GetContext(), method, images);
    images.points = MakePoints(geometry, 20);
    method.pointWeight = 0.0;
    const TermOutcome withPoints = RunTerms(this->GetContext(), method, images);
    EXPECT_EQ(withPoints.displacement, alone.displacement);
    EXPECT_EQ(withPoints.result.pointDistances.after.size(), 20u);
  }
}

/** Points that the images confirm are met better than by the images alone, and the images as well as before. */
TEST_P(RegistrationPoints, JoinImages)
{
  const Geometry    geometry = MakeGeometry();
  const PhantomPair pair = MakeImages(geometry);
  for (RegistrationParameters method : Methods())
  {
    RegistrationImages images = ImagesOf(pair);
    images.points = MakePoints(geometry, 100);
    method.pointWeight = 0.0;
    const TermOutcome alone = RunTerms(this->GetContext(), method, images);
    method.pointWeight = 1.0;
    const TermOutcome joined = RunTerms(this->GetContext(), method, images);
    EXPECT_LT(Median(joined.result.pointDistances.after), 0.2);
    EXPECT_LT(Largest(joined.result.pointDistances.after), 1.0);
    EXPECT_LT(Largest(joined.result.pointDistances.after), Largest(alone.result.pointDistances.after));
    EXPECT_LT(joined.result.final.imageEnergy, 1.2 * alone.result.final.imageEnergy + 1e-3);
  }
}

TEST_P(RegistrationPoints, AgreeWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "compares a CUDA device with the CPU";
  }
  const Geometry    geometry = MakeGeometry();
  const PhantomPair pair = MakeImages(geometry);
  Context           cpu{ Device{} };
  for (RegistrationParameters method : Methods())
  {
    method.levels = { { { 1, 1, 1 }, 30 } };
    RegistrationImages images = ImagesOf(pair);
    images.points = MakePoints(geometry, 700);
    const TermOutcome onGpu = RunTerms(this->GetContext(), method, images);
    const TermOutcome onCpu = RunTerms(cpu, method, images);
    // Iterations of float32 that differ in rounding.
    EXPECT_LT(LargestDistance(onGpu.displacement, onCpu.displacement), 0.05);
    EXPECT_NEAR(onGpu.result.final.pointEnergy, onCpu.result.final.pointEnergy, 1e-4);
  }
}

TEST_P(RegistrationPoints, AreRefusedWithTheValue)
{
  const Geometry geometry = MakeGeometry();
  const auto     messageOf = [&](const auto & change) {
    RegistrationImages     images = OnlyPoints(geometry, MakePoints(geometry, 5));
    RegistrationParameters method = UnbiasedRegistrationParameters();
    method.levels = { { { 1, 1, 1 }, 1 } };
    change(images, method);
    return RefusalOf([&] { RunTerms(this->GetContext(), method, images); });
  };
  const auto expect = [&](const char * text, const auto & change) {
    const std::string message = messageOf(change);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  expect("fixed point 3 is (", [](RegistrationImages & i, auto &) { i.points.fixed[2] = { 500.0, 0.0, 0.0 }; });
  expect("moving point 3 is (", [](RegistrationImages & i, auto &) { i.points.moving[2] = { 500.0, 0.0, 0.0 }; });
  expect("it must be finite", [](RegistrationImages & i, auto &) { i.points.moving[2][1] = NAN; });
  expect("another than point 2", [](RegistrationImages & i, auto &) { i.points.fixed[3] = i.points.fixed[1]; });
  expect("number of moving points is 4", [](RegistrationImages & i, auto &) { i.points.moving.pop_back(); });
  expect("standard deviations of points is 2", [](RegistrationImages & i, auto &) {
    i.points.standardDeviations = { 1.0, 1.0 };
  });
  expect("standard deviation of point 1 is 0",
         [](RegistrationImages & i, auto &) { i.points.standardDeviations = { 0.0 }; });
  expect("weights of all channels, points and labels is 0",
         [](RegistrationImages &, RegistrationParameters & p) { p.pointWeight = 0.0; });
  expect("images, points and labels is 0", [](RegistrationImages & i, auto &) { i.points = {}; });
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationPoints);

} // namespace
