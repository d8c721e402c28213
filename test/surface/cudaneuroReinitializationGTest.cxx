// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Distances to the zero level of a field, against brute force and where they are known.

#include "ZeroLevelTestCases.h"

#include <algorithm>
#include <limits>

using namespace distancetests;
using namespace testvolumes;
using cudaneuro::ConstVolume;
using cudaneuro::Grid;
using cudaneuro::Volume;

namespace
{

/** A field with the same zero level and gradients of other lengths, from 0.2 to 5 and more. */
Field
Distorted(const Field & field)
{
  return [=](const Point & point) {
    const double value = field(point);
    const double scale = std::exp(std::log(5.0) * std::sin(0.3 * point[0] + 0.2 * point[1] - 0.25 * point[2]));
    return scale * (value + 0.3 * value * value * value);
  };
}

/** The zero level of the linear functions in the six tetrahedra of each cell. In a tetrahedron it is the convex hull
 * of three or four points in a plane, which all triangles of three of them cover. */
Mesh
ZeroLevel(const Grid & grid, const std::vector<float> & field)
{
  Mesh       mesh;
  const auto indexOf = [&](const std::array<int, 3> & voxel) {
    return (voxel[2] * grid.size[1] + voxel[1]) * grid.size[0] + voxel[0];
  };
  const auto addTetrahedron = [&](const std::array<std::int64_t, 4> & corners) {
    std::vector<std::int32_t> zeros;
    for (int i = 0; i < 4; ++i)
    {
      for (int j = 0; j < 4; ++j)
      {
        const double a = field[corners[i]];
        const double b = field[corners[j]];
        if (a < 0.0 && b >= 0.0)
        {
          zeros.push_back(static_cast<std::int32_t>(mesh.points.size()));
          mesh.points.push_back((b / (b - a)) * CenterOf(grid, corners[i]) +
                                (a / (a - b)) * CenterOf(grid, corners[j]));
        }
      }
    }
    for (std::size_t i = 0; i < zeros.size(); ++i)
    {
      for (std::size_t j = i + 1; j < zeros.size(); ++j)
      {
        for (std::size_t k = j + 1; k < zeros.size(); ++k)
        {
          mesh.triangles.push_back({ zeros[i], zeros[j], zeros[k] });
        }
      }
    }
  };
  for (int z = 0; z + 1 < grid.size[2]; ++z)
  {
    for (int y = 0; y + 1 < grid.size[1]; ++y)
    {
      for (int x = 0; x + 1 < grid.size[0]; ++x)
      {
        std::array<int, 3> axes{ 0, 1, 2 };
        do
        {
          std::array<int, 3>          voxel{ x, y, z };
          std::array<std::int64_t, 4> corners{ indexOf(voxel) };
          for (int step = 0; step < 3; ++step)
          {
            ++voxel[axes[step]];
            corners[step + 1] = indexOf(voxel);
          }
          addTetrahedron(corners);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return mesh;
}

/** Subtracts from each voxel the mean of the linear interpolation of \p values where that of the field is 0, between
 * the voxel and its neighbors along the axes, unless that changes the sign. */
std::vector<double>
KeepingZeros(const Grid & grid, const std::vector<float> & field, const std::vector<double> & values, double reach)
{
  std::vector<double>               kept = values;
  const std::array<std::int64_t, 3> step{ 1, grid.size[0], grid.VoxelsPerPlane() };
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    double sum = 0.0;
    int    count = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
      const std::int64_t coordinate = i / step[axis] % grid.size[axis];
      for (const int way : { -1, 1 })
      {
        const bool         isOnGrid = coordinate + way >= 0 && coordinate + way < grid.size[axis];
        const std::int64_t j = isOnGrid ? i + way * step[axis] : i;
        const bool         isWithinReach = std::abs(values[i]) < reach && std::abs(values[j]) < reach;
        if ((field[i] < 0.0f) != (field[j] < 0.0f) && isWithinReach)
        {
          const double a = field[i];
          const double b = field[j];
          sum += (b * values[i] - a * values[j]) / (b - a);
          ++count;
        }
      }
    }
    const double corrected = count > 0 ? values[i] - sum / count : values[i];
    kept[i] = (corrected < 0.0) == (values[i] < 0.0) ? corrected : values[i];
  }
  return kept;
}

/** What ReinitializeSignedDistance is to give. */
std::vector<double>
ReferenceReinitialized(const Grid &                grid,
                       const std::vector<float> &  field,
                       const std::vector<double> & distances,
                       double                      reach)
{
  return KeepingZeros(grid, field, Signed(field, distances, reach), reach);
}

class Reinitialization : public DeviceTest
{
protected:
  std::vector<float>
  Reinitialized(const Grid & grid, const std::vector<float> & field, double reach)
  {
    std::vector<float> values(field.size());
    ReinitializeSignedDistance(this->GetContext(), { reach }, grid, ConstView(field), View(values));
    return values;
  }
};

} // namespace

TEST_P(Reinitialization, AgreesWithBruteForce)
{
  for (const std::uint64_t seed : { 1U, 2U })
  {
    const Grid                grid = MakeGrid({ 12, 11, 10 }, { 0.8, 1.0, 1.3 });
    const std::vector<float>  field = RandomField(grid, seed);
    const std::vector<double> distances = DistancesToMesh(grid, ZeroLevel(grid, field));
    for (const double reach : { 0.1, 2.5, 100.0 })
    {
      ExpectNear(this->Reinitialized(grid, field, reach), ReferenceReinitialized(grid, field, distances, reach));
    }
  }
}

TEST_P(Reinitialization, AgreesWithBruteForceThinVolumes)
{
  for (const auto & size : { std::array<std::int64_t, 3>{ 2, 17, 9 }, { 40, 2, 5 }, { 6, 7, 2 } })
  {
    const Grid                grid = MakeGrid(size);
    const std::vector<float>  field = RandomField(grid, 3);
    const std::vector<double> distances = DistancesToMesh(grid, ZeroLevel(grid, field));
    ExpectNear(this->Reinitialized(grid, field, 3.0), ReferenceReinitialized(grid, field, distances, 3.0));
  }
}

/** Linear interpolation of a linear function is that function: nothing but rounding is wrong with the distance to a
 * plane, of voxels whose nearest point of the plane is well inside the grid. */
TEST_P(Reinitialization, PlaneIsExact)
{
  const Grid   grid = MakeGrid({ 24, 22, 20 }, { 1.0, 0.9, 1.1 });
  const Point  normal = (1.0 / std::sqrt(14.0)) * Point{ 3.0, -2.0, 1.0 };
  const Point  middle{ 11.5, 9.45, 10.45 };
  const double reach = 4.0;
  for (const double scale : { 0.2, 1.0, 5.0 })
  {
    const std::vector<float> values =
      this->Reinitialized(grid, Sample(grid, [&](const Point & p) { return scale * Dot(normal, p - middle); }), reach);
    const std::vector<float> again = this->Reinitialized(grid, values, reach);
    for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
    {
      const Point  center = CenterOf(grid, i);
      const double distance = Dot(normal, center - middle);
      const Point  foot = center - distance * normal;
      double       toBorder = HUGE_VAL;
      for (int axis = 0; axis < 3; ++axis)
      {
        const double end = grid.spacing[axis] * static_cast<double>(grid.size[axis] - 1);
        toBorder = std::min({ toBorder, foot[axis], end - foot[axis] });
      }
      // A neighbor whose nearest point is not on the grid has another distance.
      if (toBorder >= 1.5)
      {
        ASSERT_NEAR(values[i], std::clamp(distance, -reach, reach), fieldTolerance);
      }
      // The second time, the cells at the border have distances to the border of the plane.
      if (toBorder >= 3.0)
      {
        ASSERT_NEAR(again[i], values[i], 2.0 * fieldTolerance);
      }
    }
  }
}

/** The zero level of linear interpolation is h^2 times curvatures away from that of the field: half the spacing
 * leaves a quarter of the error, here a third at most. */
TEST_P(Reinitialization, BallIsRightToSecondOrder)
{
  const auto errorAt = [this](double spacing, bool isDistorted) {
    const auto  size = static_cast<std::int64_t>(24.0 / spacing);
    const Grid  grid = MakeGrid({ size, size, size }, { spacing, spacing, spacing });
    const Field ball = Ball({ 11.7, 11.9, 12.1 }, 7.0);
    const auto  values = this->Reinitialized(grid, Sample(grid, isDistorted ? Distorted(ball) : ball), 3.0);
    double      largest = 0.0;
    for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
    {
      const double expected = std::clamp(ball(CenterOf(grid, i)), -3.0, 3.0);
      largest = std::max(largest, std::abs(values[i] - expected));
    }
    return largest;
  };
  for (const bool isDistorted : { false, true })
  {
    const double coarse = errorAt(1.0, isDistorted);
    const double fine = errorAt(0.5, isDistorted);
    // Chords of the cells' diagonals, 3 h^2 / (8 R) = 0.054 mm; the distortion's second derivative is ten times as
    // much.
    EXPECT_LE(coarse, isDistorted ? 0.5 : 0.06);
    EXPECT_LE(fine, coarse / 3.0) << isDistorted;
  }
}

/** The zero level remains where it is, to what the documentation says: a ball of 10 voxels loses 0.004 % of its
 * volume each time, and 0.15 % if zeros were not kept. The volume is that before the zeros along x, by linear
 * interpolation. */
TEST_P(Reinitialization, RepetitionKeepsTheVolume)
{
  const Grid grid = MakeGrid({ 34, 34, 34 });
  const auto volumeOf = [](const std::vector<float> & values) {
    double volume = 0.0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i)
    {
      const double a = values[i];
      const double b = values[i + 1];
      volume +=
        a < 0.0 && b < 0.0 ? 1.0 : ((a < 0.0) != (b < 0.0) ? std::min(a, b) / (std::min(a, b) - std::max(a, b)) : 0.0);
    }
    return volume;
  };
  std::vector<float> values = Sample(grid, Ball({ 16.6, 16.7, 16.8 }, 10.0));
  const double       before = volumeOf(values);
  for (int pass = 0; pass < 6; ++pass)
  {
    values = this->Reinitialized(grid, values, 5.0);
  }
  EXPECT_NEAR(volumeOf(values) / before, 1.0, 6 * 6e-5);
}

/** Zeros at grid points are outside and have distance 0; the surface passes through them. */
TEST_P(Reinitialization, ZerosAtGridPoints)
{
  const Grid               grid = MakeGrid({ 11, 9, 8 });
  const std::vector<float> values =
    this->Reinitialized(grid, Sample(grid, [](const Point & p) { return 3.0 * (p[0] - 4.0); }), 5.0);
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    ASSERT_NEAR(values[i], std::clamp(CenterOf(grid, i)[0] - 4.0, -5.0, 5.0), fieldTolerance);
  }
  // One point inside, among zeros: a surface without extent there.
  std::vector<float> single(static_cast<std::size_t>(grid.NumberOfVoxels()), 0.0f);
  single[11 * 9 * 4 + 11 * 4 + 5] = -1.0f;
  const std::vector<float> near = this->Reinitialized(grid, single, 5.0);
  EXPECT_EQ(near[11 * 9 * 4 + 11 * 4 + 4], 0.0f);
  EXPECT_EQ(near[11 * 9 * 4 + 11 * 4 + 2], 2.0f);
  const std::vector<double> distances = DistancesToMesh(grid, ZeroLevel(grid, single));
  ExpectNear(near, ReferenceReinitialized(grid, single, distances, 5.0));
}

