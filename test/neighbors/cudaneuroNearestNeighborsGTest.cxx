// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "cudaneuro/NearestNeighbors.h"
#include "neighbors/NeighborSets.h"
#include "neighbors/ReferenceNeighbors.h"

#include <algorithm>

namespace
{

using namespace cudaneuro;
using namespace referenceneighbors;

struct Found
{
  std::vector<std::int32_t> indices;
  std::vector<float>        squaredDistances;
};

/** The queries of a test: all of few vectors, or some of many. */
std::vector<std::int64_t>
SomeOf(std::int64_t count)
{
  constexpr std::int64_t    most = 60;
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < count; i += 1 + count / most)
  {
    chosen.push_back(i);
  }
  return chosen;
}

class NearestNeighborsTest : public DeviceTest
{
protected:
  Found
  Find(const VectorSet & queries, const VectorSet & points, int numberOfNeighbors, bool excludeSelf)
  {
    const NearestNeighborsParameters parameters{ points.dimension, numberOfNeighbors, excludeSelf };
    const std::size_t                count = static_cast<std::size_t>(queries.Count()) * numberOfNeighbors;
    Found                            found{ std::vector<std::int32_t>(count, -7), std::vector<float>(count, -7.0f) };
    FindNearestNeighbors(this->GetContext(),
                         parameters,
                         { queries.values.data(), queries.Count(), MemorySpace::Host },
                         { points.values.data(), points.Count(), MemorySpace::Host },
                         { found.indices.data(), found.squaredDistances.data(), MemorySpace::Host });
    return found;
  }

  /** Expects the neighbors of comparing all pairs. Distances are rounded once, to float; the sum in sequence may differ
   * by its own rounding, which is far less than float's. */
  static void
  ExpectNeighbors(
    const VectorSet & queries, const VectorSet & points, int numberOfNeighbors, bool excludeSelf, const Found & found)
  {
    for (const std::int64_t query : SomeOf(queries.Count()))
    {
      const float * const             from = queries.At(query);
      const std::vector<std::int32_t> order = SortByDistance(from, points, excludeSelf ? query : -1);
      for (int i = 0; i < numberOfNeighbors; ++i)
      {
        const std::size_t at = static_cast<std::size_t>(query) * numberOfNeighbors + i;
        const bool        isThere = i < static_cast<int>(order.size());
        ASSERT_EQ(found.indices[at], isThere ? order[i] : -1) << "query " << query << ", neighbor " << i;
        if (!isThere)
        {
          ASSERT_EQ(found.squaredDistances[at], std::numeric_limits<float>::infinity()) << query << ' ' << i;
          continue;
        }
        const float * const to = points.At(order[i]);
        const float         exact = static_cast<float>(SquaredDistanceInOrder(from, to, points.dimension));
        ASSERT_EQ(found.squaredDistances[at], exact) << query << ' ' << i;
        const double sequence = SquaredDistanceInSequence(from, to, points.dimension);
        // Half of float's epsilon, or of the smallest float, and some of double's.
        ASSERT_NEAR(found.squaredDistances[at], sequence, 0.6e-7 * sequence + 0.8e-45);
      }
    }
  }

  void
  ExpectExact(const VectorSet & points, int numberOfNeighbors)
  {
    const Found all = this->Find(points, points, numberOfNeighbors, false);
    ExpectNeighbors(points, points, numberOfNeighbors, false, all);
    const Found others = this->Find(points, points, numberOfNeighbors, true);
    ExpectNeighbors(points, points, numberOfNeighbors, true, others);
  }
};

TEST_P(NearestNeighborsTest, EveryDimension)
{
  for (const int dimension : { 1, 2, 31, 32, 33, 125, 343, 512 })
  {
    SCOPED_TRACE(dimension);
    this->ExpectExact(neighborsets::Uniform(700, dimension), 17);
  }
}

TEST_P(NearestNeighborsTest, EveryNumberOfNeighborsAndPoints)
{
  for (const int numberOfNeighbors : { 1, 2, 31, 96, 128 })
  {
    for (const std::int64_t count : { 1, 2, 17, 127, 128, 129, 3000 })
    {
      SCOPED_TRACE(::testing::Message() << numberOfNeighbors << " of " << count);
      this->ExpectExact(neighborsets::Uniform(count, 27), numberOfNeighbors);
    }
  }
}

