// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Distances to labels, against brute force and where they are known.

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

/** The middles of neighbors of which one is inside, as triangles of a point. */
Mesh
Midpoints(const Grid & grid, const std::vector<float> & field)
{
  Mesh mesh;
  for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
  {
    const std::array<std::int64_t, 3> step{ 1, grid.size[0], grid.VoxelsPerPlane() };
    for (int axis = 0; axis < 3; ++axis)
    {
      const bool isLast = i / step[axis] % grid.size[axis] == grid.size[axis] - 1;
      if (!isLast && (field[i] < 0.0f) != (field[i + step[axis]] < 0.0f))
      {
        const auto point = static_cast<std::int32_t>(mesh.points.size());
        mesh.points.push_back(0.5 * (CenterOf(grid, i) + CenterOf(grid, i + step[axis])));
        mesh.triangles.push_back({ point, point, point });
      }
    }
  }
  return mesh;
}

std::vector<short>
ToLabels(const std::vector<float> & field, short inside)
{
  std::vector<short> labels;
  for (const float value : field)
  {
    labels.push_back(value < 0.0f ? inside : static_cast<short>(labels.size() % 3));
  }
  return labels;
}

class LabelDistance : public DeviceTest
{
protected:
  template <typename T>
  std::vector<float>
  DistanceToLabel(const Grid & grid, const std::vector<T> & labels, double label, double reach)
  {
    std::vector<float> values(labels.size());
    SignedDistanceOfLabel(this->GetContext(), { reach }, label, grid, ConstView(labels), View(values));
    return values;
  }
};

} // namespace

TEST_P(LabelDistance, AgreesWithBruteForce)
{
  const Grid               grid = MakeGrid({ 15, 13, 11 }, { 0.8, 1.0, 1.3 });
  const std::vector<float> field = RandomField(grid, 4);
  const std::vector<short> labels = ToLabels(field, 300);
  const auto               distances = DistancesToMesh(grid, Midpoints(grid, field));
  for (const double reach : { 0.1, 3.0, 100.0 })
  {
    ExpectNear(this->DistanceToLabel(grid, labels, 300.0, reach), Signed(field, distances, reach));
  }
}

TEST_P(LabelDistance, AllPixelTypes)
{
  const Grid                       grid = MakeGrid({ 15, 13, 11 });
  const std::vector<float>         field = RandomField(grid, 4);
  const std::vector<short>         labels = ToLabels(field, 200);
  const std::vector<float>         expected = this->DistanceToLabel(grid, labels, 200.0, 3.0);
  const std::vector<unsigned char> bytes(labels.begin(), labels.end());
  EXPECT_EQ(this->DistanceToLabel(grid, bytes, 200.0, 3.0), expected);
  const std::vector<unsigned short> words(labels.begin(), labels.end());
  EXPECT_EQ(this->DistanceToLabel(grid, words, 200.0, 3.0), expected);
  std::vector<double> doubles(labels.begin(), labels.end());
  EXPECT_EQ(this->DistanceToLabel(grid, doubles, 200.0, 3.0), expected);
  // Neighbors of 200 in double precision are other labels.
  for (double & value : doubles)
  {
    value = value == 0.0 ? std::nextafter(200.0, 300.0) : value;
  }
  EXPECT_EQ(this->DistanceToLabel(grid, doubles, 200.0, 3.0), expected);
  std::vector<float> floats(labels.begin(), labels.end());
  SignedDistanceOfLabel(this->GetContext(), { 3.0 }, 200.0, grid, ConstView(floats), View(floats));
  EXPECT_EQ(floats, expected) << "in place";
}

