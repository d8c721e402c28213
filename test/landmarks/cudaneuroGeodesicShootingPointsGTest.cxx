// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ShootingTestCases.h"

#include <numeric>

/** Shooting of few and many points, of points in special places, and in any order. */
namespace
{

using namespace shootingtests;

class ShootingPointsTest : public DeviceTest
{
protected:
  /** In both precisions. */
  void
  ExpectReference(Case test)
  {
    for (const ShootingPrecision precision : precisions)
    {
      SCOPED_TRACE(precision);
      test.parameters.precision = precision;
      ExpectNearReference(test, Evaluate(this->GetContext(), test));
    }
  }
};

TEST_P(ShootingPointsTest, AnyNumberOfPoints)
{
  for (const int dimension : { 2, 3 })
  {
    for (const std::int64_t points : { 1, 2, 3, 15, 16, 17, 32, 33, 255, 257 })
    {
      SCOPED_TRACE(::testing::Message() << dimension << "D, points: " << points);
      Case test = MakeCase(dimension, points);
      test.parameters.numberOfTimeSteps = 2;
      this->ExpectReference(test);
    }
  }
  Case test = MakeCase(3, 1847);
  test.parameters.numberOfTimeSteps = 2;
  this->ExpectReference(test);
}

/** K_ij p_j summed over all j at some points i, from the equations. */
double
SumAt(const Case & test, const std::vector<double> & vectors, std::int64_t i, int component)
{
  double sum = 0.0;
  for (std::int64_t j = 0; j < test.NumberOfPoints(); ++j)
  {
    double square = 0.0;
    for (int d = 0; d < test.dimension; ++d)
    {
      const double difference = test.positions[i * test.dimension + d] - test.positions[j * test.dimension + d];
      square += difference * difference;
    }
    const double sigma = test.parameters.sigma;
    sum += std::exp(-square / (2.0 * sigma * sigma)) * vectors[j * test.dimension + component];
  }
  return sum;
}

/** With one step of Euler's, the path is q(1) = q + K p, and the gradient K (p + 2 lambda w (q(1) - target)). */
TEST_P(ShootingPointsTest, OneHundredThousandPoints)
{
  for (const ShootingPrecision precision : precisions)
  {
    SCOPED_TRACE(precision);
    Case test = MakeCase(3, 100000);
    test.parameters.sigma = 0.7;
    test.parameters.numberOfTimeSteps = 1;
    test.parameters.precision = precision;
    const TrajectoryArrays    path = Shoot(this->GetContext(), test);
    const Evaluation          result = Evaluate(this->GetContext(), test);
    const std::vector<double> end(path.positions.end() - 300000, path.positions.end());
    std::vector<double>       pulls(test.momenta);
    for (std::size_t i = 0; i < pulls.size(); ++i)
    {
      pulls[i] += 2.0 * test.parameters.lambda * test.weights[i / 3] * (end[i] - test.target[i]);
    }
    const double gradientTolerance = RelativeError(test) * LargestMagnitude(result.gradient);
    for (std::int64_t i = 17; i < 100000; i += 5003)
    {
      for (int d = 0; d < 3; ++d)
      {
        const std::int64_t k = 3 * i + d;
        EXPECT_NEAR(end[k], test.positions[k] + SumAt(test, test.momenta, i, d), 2.0 * PositionError(test)) << i;
        EXPECT_NEAR(result.gradient[k], SumAt(test, pulls, i, d), gradientTolerance) << i;
      }
    }
  }
}

/** All kernels are 1: each point moves by the sum of all momenta. A plain sum in single precision is wrong by about
 * sqrt(16384) roundings, 8e-6, or more where all terms are rounded one way. */
TEST_P(ShootingPointsTest, SumsDoNotLosePrecision)
{
  constexpr std::int64_t points = 16384;
  Case                   test = MakeCase(3, points);
  test.parameters.numberOfTimeSteps = 1;
  test.positions.assign(test.positions.size(), 0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < test.momenta.size(); ++i)
  {
    test.momenta[i] = 0.1 + 0.01 * testvolumes::UniformNoise(5, i);
    sum += i % 3 == 0 ? test.momenta[i] : 0.0;
  }
  const TrajectoryArrays path = Shoot(this->GetContext(), test);
  // 32 roundings at most, by half of epsilon, of which most cancel.
  const double tolerance = 8.0 * std::numeric_limits<float>::epsilon() * sum;
  for (std::int64_t i = 0; i < points; i += 100)
  {
    ASSERT_NEAR(path.positions[3 * (points + i)], sum, tolerance);
  }
}

TEST_P(ShootingPointsTest, DuplicatedPoints)
{
  Case test = MakeCase(3, 60);
  for (std::size_t i = 0; i < 90; ++i)
  {
    test.positions[i] = test.positions[i % 9];
  }
  this->ExpectReference(test);
}

/** Coordinates that do not vary. */
TEST_P(ShootingPointsTest, CoplanarAndCollinearPoints)
{
  for (const int dimension : { 2, 3 })
  {
    for (int varying = 1; varying < dimension; ++varying)
    {
      SCOPED_TRACE(::testing::Message() << dimension << "D, coordinates that vary: " << varying);
      Case test = MakeCase(dimension, 80);
      for (std::size_t i = 0; i < test.positions.size(); ++i)
      {
        test.positions[i] = static_cast<int>(i % dimension) < varying ? test.positions[i] : 2.5;
        test.target[i] = static_cast<int>(i % dimension) < varying ? test.target[i] : 2.7;
      }
      this->ExpectReference(test);
    }
  }
}

TEST_P(ShootingPointsTest, PointsFarFromTheOrigin)
{
  for (const ShootingPrecision precision : precisions)
  {
    SCOPED_TRACE(precision);
    Case test = MakeCase(3, 200);
    test.parameters.precision = precision;
    const Evaluation result = Evaluate(this->GetContext(), test);
    Case             far = test;
    for (std::size_t i = 0; i < far.positions.size(); ++i)
    {
      far.positions[i] += 1e4;
      far.target[i] += 1e4;
    }
    // Sums with 1e4 are rounded by 1e-12, over differences of 0.1 and more.
    const Evaluation farResult = Evaluate(this->GetContext(), far);
    const double     relative = precision == ShootingPrecision::Single ? RelativeError(test) : 1e-10;
    EXPECT_NEAR(farResult.loss.Total(), result.loss.Total(), relative * result.loss.Total());
    EXPECT_LE(LargestDifference(farResult.gradient, result.gradient), relative * LargestMagnitude(result.gradient));
  }
}

/** The order of computation comes from where points are. */
TEST_P(ShootingPointsTest, OrderDoesNotMatter)
{
  Case                     test = MakeCase(3, 300);
  const Evaluation         result = Evaluate(this->GetContext(), test);
  std::vector<std::size_t> order(300);
  std::iota(order.begin(), order.end(), std::size_t{ 0 });
  std::sort(order.begin(), order.end(), [](std::size_t a, std::size_t b) {
    return testvolumes::UniformNoise(6, a) < testvolumes::UniformNoise(6, b);
  });
  Case       mixed = test;
  Evaluation expected{ result.loss, result.gradient };
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    mixed.weights[i] = test.weights[order[i]];
    for (std::size_t d = 0; d < 3; ++d)
    {
      mixed.positions[3 * i + d] = test.positions[3 * order[i] + d];
      mixed.target[3 * i + d] = test.target[3 * order[i] + d];
      mixed.momenta[3 * i + d] = test.momenta[3 * order[i] + d];
      expected.gradient[3 * i + d] = result.gradient[3 * order[i] + d];
    }
  }
  ExpectSame(Evaluate(this->GetContext(), mixed), expected);
}