TEST_P(NearestNeighborsTest, QueriesAreOtherVectors)
{
  for (const std::int64_t queries : { 1, 5, 1000 })
  {
    for (const std::int64_t count : { 3, 1500 })
    {
      SCOPED_TRACE(::testing::Message() << queries << " queries, points: " << count);
      VectorSet query = neighborsets::Uniform(queries, 125);
      std::reverse(query.values.begin(), query.values.end());
      const VectorSet points = neighborsets::Uniform(count, 125);
      ExpectNeighbors(query, points, 96, false, this->Find(query, points, 96, false));
      ExpectNeighbors(query, points, 96, true, this->Find(query, points, 96, true));
    }
  }
}

/** All distances are small integers: most are those of many points, whose indices decide. */
TEST_P(NearestNeighborsTest, Ties)
{
  for (const int dimension : { 1, 2, 9, 125 })
  {
    SCOPED_TRACE(dimension);
    const VectorSet points = neighborsets::SmallIntegers(3000, dimension);
    const Found     found = this->Find(points, points, 96, false);
    ExpectNeighbors(points, points, 96, false, found);
    this->ExpectExact(points, 1);
  }
}

/** The nearest are the points of the lowest indices. */
TEST_P(NearestNeighborsTest, PointsAreIdentical)
{
  for (const float value : { 0.0f, 0.1f, -1e15f })
  {
    const VectorSet points{ 125, std::vector<float>(std::size_t{ 1500 } * 125, value) };
    const Found     found = this->Find(points, points, 96, true);
    for (std::int32_t query = 0; query < 1500; ++query)
    {
      for (std::int32_t i = 0; i < 96; ++i)
      {
        ASSERT_EQ(found.indices[query * 96 + i], i < query ? i : i + 1);
        ASSERT_EQ(found.squaredDistances[query * 96 + i], 0.0f);
      }
    }
  }
}

/** Vectors of which there are fewer than neighbors, as many, some more, and more than a query may have candidates. */
TEST_P(NearestNeighborsTest, PointsAreRepeated)
{
  std::vector<int> repetitions{ 1200, 600, 300, 98, 97, 96, 95, 40, 2 };
  repetitions.insert(repetitions.end(), 300, 1);
  for (const int dimension : { 9, 125 })
  {
    SCOPED_TRACE(dimension);
    const VectorSet points = neighborsets::Repeated(repetitions, dimension);
    this->ExpectExact(points, 96);
    this->ExpectExact(points, 1);
    const VectorSet queries{ dimension,
                             { points.values.begin(), points.values.begin() + std::ptrdiff_t{ 90 } * dimension } };
    ExpectNeighbors(queries, points, 96, false, this->Find(queries, points, 96, false));
    ExpectNeighbors(queries, points, 96, true, this->Find(queries, points, 96, true));
  }
}

/** Products of such components are 1e10 times the squared distances, which are less than their rounding in float. */
TEST_P(NearestNeighborsTest, ClustersFarFromTheOrigin)
{
  for (const double offset : { 1e4, -3e6 })
  {
    SCOPED_TRACE(offset);
    VectorSet points = neighborsets::Uniform(2000, 125);
    for (std::size_t i = 0; i < points.values.size(); ++i)
    {
      const double cluster = static_cast<double>(i / 125 % 3);
      points.values[i] = static_cast<float>(offset * (1.0 + cluster) + 1e-2 * points.values[i]);
    }
    this->ExpectExact(points, 96);
  }
}

TEST_P(NearestNeighborsTest, OutlierIsHuge)
{
  VectorSet points = neighborsets::Uniform(1500, 33);
  points.values[33 * 700 + 5] = 1e12f;
  points.values[33 * 701 + 5] = -1e15f;
  this->ExpectExact(points, 40);
  const VectorSet outliers{ 33, { points.values.begin() + 33 * 699, points.values.begin() + 33 * 703 } };
  ExpectNeighbors(outliers, points, 128, false, this->Find(outliers, points, 128, false));
}

