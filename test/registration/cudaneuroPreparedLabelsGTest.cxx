// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "cudaneuro/ImageOperations.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "registration/labels/PrepareLabels.h"

#include <cmath>
#include <map>

/** Maps of labels on the grids of a registration: what is resampled and shrunk against slow references, and what is
 * refused. */
namespace
{

using namespace cudaneuro;

using Codes = std::vector<std::uint16_t>;

Geometry
MakeGeometry(const std::array<std::int64_t, 3> & size, const std::array<double, 3> & spacing)
{
  Geometry geometry;
  geometry.grid = testvolumes::MakeGrid(size, spacing);
  return geometry;
}

template <typename T>
std::vector<T>
MakeLabels(const Grid & grid, std::uint64_t seed, int count)
{
  std::vector<T> labels(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < labels.size(); ++i)
  {
    labels[i] = static_cast<T>(count * testvolumes::UniformNoise(seed, i));
  }
  return labels;
}

std::array<double, 3>
Mapped(const AffineMap & map, const std::array<double, 3> & p)
{
  std::array<double, 3> q = map.offset;
  for (std::size_t row = 0; row < 3; ++row)
  {
    for (std::size_t column = 0; column < 3; ++column)
    {
      q[row] += map.matrix[3 * row + column] * p[column];
    }
  }
  return q;
}

/** The code of the nearest voxel to a continuous index, none outside the grid; -1 where rounding decides which. */
template <typename T>
int
NearestCode(const Grid & grid, const std::vector<T> & labels, const std::array<double, 3> & position)
{
  std::int64_t index = 0;
  bool         isInside = true;
  for (std::size_t axis = 3; axis-- > 0;)
  {
    const double shifted = position[axis] + 0.5;
    // Displacements are float, and small.
    if (std::abs(shifted - std::round(shifted)) < 1e-4)
    {
      return -1;
    }
    const auto voxel = static_cast<std::int64_t>(std::floor(shifted));
    isInside = isInside && voxel >= 0 && voxel < grid.size[axis];
    index = index * grid.size[axis] + voxel;
  }
  return isInside ? labels[static_cast<std::size_t>(index)] : noLabel;
}

/** Maps of labels with grids of their own, and where they are seen in a third grid. */
struct PlacedLabels
{
  Geometry                   fixedGeometry = MakeGeometry({ 12, 9, 8 }, { 1.0, 1.5, 1.2 });
  Geometry                   movingGeometry = MakeGeometry({ 9, 13, 7 }, { 1.3, 0.8, 1.4 });
  std::vector<unsigned char> fixed = MakeLabels<unsigned char>(fixedGeometry.grid, 1, 250);
  Codes                      moving = MakeLabels<std::uint16_t>(movingGeometry.grid, 2, 60000);
  LabelPlaces                places;
  std::vector<float>         field[3];

  PlacedLabels()
  {
    fixedGeometry.origin = { -1.0, 2.0, 0.3 };
    movingGeometry.origin = { 0.4, 1.0, 0.2 };
    movingGeometry.direction = { 0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0 };
    places.geometry = MakeGeometry({ 11, 10, 7 }, { 1.1, 1.2, 1.3 });
    places.toFixed = { { 0.96, 0.28, 0.0, -0.28, 0.96, 0.0, 0.0, 0.0, 1.0 }, { -0.3, 1.7, 0.2 } };
    places.toMoving = { { 1.0, 0.0, 0.1, 0.05, 0.9, 0.0, 0.0, -0.1, 1.1 }, { 0.2, -0.4, 0.6 } };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::int64_t i = 0; i < places.geometry.grid.NumberOfVoxels(); ++i)
      {
        field[axis].push_back(static_cast<float>(3.0 * testvolumes::UniformNoise(5 + axis, i) - 1.5));
      }
    }
  }

  LabelPair
  Pair() const
  {
    LabelPair pair;
    pair.fixedGeometry = fixedGeometry;
    pair.fixed = ConstView(fixed);
    pair.movingGeometry = movingGeometry;
    pair.moving = ConstView(moving);
    return pair;
  }
};

class PreparedLabelsOn : public DeviceTest
{
protected:
  Codes
  Download(const DeviceMemory & memory, const Extent & extent)
  {
    const std::int64_t voxels = NumberOfVoxels(extent);
    Codes              codes(static_cast<std::size_t>(voxels));
    CopyVolume(this->GetContext(),
               testvolumes::MakeGrid({ voxels, 1, 1 }),
               { memory.Data(), PixelType::UnsignedShort, MemorySpaceOf(this->GetContext()) },
               View(codes));
    return codes;
  }

  struct Both
  {
    Codes fixed;
    Codes moving;
  };

  Both
  Prepare(const LabelPair & pair, const LabelPlaces & places)
  {
    Both both;
    RunDeviceJob(this->GetContext(), [&] {
      const PreparedLabels prepared = PrepareLabels(this->GetContext(), pair, places);
      both.fixed = this->Download(prepared.fixed, prepared.extent);
      both.moving = this->Download(prepared.moving, prepared.extent);
    });
    return both;
  }
};