/** The errors that the documentation states, of planes at all places between voxels and of balls. */
TEST_P(LabelDistance, PlanesAndBalls)
{
  const Grid  grid = MakeGrid({ 40, 40, 40 });
  const Point middle{ 19.5, 19.5, 19.5 };
  const auto  plane = [&](const Point & normal) -> Field {
    return [=](const Point & p) { return Dot(normal, p - middle) / Length(normal); };
  };
  const std::vector<std::pair<Field, double>> cases{
    { plane({ 1.0, 0.0, 0.0 }), 0.29 }, { plane({ 1.0, 1.0, 0.0 }), 0.22 }, { plane({ 1.0, 1.0, 1.0 }), 0.26 },
    { plane({ 3.0, 2.0, 1.0 }), 0.21 }, { Ball(middle, 5.0), 0.22 },        { Ball(middle, 10.0), 0.22 }
  };
  for (std::size_t c = 0; c < cases.size(); ++c)
  {
    double squares = 0.0;
    int    count = 0;
    for (const double offset : { -0.4, -0.2, 0.0, 0.2, 0.4 })
    {
      const Field field = [&](const Point & p) { return cases[c].first(p + Point{ offset, 0.7 * offset, 0.3 }); };
      const auto  values = this->DistanceToLabel(grid, ToLabels(Sample(grid, field), 3), 3.0, 4.0);
      for (std::int64_t i = 0; i < grid.NumberOfVoxels(); ++i)
      {
        const Point  center = CenterOf(grid, i);
        const double expected = field(center);
        const Point  fromMiddle = center - middle;
        const double farthest = std::max({ std::abs(fromMiddle[0]), std::abs(fromMiddle[1]), std::abs(fromMiddle[2]) });
        if (std::abs(expected) < 2.5 && farthest < 14.0)
        {
          squares += (values[i] - expected) * (values[i] - expected);
          ++count;
        }
      }
    }
    EXPECT_LE(std::sqrt(squares / count), cases[c].second) << "case " << c;
  }
}

TEST_P(LabelDistance, DeviceMemory)
{
  const Grid                    grid = MakeGrid({ 17, 14, 12 });
  const std::vector<short>      labels = ToLabels(RandomField(grid, 6), 7);
  const cudaneuro::DeviceMemory memory = AllocateDeviceMemory(this->GetParam(), labels.size() * sizeof(short));
  const auto         space = this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const Volume       onDevice{ memory.Data(), cudaneuro::PixelType::Short, space };
  const ConstVolume  input{ onDevice.data, onDevice.type, onDevice.space };
  std::vector<float> values(labels.size());
  CopyVolume(this->GetContext(), grid, ConstView(labels), onDevice);
  SignedDistanceOfLabel(this->GetContext(), { 3.0 }, 7.0, grid, input, View(values));
  EXPECT_EQ(values, this->DistanceToLabel(grid, labels, 7.0, 3.0));
}

TEST_P(LabelDistance, IsTheSameOnTheCpu)
{
  const Grid               grid = MakeGrid({ 40, 39, 38 }, { 1.0, 1.1, 0.9 });
  const std::vector<short> labels = ToLabels(RandomField(grid, 5), 7);
  const std::vector<float> values = this->DistanceToLabel(grid, labels, 7.0, 4.0);
  EXPECT_EQ(values, this->DistanceToLabel(grid, labels, 7.0, 4.0)) << "twice";
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  std::vector<float> expected(values.size());
  SignedDistanceOfLabel(cpu, { 4.0 }, 7.0, grid, ConstView(labels), View(expected));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    ASSERT_NEAR(values[i], expected[i], fieldTolerance);
  }
}

TEST_P(LabelDistance, Errors)
{
  const Grid               grid = MakeGrid({ 9, 8, 7 });
  const std::vector<short> labels = ToLabels(RandomField(grid, 1), 5);
  const std::vector<short> all(labels.size(), 5);
  const double             nan = std::numeric_limits<double>::quiet_NaN();
  ExpectRefused([&] { this->DistanceToLabel(MakeGrid({ 9, 56, 1 }), labels, 5.0, 3.0); }, "size[2] is 1");
  ExpectRefused([&] { this->DistanceToLabel(grid, all, 5.0, 3.0); }, "label is 5");
  ExpectRefused([&] { this->DistanceToLabel(grid, labels, 5.5, 3.0); }, "label is 5.5");
  ExpectRefused([&] { this->DistanceToLabel(grid, labels, nan, 3.0); }, "label is nan");
}

CUDANEURO_TEST_ON_ALL_DEVICES(LabelDistance);
