// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/GeodesicShooting.h"

#include "DeviceTest.h"
#include "ShootingTestCases.h"

#include <cmath>
#include <random>

using namespace cudaneuro;

namespace
{

class TrajectoryGpu : public DeviceTest
{};

struct Matching
{
  std::vector<double> points;
  std::vector<double> target;
  std::vector<double> momenta;
};

/** Points of uniform density in a ball, with momenta that together move them by about the same for any number of points
 * in reach of each other. */
Matching
MakeMatching(std::size_t points, double radius, double momentum)
{
  std::mt19937                           generator(17);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matching                               matching;
  while (matching.points.size() < 3 * points)
  {
    const double point[3] = { uniform(generator), uniform(generator), uniform(generator) };
    if (point[0] * point[0] + point[1] * point[1] + point[2] * point[2] < 1.0)
    {
      for (const double coordinate : point)
      {
        matching.points.push_back(radius * coordinate);
        matching.target.push_back(radius * coordinate + 0.5 * std::sin(3.0 * coordinate));
        matching.momenta.push_back(momentum * (0.5 + uniform(generator)));
      }
    }
  }
  return matching;
}

struct Evaluated
{
  ShootingLoss        loss;
  std::vector<double> gradient;
};

Evaluated
Evaluate(Context & context, const Matching & matching, ShootingPrecision precision)
{
  GeodesicShootingParameters parameters;
  parameters.sigma = 1.5;
  parameters.lambda = 10.0;
  parameters.numberOfTimeSteps = 2;
  parameters.precision = precision;
  const auto       points = static_cast<std::int64_t>(matching.points.size() / 3);
  GeodesicShooting shooting(context, parameters, 3, points, ConstPoints{ matching.points.data() });
  shooting.SetTarget(0, ConstPoints{ matching.target.data() });
  Evaluated                       evaluated{ {}, std::vector<double>(matching.points.size()) };
  std::vector<ShootingEvaluation> evaluations(1);
  evaluations[0].momenta = matching.momenta.data();
  evaluations[0].gradient = evaluated.gradient.data();
  shooting.Evaluate(evaluations);
  evaluated.loss = evaluations[0].loss;
  return evaluated;
}

/** |a - b| / |b| */
double
RelativeDifference(const std::vector<double> & a, const std::vector<double> & b)
{
  double difference = 0.0;
  double norm = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

void
ExpectFloatAsDouble(Context & context, const Matching & matching)
{
  const Evaluated single = Evaluate(context, matching, ShootingPrecision::Single);
  const Evaluated exact = Evaluate(context, matching, ShootingPrecision::Double);
  // A few roundings of numbers of the size of the result, whatever the number of terms; a plain sum of 40,000 terms in
  // float would be off by ten times as much.
  EXPECT_LT(RelativeDifference(single.gradient, exact.gradient), 3e-6);
  EXPECT_NEAR(single.loss.Total(), exact.loss.Total(), 3e-6 * exact.loss.Total());
}

} // namespace

// All pairs count, in sums of as many terms as there are points.
TEST_P(TrajectoryGpu, FloatIsAsAccurateForManyPointsInReach)
{
  for (const std::size_t points : { 1000, 40000 })
  {
    SCOPED_TRACE(points);
    ExpectFloatAsDouble(this->GetContext(), MakeMatching(points, 3.0, 1.0 / static_cast<double>(points)));
  }
}

// More groups of points than one window of the search has, most of them out of reach. The numbers of points choose each
// size of a tile.
TEST_P(TrajectoryGpu, FloatIsAsAccurateForManyPointsOutOfReach)
{
  for (const std::size_t points : { 3000, 9000, 40000 })
  {
    SCOPED_TRACE(points);
    ExpectFloatAsDouble(this->GetContext(), MakeMatching(points, 1.0 * std::cbrt(static_cast<double>(points)), 0.05));
  }
}

namespace
{

/** A test case of few steps, because of its many points or numbers of points. */
shootingtests::Case
MakeShortCase(int dimension, std::int64_t points, ShootingPrecision precision)
{
  shootingtests::Case test = shootingtests::MakeCase(dimension, points);
  test.parameters.numberOfTimeSteps = 3;
  test.parameters.precision = precision;
  return test;
}

void
ExpectNearCpu(Context & context, const shootingtests::Case & test)
{
  shootingtests::Case exact = test;
  exact.parameters.precision = ShootingPrecision::Double;
  Context                         cpu{ Device{} };
  const shootingtests::Evaluation expected = shootingtests::Evaluate(cpu, exact);
  shootingtests::ExpectNear(test, shootingtests::Evaluate(context, test), expected.loss, expected.gradient);
}

/** Expects the same bits from an evaluation of \p count targets at once as from evaluations one by one. */
void
ExpectSameOneByOne(Context & context, const shootingtests::Case & test, std::size_t count)
{
  GeodesicShooting                       shooting(context,
                            test.parameters,
                            test.dimension,
                            test.NumberOfPoints(),
                            shootingtests::ConstPointsOf(test.positions),
                            static_cast<int>(count));
  std::vector<std::vector<double>>       momenta(count, test.momenta);
  std::vector<shootingtests::Evaluation> results(count, { {}, std::vector<double>(test.momenta.size()) });
  std::vector<ShootingEvaluation>        evaluations;
  for (std::size_t k = 0; k < count; ++k)
  {
    for (double & momentum : momenta[k])
    {
      momentum *= 1.0 - 0.5 * static_cast<double>(k) / static_cast<double>(count);
    }
    const int target = static_cast<int>(k);
    shooting.SetTarget(target, shootingtests::ConstPointsOf(test.target), test.weights.data());
    evaluations.push_back({ target, momenta[k].data(), results[k].gradient.data(), {} });
  }
  shooting.Evaluate(evaluations);
  for (std::size_t k = 0; k < count; ++k)
  {
    SCOPED_TRACE(k);
    results[k].loss = evaluations[k].loss;
    shootingtests::ExpectSame(results[k], shootingtests::Evaluate(shooting, momenta[k], static_cast<int>(k)));
  }
}

} // namespace

// Tiles, shares and chunks that are not full.
TEST_P(TrajectoryGpu, AnyFewPointsAgreeWithReference)
{
  for (const int dimension : { 2, 3 })
  {
    for (const ShootingPrecision precision : shootingtests::precisions)
    {
      for (std::int64_t points = 1; points <= 40; ++points)
      {
        SCOPED_TRACE(::testing::Message() << dimension << "D " << precision << " " << points);
        const shootingtests::Case test = MakeShortCase(dimension, points, precision);
        shootingtests::ExpectNearReference(test, shootingtests::Evaluate(this->GetContext(), test));
      }
    }
  }
}

// The largest number of points of teams, and the smallest of blocks, where a device has enough multiprocessors. In the
// plane most points are far from each other, in space most are near.
TEST_P(TrajectoryGpu, PointsAroundAChangeOfKernelsAgreeWithCpu)
{
  for (const std::int64_t points : { 4223, 4224, 4225 })
  {
    for (const ShootingPrecision precision : shootingtests::precisions)
    {
      SCOPED_TRACE(::testing::Message() << precision << " " << points);
      ExpectNearCpu(this->GetContext(), MakeShortCase(2, points, precision));
    }
  }
  ExpectNearCpu(this->GetContext(), MakeShortCase(3, 4224, ShootingPrecision::Single));
}

// So many evaluations that tiles are for warps rather than for blocks. In space a warp has no room for all near points.
TEST_P(TrajectoryGpu, ManyEvaluationsHaveTheBitsOfSingleOnes)
{
  for (const ShootingPrecision precision : shootingtests::precisions)
  {
    SCOPED_TRACE(precision);
    ExpectSameOneByOne(this->GetContext(), MakeShortCase(2, 1001, precision), 40);
    ExpectSameOneByOne(this->GetContext(), MakeShortCase(3, 1847, precision), 20);
  }
}

// Two crowds meet that are out of each other's reach at first: in each step points move by many times what lists of
// near points allow for.
TEST_P(TrajectoryGpu, PointsThatMoveFarAgreeWithReference)
{
  shootingtests::Case test = MakeShortCase(2, 64, ShootingPrecision::Double);
  for (std::size_t i = 0; i < test.positions.size(); i += 2)
  {
    const double side = i < test.positions.size() / 2 ? -1.0 : 1.0;
    test.positions[i] += 12.5 * side;
    test.target[i] += 3.0 * side;
    test.momenta[i] -= 1.5 * side;
  }
  const reference::ShootingResult expected = shootingtests::Reference(test);
  const shootingtests::Evaluation result = shootingtests::Evaluate(this->GetContext(), test);
  // Steps as long as this enlarge rounding errors, which are about 1e-15, but not without limit. Pairs that are left
  // out would change much more.
  EXPECT_NEAR(result.loss.mismatch, expected.mismatch, 1e-9 * expected.mismatch);
  EXPECT_LE(shootingtests::LargestDifference(result.gradient, expected.gradient),
            1e-9 * shootingtests::LargestMagnitude(expected.gradient));
  ExpectSameOneByOne(this->GetContext(), test, 500);
}

TEST_P(TrajectoryGpu, TimesOnTheDeviceAddUp)
{
  const shootingtests::Case test = MakeShortCase(3, 100, ShootingPrecision::Single);
  this->GetContext().ResetStatistics();
  double before = 0.0;
  for (int evaluation = 0; evaluation < 10; ++evaluation)
  {
    shootingtests::Evaluate(this->GetContext(), test);
    const double milliseconds = this->GetContext().GetStatistics().deviceMilliseconds;
    EXPECT_GT(milliseconds, before);
    before = milliseconds;
  }
}

CUDANEURO_TEST_ON_CUDA(TrajectoryGpu);