TEST_P(ShootingPointsTest, BatchHasTheBitsOfSingleEvaluations)
{
  constexpr int targets = 5;
  const Case    test = MakeCase(3, 333);
  for (const ShootingPrecision precision : precisions)
  {
    SCOPED_TRACE(precision);
    GeodesicShootingParameters parameters = test.parameters;
    parameters.precision = precision;
    GeodesicShooting shooting(
      this->GetContext(), parameters, 3, test.NumberOfPoints(), ConstPointsOf(test.positions), targets);
    std::vector<std::vector<double>> momenta(targets, test.momenta);
    std::vector<Evaluation>          single;
    for (int t = 0; t < targets; ++t)
    {
      std::vector<double> target = test.target;
      std::rotate(target.begin(), target.begin() + 3 * t, target.end());
      shooting.SetTarget(t, ConstPointsOf(target), t == 2 ? nullptr : test.weights.data());
      std::rotate(momenta[t].begin(), momenta[t].begin() + 6 * t, momenta[t].end());
      single.push_back(Evaluate(shooting, momenta[t], t));
    }
    // In another order, one of them without its gradient.
    std::vector<Evaluation>         batch(targets, Evaluation{ {}, std::vector<double>(test.momenta.size()) });
    std::vector<ShootingEvaluation> evaluations;
    for (const int t : { 3, 0, 4, 1, 2 })
    {
      evaluations.push_back({ t, momenta[t].data(), t == 4 ? nullptr : batch[t].gradient.data(), {} });
    }
    shooting.Evaluate(evaluations);
    for (const ShootingEvaluation & evaluation : evaluations)
    {
      SCOPED_TRACE(evaluation.target);
      batch[evaluation.target].loss = evaluation.loss;
      if (evaluation.target == 4)
      {
        batch[4].gradient = single[4].gradient;
      }
      ExpectSame(batch[evaluation.target], single[evaluation.target]);
    }
  }
}