/** Counts the voxels that have a label and those that have none, and expects what \p expectedOf says. */
template <typename TExpected>
void
ExpectCodes(const Grid & grid, const Codes & codes, const TExpected & expectedOf)
{
  std::array<int, 2> counts{ 0, 0 };
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    const int expected = expectedOf({ double(x), double(y), double(z) }, i);
    if (expected >= 0)
    {
      ++counts[expected == noLabel ? 1 : 0];
      EXPECT_EQ(codes[i], expected) << "voxel " << x << ' ' << y << ' ' << z;
    }
  });
  EXPECT_GT(counts[0], 100);
  EXPECT_GT(counts[1], 20);
}

TEST_P(PreparedLabelsOn, AreThoseOfTheNearestVoxels)
{
  PlacedLabels placed;
  const Grid & grid = placed.places.geometry.grid;
  Both         both;
  RunDeviceJob(this->GetContext(), [&] {
    UploadedVolumes uploaded(this->GetContext());
    placed.places.field.x = uploaded.Upload(placed.field[0]);
    placed.places.field.y = uploaded.Upload(placed.field[1]);
    placed.places.field.z = uploaded.Upload(placed.field[2]);
    both = this->Prepare(placed.Pair(), placed.places);
  });
  const AffineMap toPoint = IndexToPoint(placed.places.geometry);
  const AffineMap toFixed = Compose(PointToIndex(placed.fixedGeometry), Compose(placed.places.toFixed, toPoint));
  const AffineMap toMoving = Compose(PointToIndex(placed.movingGeometry), Compose(placed.places.toMoving, toPoint));
  ExpectCodes(grid, both.fixed, [&](const std::array<double, 3> & index, std::size_t) {
    return NearestCode(placed.fixedGeometry.grid, placed.fixed, Mapped(toFixed, index));
  });
  ExpectCodes(grid, both.moving, [&](std::array<double, 3> index, std::size_t i) {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      index[axis] += static_cast<double>(placed.field[axis][i]);
    }
    return NearestCode(placed.movingGeometry.grid, placed.moving, Mapped(toMoving, index));
  });
}

TEST_P(PreparedLabelsOn, OfOneGridAreTheirCopies)
{
  const Geometry geometry = MakeGeometry({ 9, 7, 5 }, { 1.0, 0.7, 1.2 });
  const Codes    fixed = MakeLabels<std::uint16_t>(geometry.grid, 1, 65534);
  const Codes    moving = MakeLabels<std::uint16_t>(geometry.grid, 2, 60);
  LabelPair      pair;
  pair.fixedGeometry = geometry;
  pair.movingGeometry = geometry;
  pair.fixed = ConstView(fixed);
  pair.moving = ConstView(moving);
  LabelPlaces places;
  places.geometry = geometry;
  const Both both = this->Prepare(pair, places);
  EXPECT_EQ(both.fixed, fixed);
  EXPECT_EQ(both.moving, moving);
}

TEST_P(PreparedLabelsOn, HaveWeights)
{
  PlacedLabels placed;
  LabelPair    pair = placed.Pair();
  RunDeviceJob(this->GetContext(), [&] {
    const PreparedLabels plain = PrepareLabels(this->GetContext(), pair, placed.places);
    EXPECT_EQ(plain.numberOfWeights, 1);
    EXPECT_EQ(plain.View().weights.beyond, 1.0f);
    pair.weights = { 0.5, 0.0, 2.0 };
    const PreparedLabels given = PrepareLabels(this->GetContext(), pair, placed.places);
    std::vector<float>   weights(3);
    CopyVolume(this->GetContext(),
               testvolumes::MakeGrid({ 3, 1, 1 }),
               { given.View().weights.values, PixelType::Float, MemorySpaceOf(this->GetContext()) },
               View(weights));
    EXPECT_EQ(given.numberOfWeights, 3);
    EXPECT_EQ(given.View().weights.beyond, 0.0f);
    EXPECT_EQ(weights, (std::vector<float>{ 0.5f, 0.0f, 2.0f }));
  });
}

/** The most frequent code of the voxels that make voxel (x, y, z), counted in a map. */
int
MostFrequent(const Codes & labels, const Extent & extent, const std::array<int, 3> & factors, int x, int y, int z)
{
  std::map<int, int> counts;
  for (int k = z * factors[2]; k < std::min((z + 1) * factors[2], extent.z); ++k)
  {
    for (int j = y * factors[1]; j < std::min((y + 1) * factors[1], extent.y); ++j)
    {
      for (int i = x * factors[0]; i < std::min((x + 1) * factors[0], extent.x); ++i)
      {
        ++counts[labels[static_cast<std::size_t>((k * extent.y + j) * extent.x + i)]];
      }
    }
  }
  std::pair<int, int> best{ -1, 0 };
  for (const auto & count : counts)
  {
    if (count.second > best.second)
    {
      best = count;
    }
  }
  return best.first;
}