TEST_P(Reinitialization, AllPixelTypes)
{
  const Grid               grid = MakeGrid({ 17, 14, 12 });
  const std::vector<float> field = Sample(grid, Distorted(Ball({ 8.0, 7.0, 6.0 }, 4.0)));
  const std::vector<float> expected = this->Reinitialized(grid, field, 3.0);
  std::vector<float>       floats = field;
  std::vector<double>      doubles(field.begin(), field.end());
  ReinitializeSignedDistance(this->GetContext(), { 3.0 }, grid, ConstView(floats), View(floats));
  EXPECT_EQ(floats, expected) << "in place";
  ReinitializeSignedDistance(this->GetContext(), { 3.0 }, grid, ConstView(doubles), View(doubles));
  EXPECT_EQ(doubles, std::vector<double>(expected.begin(), expected.end())) << "in place";

  const std::vector<short> shorts(field.begin(), field.end());
  std::vector<short>       rounded(field.size());
  const std::vector<float> ofShorts = this->Reinitialized(grid, std::vector<float>(shorts.begin(), shorts.end()), 3.0);
  ReinitializeSignedDistance(this->GetContext(), { 3.0 }, grid, ConstView(shorts), View(rounded));
  for (std::size_t i = 0; i < rounded.size(); ++i)
  {
    EXPECT_EQ(rounded[i], std::nearbyint(ofShorts[i]));
  }
}