TEST_P(ShootingPointsTest, RepeatsItsBits)
{
  const Case test = MakeCase(2, 500);
  ExpectSame(Evaluate(this->GetContext(), test), Evaluate(this->GetContext(), test));
}

/** Momenta beyond the range of the numbers, between evaluations of others, which stay as they are. */
TEST_P(ShootingPointsTest, OverflowGivesALossThatIsNotFinite)
{
  for (const ShootingPrecision precision : precisions)
  {
    SCOPED_TRACE(precision);
    Case test = MakeCase(3, 40);
    test.parameters.precision = precision;
    const auto          shooting = MakeShooting(this->GetContext(), test);
    const Evaluation    before = Evaluate(*shooting, test.momenta);
    std::vector<double> momenta = test.momenta;
    for (double & momentum : momenta)
    {
      momentum *= precision == ShootingPrecision::Single ? 1e25 : 1e200;
    }
    EXPECT_FALSE(std::isfinite(Evaluate(*shooting, momenta).loss.Total()));
    // One point that has no weight.
    momenta = test.momenta;
    momenta[14] = 1e300;
    EXPECT_FALSE(std::isfinite(Evaluate(*shooting, momenta).loss.Total()));
    ExpectSame(Evaluate(*shooting, test.momenta), before);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(ShootingPointsTest);

TEST(ShootingThreads, DoNotChangeBits)
{
  for (const ShootingPrecision precision : precisions)
  {
    Case test = MakeCase(3, 700);
    test.parameters.precision = precision;
    cudaneuro::Context one(cudaneuro::Device{}, 1);
    const Evaluation   expected = Evaluate(one, test);
    for (const unsigned int threads : { 2u, 3u, 7u })
    {
      SCOPED_TRACE(::testing::Message() << precision << ", threads: " << threads);
      cudaneuro::Context context(cudaneuro::Device{}, threads);
      ExpectSame(Evaluate(context, test), expected);
    }
  }
}

class ShootingMemoryTest : public DeviceTest
{
protected:
  /** A copy on the context's device. */
  template <typename T>
  cudaneuro::DeviceMemory
  OnDevice(const std::vector<T> & values)
  {
    cudaneuro::DeviceMemory memory = this->GetContext().Allocate(values.size() * sizeof(T));
    cudaneuro::CopyVolume(this->GetContext(),
                          RowOf(values),
                          ConstView(values),
                          { memory.Data(), cudaneuro::PixelTypeOf<T>::value, this->Space() });
    return memory;
  }

  template <typename T>
  static cudaneuro::Grid
  RowOf(const std::vector<T> & values)
  {
    return testvolumes::MakeGrid({ static_cast<std::int64_t>(values.size()), 1, 1 });
  }

  cudaneuro::MemorySpace
  Space() const
  {
    return this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }

  /** Points that come from the device's memory in type T, and trajectories that go there. */
  template <typename T>
  void
  ExpectSameAsFromHost()
  {
    Case test = MakeCase(3, 100);
    test.parameters.precision = ShootingPrecision::Double;
    const std::vector<T> positions(test.positions.begin(), test.positions.end());
    const std::vector<T> target(test.target.begin(), test.target.end());
    test.positions.assign(positions.begin(), positions.end());
    test.target.assign(target.begin(), target.end());
    constexpr cudaneuro::PixelType type = cudaneuro::PixelTypeOf<T>::value;
    const auto                     positionsThere = this->OnDevice(positions);
    const auto                     targetThere = this->OnDevice(target);
    GeodesicShooting               shooting(
      this->GetContext(), test.parameters, 3, 100, { positionsThere.Data(), type, this->Space() });
    shooting.SetTarget(0, { targetThere.Data(), type, this->Space() }, test.weights.data());
    ExpectSame(Evaluate(shooting, test.momenta), Evaluate(this->GetContext(), test));

    const TrajectoryArrays expected = Shoot(this->GetContext(), test);
    std::vector<T>         path(expected.positions.size());
    const auto             pathThere = this->OnDevice(path);
    shooting.Shoot(test.momenta.data(), { pathThere.Data(), type, this->Space() }, {});
    cudaneuro::CopyVolume(this->GetContext(), RowOf(path), { pathThere.Data(), type, this->Space() }, View(path));
    EXPECT_EQ(path, std::vector<T>(expected.positions.begin(), expected.positions.end()));
  }
};

TEST_P(ShootingMemoryTest, TakesPointsWhereTheyAre)
{
  this->ExpectSameAsFromHost<float>();
  this->ExpectSameAsFromHost<double>();
}

CUDANEURO_TEST_ON_ALL_DEVICES(ShootingMemoryTest);

} // namespace