/** Squares of 1e-20 are denormal in float, those of 1e-30 are 0; in double they are neither. */
TEST_P(NearestNeighborsTest, ValuesAreTiny)
{
  for (const float scale : { 1e-20f, 1e-30f, 1e-44f })
  {
    SCOPED_TRACE(scale);
    VectorSet points = neighborsets::Uniform(1200, 125);
    for (float & value : points.values)
    {
      value *= scale;
    }
    this->ExpectExact(points, 96);
  }
}

/** Some components are huge, the same for all points, and others tell the points apart. */
TEST_P(NearestNeighborsTest, ValuesAreHugeAndTiny)
{
  VectorSet points = neighborsets::Uniform(1000, 64);
  for (std::size_t i = 0; i < points.values.size(); ++i)
  {
    points.values[i] = i % 64 < 32 ? 1e15f : 1e-25f * points.values[i];
  }
  this->ExpectExact(points, 20);
}

TEST_P(NearestNeighborsTest, PatchesOfNoisyDistance)
{
  const VectorSet points = neighborsets::NoisySphere(11.0, 5);
  ASSERT_GT(points.Count(), 2500);
  this->ExpectExact(points, 96);
}

TEST_P(NearestNeighborsTest, IsRepeatable)
{
  const VectorSet points = neighborsets::NoisySphere(9.0, 5);
  const Found     first = this->Find(points, points, 96, true);
  const Found     second = this->Find(points, points, 96, true);
  EXPECT_EQ(first.indices, second.indices);
  EXPECT_EQ(first.squaredDistances, second.squaredDistances);
}

TEST_P(NearestNeighborsTest, AnyNumberOfThreads)
{
  const VectorSet points = neighborsets::Uniform(1000, 20);
  const Found     expected = this->Find(points, points, 9, false);
  for (const unsigned int threads : { 1U, 3U, 7U })
  {
    this->GetContext().SetNumberOfThreads(threads);
    EXPECT_EQ(this->Find(points, points, 9, false).indices, expected.indices) << threads;
  }
}

/** Arrays in the memory of the device are read and written there. The CPU's is the host's. */
TEST_P(NearestNeighborsTest, ArraysOnTheDevice)
{
  const VectorSet   points = neighborsets::Uniform(900, 125);
  const std::size_t count = 900 * 96;
  const Found       expected = this->Find(points, points, 96, true);
  Context &         context = this->GetContext();
  const MemorySpace space = this->GetParam().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
  const auto copy = [&](const void * from, MemorySpace fromSpace, void * to, MemorySpace toSpace, std::size_t n) {
    CopyVolume(context,
               { { static_cast<std::int64_t>(n), 1, 1 } },
               { from, PixelType::Float, fromSpace },
               { to, PixelType::Float, toSpace });
  };
  const DeviceMemory input = context.Allocate(points.values.size() * sizeof(float));
  copy(points.values.data(), MemorySpace::Host, input.Data(), space, points.values.size());
  const DeviceMemory               indices = context.Allocate(count * sizeof(std::int32_t));
  const DeviceMemory               distances = context.Allocate(count * sizeof(float));
  const ConstVectors               vectors{ static_cast<const float *>(input.Data()), 900, space };
  const NearestNeighborsParameters parameters{ 125, 96, true };
  context.ResetStatistics();
  FindNearestNeighbors(context,
                       parameters,
                       vectors,
                       vectors,
                       { static_cast<std::int32_t *>(indices.Data()), static_cast<float *>(distances.Data()), space });
  EXPECT_EQ(context.GetStatistics().hostToDeviceBytes, 0U);
  EXPECT_EQ(context.GetStatistics().deviceToHostBytes, 0U);

  Found found{ std::vector<std::int32_t>(count), std::vector<float>(count) };
  copy(indices.Data(), space, found.indices.data(), MemorySpace::Host, count);
  copy(distances.Data(), space, found.squaredDistances.data(), MemorySpace::Host, count);
  EXPECT_EQ(found.indices, expected.indices);
  EXPECT_EQ(found.squaredDistances, expected.squaredDistances);

  // Arrays of both sides, and no distances.
  std::vector<std::int32_t> onHost(count);
  FindNearestNeighbors(context,
                       parameters,
                       { points.values.data(), 900, MemorySpace::Host },
                       vectors,
                       { onHost.data(), nullptr, MemorySpace::Host });
  EXPECT_EQ(onHost, expected.indices);
}

