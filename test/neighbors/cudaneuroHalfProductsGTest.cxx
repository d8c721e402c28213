// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "HalfProducts.h"

#include "neighbors/ShuffledOrder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

using namespace halfproducts;

namespace
{

class HalfProductsTest : public DeviceTest
{};

using Component = std::function<float(std::size_t vector, int component)>;

std::vector<float>
MakeVectors(std::size_t count, const Component & component)
{
  std::vector<float> vectors(count * stride, 0.0f);
  for (std::size_t vector = 0; vector < count; ++vector)
  {
    for (int i = 0; i < dimension; ++i)
    {
      vectors[vector * stride + i] = component(vector, i);
    }
  }
  return vectors;
}

double
Dot(const float * a, const float * b)
{
  double sum = 0.0;
  for (int i = 0; i < dimension; ++i)
  {
    sum += double{ a[i] } * double{ b[i] };
  }
  return sum;
}

/** The largest error of a product, as a part of what AccumulationError allows. */
double
LargestErrorOfProducts(const HalfProducts & result)
{
  const std::size_t points = result.points.size() / stride;
  double            largest = 0.0;
  for (std::size_t pair = 0; pair < result.products.size(); ++pair)
  {
    const float * x = result.queries.data() + pair / points * stride;
    const float * y = result.points.data() + pair % points * stride;
    const double  square = Dot(y, y);
    const double  magnitude = std::sqrt(Dot(x, x) * square) + square / 2;
    // Tails stand for the half square but for 2^-13.
    const double error = std::abs(result.products[pair] - (Dot(x, y) - square / 2)) - 0x1p-13;
    largest = std::max(largest, error / (AccumulationError() * magnitude));
  }
  return largest;
}

/** Vectors that sums are wrong for: numbers of one sign, which are all cut off in the same direction; a large one
 * and many that are too small to be added to it whole; and such that cancel. */
std::vector<std::pair<std::string, Component>>
DifficultVectors()
{
  const auto random = [](std::size_t vector, int i) {
    std::mt19937 generator(static_cast<unsigned int>(vector * 1000 + static_cast<std::size_t>(i)));
    return std::uniform_real_distribution<float>(-1.0f, 1.0f)(generator);
  };
  return { { "random", random },
           { "positive", [=](std::size_t vector, int i) { return std::abs(random(vector, i)); } },
           { "thirds", [](std::size_t vector, int) { return 1.0f / 3.0f + static_cast<float>(vector) * 1e-3f; } },
           { "first-is-large",
             [=](std::size_t vector, int i) { return i == 0 ? 1.0f : 0.01f * std::abs(random(vector, i)); } },
           { "last-is-large",
             [=](std::size_t vector, int i) {
               return i == dimension - 1 ? 1.0f : 0.01f * std::abs(random(vector, i));
             } },
           { "cancels", [=](std::size_t vector, int i) {
              return (i % 2 == 0 ? 1.0f : vector % 2 == 0 ? 1.0f : -1.0f) * (1.0f + 0.1f * random(vector, i / 2));
            } } };
}

} // namespace

TEST_P(HalfProductsTest, ErrorsAreWithinTheirBound)
{
  for (const auto & [name, component] : DifficultVectors())
  {
    const std::vector<float> points = MakeVectors(300, component);
    const double             largest = LargestErrorOfProducts(Multiply(this->GetContext(), points, points));
    EXPECT_LE(largest, 1.0) << name;
    this->RecordProperty("part-of-the-bound-" + name, std::to_string(largest));
  }
}

/** The nearest have the products that are asked for, when the products of others tell what that is. */
TEST_P(HalfProductsTest, NearestHaveTheLeastProduct)
{
  constexpr std::size_t rank = 10;
  for (const auto & [name, component] : DifficultVectors())
  {
    const std::vector<float> points = MakeVectors(300, component);
    const HalfProducts       result = Multiply(this->GetContext(), points, points);
    const std::size_t        count = points.size() / stride;
    for (std::size_t query = 0; query < count; ++query)
    {
      const float *      products = result.products.data() + query * count;
      std::vector<float> sorted(products, products + count);
      std::nth_element(sorted.begin(), sorted.begin() + (rank - 1), sorted.end(), std::greater<>());
      const double        least = LeastProduct(result, query, sorted[rank - 1]);
      std::vector<double> distances(count, 0.0);
      for (std::size_t point = 0; point < count; ++point)
      {
        for (int i = 0; i < dimension; ++i)
        {
          const double difference = double{ points[query * stride + i] } - double{ points[point * stride + i] };
          distances[point] += difference * difference;
        }
      }
      std::vector<std::size_t> order(count);
      std::iota(order.begin(), order.end(), std::size_t{ 0 });
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
      for (std::size_t i = 0; i < rank; ++i)
      {
        EXPECT_GE(products[order[i]], least) << name << ", query " << query << ", neighbor " << i;
      }
    }
  }
}

CUDANEURO_TEST_ON_CUDA(HalfProductsTest);

TEST(ShuffledOrder, IsAPermutationWithoutPattern)
{
  for (const std::int64_t count : { 1, 2, 3, 5, 64, 1000, 17500, 65537 })
  {
    std::vector<int> seen(static_cast<std::size_t>(count), 0);
    double           inOrder = 0.0;
    std::int64_t     before = -1;
    for (std::int64_t i = 0; i < count; ++i)
    {
      const std::int64_t position = cudaneuro::ShuffledPosition(i, count);
      ASSERT_GE(position, 0);
      ASSERT_LT(position, count);
      ++seen[static_cast<std::size_t>(position)];
      inOrder += position > before ? 1.0 : 0.0;
      before = position;
    }
    EXPECT_EQ(*std::max_element(seen.begin(), seen.end()), 1) << count;
    // Ascents of a random permutation: half of the steps, with a variance of a twelfth of their number.
    if (count >= 1000)
    {
      const auto steps = static_cast<double>(count);
      EXPECT_NEAR(inOrder, steps / 2, 5 * std::sqrt(steps / 12)) << count;
    }
  }
}