Codes
SlowlyShrunk(const Codes & labels, const Extent & extent, const std::array<int, 3> & factors, const Grid & shrunk)
{
  Codes codes;
  ForEachVoxel(shrunk.size, [&](int x, int y, int z) {
    codes.push_back(static_cast<std::uint16_t>(MostFrequent(labels, extent, factors, x, y, z)));
  });
  return codes;
}

TEST_P(PreparedLabelsOn, OfALevelAreTheMostFrequent)
{
  struct Shrinking
  {
    std::array<std::int64_t, 3> size;
    std::array<int, 3>          factors;
    /** The factors that act: axes of one voxel are not shrunk. */
    std::array<int, 3> used;
    /** Few labels have ties and clear majorities, many have blocks in which all are different. */
    int labels;
  };
  for (const Shrinking & given : { Shrinking{ { 13, 9, 8 }, { 2, 3, 1 }, { 2, 3, 1 }, 3 },
                                   Shrinking{ { 70, 18, 11 }, { 4, 4, 4 }, { 4, 4, 4 }, 60000 },
                                   Shrinking{ { 12, 14, 1 }, { 2, 2, 2 }, { 2, 2, 1 }, 2 },
                                   Shrinking{ { 5, 4, 3 }, { 1, 1, 1 }, { 1, 1, 1 }, 3 } })
  {
    Geometry geometry = MakeGeometry(given.size, { 1.0, 1.0, 1.0 });
    Codes    labels = MakeLabels<std::uint16_t>(geometry.grid, 3, given.labels);
    for (std::size_t i = 0; i < labels.size(); i += 7)
    {
      labels[i] = noLabel;
    }
    const Extent   extent = ExtentOf(geometry.grid);
    const Geometry shrunk = ShrunkGeometry(geometry, given.factors);
    RunDeviceJob(this->GetContext(), [&] {
      PreparedLabels full;
      full.extent = extent;
      full.fixed = this->GetContext().Allocate(labels.size() * sizeof(std::uint16_t));
      full.moving = full.fixed;
      CopyVolume(this->GetContext(),
                 geometry.grid,
                 ConstView(labels),
                 { full.fixed.Data(), PixelType::UnsignedShort, MemorySpaceOf(this->GetContext()) });
      const PreparedLabels level = LabelsOfLevel(this->GetContext(), full, given.factors);
      ASSERT_EQ(NumberOfVoxels(level.extent), shrunk.grid.NumberOfVoxels());
      EXPECT_EQ(level.extent.x, shrunk.grid.size[0]);
      EXPECT_EQ(level.extent.y, shrunk.grid.size[1]);
      const Codes expected = SlowlyShrunk(labels, extent, given.used, shrunk.grid);
      EXPECT_EQ(this->Download(level.fixed, level.extent), expected);
      EXPECT_EQ(this->Download(level.moving, level.extent), expected);
    });
  }
}

TEST_P(PreparedLabelsOn, HaveNoCodeAbove65534)
{
  PlacedLabels placed;
  placed.moving.back() = 65535;
  ExpectInvalidParameter(
    [&] { this->Prepare(placed.Pair(), placed.places); }, "the largest label of the moving labels", "65535");
}

CUDANEURO_TEST_ON_ALL_DEVICES(PreparedLabelsOn);

TEST(RequiredLabels, AreTwoMapsOfIntegersWithWeights)
{
  const Context      context{ Device{} };
  const PlacedLabels placed;
  const LabelPair    good = placed.Pair();
  const auto         expect = [&](const LabelPair & pair, const std::string & name, const std::string & value) {
    ExpectInvalidParameter([&] { RequireLabels(context, 3, pair); }, name, value);
  };
  EXPECT_NO_THROW(RequireLabels(context, 3, good));
  EXPECT_NO_THROW(RequireLabels(context, 3, {}));
  LabelPair pair = good;
  pair.moving.data = nullptr;
  expect(pair, "the number of maps of labels", "1");
  pair = good;
  pair.fixed.type = PixelType::Float;
  expect(pair, "the type of the fixed labels", "float32");
  pair = good;
  pair.movingGeometry.grid.size[2] = 1;
  expect(pair, "the size of the moving labels", "9 x 13 x 1");
  ExpectInvalidParameter([&] { RequireLabels(context, 2, good); }, "the size of the fixed labels", "12 x 9 x 8");
  for (const auto & [weight, text] : { std::pair<double, std::string>{ -1.0, "-1" },
                                       { 2e6, "2000000" },
                                       { std::nan(""), "nan" },
                                       { HUGE_VAL, "inf" } })
  {
    pair = good;
    pair.weights = { 1.0, weight };
    expect(pair, "the weight of label 1", text);
  }
  pair.weights = { 0.0, 0.0 };
  expect(pair, "the largest weight of a label", "0");
  pair.weights.assign(65535, 1.0);
  expect(pair, "the number of weights of labels", "65535");
}

} // namespace