/** Progress rises to 1; where it says no, the search ends. */
TEST_P(NearestNeighborsTest, ProgressAndAbort)
{
  const VectorSet    points = neighborsets::Uniform(2000, 60);
  std::vector<float> reported;
  this->GetContext().SetProgressFunction([&](float fraction) {
    reported.push_back(fraction);
    return true;
  });
  this->Find(points, points, 5, false);
  ASSERT_FALSE(reported.empty());
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_FLOAT_EQ(reported.back(), 1.0f);
  this->GetContext().SetProgressFunction([](float fraction) { return fraction < 0.5f; });
  EXPECT_THROW(this->Find(points, points, 5, false), Aborted);
  this->GetContext().SetProgressFunction(nullptr);
  const Found found = this->Find(points, points, 5, false);
  ExpectNeighbors(points, points, 5, false, found);
}

TEST_P(NearestNeighborsTest, Errors)
{
  VectorSet                  points = neighborsets::Uniform(50, 7);
  std::vector<std::int32_t>  indices(100);
  NearestNeighborsParameters parameters{ 7, 2, false };
  ConstVectors               queries{ points.values.data(), 50, MemorySpace::Host };
  ConstVectors               others = queries;
  Neighbors                  output{ indices.data(), nullptr, MemorySpace::Host };
  const auto find = [&] { FindNearestNeighbors(this->GetContext(), parameters, queries, others, output); };
  const auto expectInvalid = [&](auto & value, auto wrong, const std::string & name, const std::string & text) {
    const auto right = value;
    value = wrong;
    ExpectInvalidParameter(find, name, text);
    value = right;
  };
  find();
  expectInvalid(parameters.dimension, 0, "Dimension", "0");
  expectInvalid(parameters.dimension, 513, "Dimension", "513");
  expectInvalid(parameters.numberOfNeighbors, 0, "NumberOfNeighbors", "0");
  expectInvalid(parameters.numberOfNeighbors, 129, "NumberOfNeighbors", "129");
  expectInvalid(queries.count, 0, "the number of queries", "0");
  expectInvalid(others.count, -1, "the number of points", "-1");
  expectInvalid(others.count, (std::int64_t{ 1 } << 30) + 1, "the number of points", "1073741825");
  expectInvalid(queries.count, (std::int64_t{ 1 } << 30) + 1, "the number of queries", "1073741825");
  expectInvalid(queries.data, nullptr, "the array of queries", "absent");
  expectInvalid(others.data, nullptr, "the array of points", "absent");
  expectInvalid(output.indices, nullptr, "the array of indices", "absent");
  if (!this->GetParam().IsCuda())
  {
    expectInvalid(queries.space, MemorySpace::Device, "the array of queries", "in device memory");
    expectInvalid(others.space, MemorySpace::Device, "the array of points", "in device memory");
    expectInvalid(output.space, MemorySpace::Device, "the array of indices", "in device memory");
  }
}

/** The first component that is refused is named. */
TEST_P(NearestNeighborsTest, ComponentsThatAreRefused)
{
  const VectorSet                     points = neighborsets::Uniform(3000, 7);
  const float                         infinity = std::numeric_limits<float>::infinity();
  const std::pair<float, std::string> refused[] = {
    { infinity, "inf" }, { -infinity, "-inf" }, { std::nanf(""), "nan" }, { -1.001e15f, "-1.0009999" }
  };
  for (const auto & [value, text] : refused)
  {
    VectorSet wrong = points;
    wrong.values[7 * 2431 + 3] = value;
    wrong.values[7 * 2999 + 6] = value;
    ExpectInvalidParameter([&] { this->Find(wrong, points, 1, false); }, "component 3 of query 2431", text);
    ExpectInvalidParameter([&] { this->Find(points, wrong, 1, false); }, "component 3 of point 2431", text);
    ExpectInvalidParameter([&] { this->Find(wrong, wrong, 1, false); }, "component 3 of point 2431", text);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(NearestNeighborsTest);

} // namespace