TEST_P(Reinitialization, DeviceMemory)
{
  const Grid                    grid = MakeGrid({ 17, 14, 12 });
  const std::vector<float>      field = Sample(grid, Ball({ 8.0, 7.0, 6.0 }, 4.0));
  const cudaneuro::DeviceMemory memory = AllocateDeviceMemory(this->GetParam(), field.size() * sizeof(float));
  const auto         space = this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const Volume       onDevice{ memory.Data(), cudaneuro::PixelType::Float, space };
  const ConstVolume  constOnDevice{ onDevice.data, onDevice.type, onDevice.space };
  std::vector<float> values(field.size());
  CopyVolume(this->GetContext(), grid, ConstView(field), onDevice);
  ReinitializeSignedDistance(this->GetContext(), { 3.0 }, grid, constOnDevice, onDevice);
  CopyVolume(this->GetContext(), grid, constOnDevice, View(values));
  EXPECT_EQ(values, this->Reinitialized(grid, field, 3.0));
}

TEST_P(Reinitialization, IsTheSameOnTheCpu)
{
  const Grid               grid = MakeGrid({ 30, 29, 28 }, { 1.0, 1.1, 0.9 });
  const std::vector<float> field = RandomField(grid, 5);
  const std::vector<float> values = this->Reinitialized(grid, field, 4.0);
  EXPECT_EQ(values, this->Reinitialized(grid, field, 4.0)) << "twice";
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  std::vector<float> expected(values.size());
  ReinitializeSignedDistance(cpu, { 4.0 }, grid, ConstView(field), View(expected));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    ASSERT_NEAR(values[i], expected[i], fieldTolerance);
  }
}

/** The GPU takes cells in another order each time, and leaves out those that are farther than what it has found:
 * what it finds must not depend on that. Far from the surface many cells are nearly as near as the nearest one, and
 * often rounding decides. */
TEST_P(Reinitialization, IsTheSameEachTime)
{
  const Grid  grid = MakeGrid({ 27, 23, 19 }, { 0.9, 1.2, 1.5 });
  const Point middle{ 11.7, 13.2, 13.5 };
  const auto  wavyBall = [&](const Point & point) {
    const Point q = point - middle;
    const Point p{ 0.8 * q[0] - 0.6 * q[1], 0.6 * q[0] + 0.8 * q[1], q[2] };
    return Length(p) - 6.0 - 0.1 * std::sin(2.0 * p[0]) * std::cos(1.5 * p[1] + p[2]);
  };
  for (const std::vector<float> & field : { Sample(grid, wavyBall), RandomField(grid, 7) })
  {
    for (const double reach : { 1.7, 5.0, 12.0 })
    {
      const std::vector<float> first = this->Reinitialized(grid, field, reach);
      // The processor keeps to one order.
      const int repetitions = this->GetParam().IsCuda() ? 50 : 1;
      for (int i = 0; i < repetitions; ++i)
      {
        ASSERT_EQ(this->Reinitialized(grid, field, reach), first) << "reach " << reach << ", repetition " << i;
      }
    }
  }
}

TEST_P(Reinitialization, Errors)
{
  const Grid               grid = MakeGrid({ 9, 8, 7 });
  const std::vector<float> field = Sample(grid, Ball({ 4.0, 4.0, 3.0 }, 2.0));
  std::vector<float>       values = field;
  for (const float bad : { std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity() })
  {
    values[17] = values[300] = bad;
    ExpectRefused([&] { this->Reinitialized(grid, values, 3.0); }, "not finite is 2");
  }
  const std::vector<float> positive(values.size(), 1.0f);
  ExpectRefused([&] { this->Reinitialized(grid, positive, 3.0); }, "zero level of the input passes is 0");
  const Grid flat = MakeGrid({ 9, 56, 1 });
  ExpectRefused([&] { this->Reinitialized(flat, field, 3.0); }, "size[2] is 1");
}

TEST_P(Reinitialization, ProgressAndAbort)
{
  const Grid               grid = MakeGrid({ 40, 40, 40 });
  const std::vector<float> field = Sample(grid, Ball({ 20.0, 20.0, 20.0 }, 12.0));
  float                    last = 0.0f;
  this->GetContext().SetProgressFunction([&last](float fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
    return true;
  });
  this->Reinitialized(grid, field, 3.0);
  EXPECT_EQ(last, 1.0f);
  this->GetContext().SetProgressFunction([](float fraction) { return fraction < 0.1f; });
  EXPECT_THROW(this->Reinitialized(grid, field, 3.0), cudaneuro::Aborted);
}

CUDANEURO_TEST_ON_ALL_DEVICES(Reinitialization);
