// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ShootingTestCases.h"

#include <functional>

/** What shooting refuses, and how it says so. */
namespace
{

using namespace shootingtests;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class ShootingErrorsTest : public DeviceTest
{
protected:
  /** Expects the constructor to refuse a case that differs from a good one. */
  void
  ExpectRefused(const std::function<void(Case &)> & change, const std::string & name, const std::string & value)
  {
    Case test = MakeCase(3, 4);
    change(test);
    ExpectInvalidParameter([&] { MakeShooting(this->GetContext(), test); }, name, value);
  }
};

TEST_P(ShootingErrorsTest, OfSizes)
{
  const Case test = MakeCase(3, 4);
  const auto make = [&](int dimension, std::int64_t points, int targets) {
    return [&test, dimension, points, targets, this] {
      GeodesicShooting(this->GetContext(), test.parameters, dimension, points, ConstPointsOf(test.positions), targets);
    };
  };
  ExpectInvalidParameter(make(1, 4, 1), "dimension", "1");
  ExpectInvalidParameter(make(4, 3, 1), "dimension", "4");
  ExpectInvalidParameter(make(3, 0, 1), "numberOfPoints", "0");
  ExpectInvalidParameter(make(3, -1, 1), "numberOfPoints", "-1");
  ExpectInvalidParameter(make(3, std::int64_t{ 1 } << 31, 1), "numberOfPoints", "2147483648");
  ExpectInvalidParameter(make(3, 4, 0), "numberOfTargets", "0");
}

TEST_P(ShootingErrorsTest, OfPoints)
{
  const auto position = [](std::size_t i, double value) { return [=](Case & test) { test.positions[i] = value; }; };
  this->ExpectRefused(position(7, nan), "coordinate 1 of point 2 of the template", "nan");
  this->ExpectRefused(position(9, -infinity), "coordinate 0 of point 3 of the template", "-inf");
  this->ExpectRefused(position(2, 2e12), "coordinate 2 of point 0 of the template", "2000000000000");
  const auto target = [](std::size_t i, double value) { return [=](Case & test) { test.target[i] = value; }; };
  this->ExpectRefused(target(11, nan), "coordinate 2 of point 3 of target 0", "nan");

  const Case test = MakeCase(3, 4);
  const auto make = [&](const cudaneuro::ConstPoints & points) {
    return [&test, points, this] { GeodesicShooting(this->GetContext(), test.parameters, 3, 4, points); };
  };
  const std::vector<short> integers(12);
  ExpectInvalidParameter(make({}), "the template", "absent");
  ExpectInvalidParameter(make({ integers.data(), cudaneuro::PixelType::Short, cudaneuro::MemorySpace::Host }),
                         "the type of the template",
                         "int16");
}

TEST_P(ShootingErrorsTest, OfWeights)
{
  const auto weight = [](std::size_t i, double value) { return [=](Case & test) { test.weights[i] = value; }; };
  this->ExpectRefused(weight(1, -0.5), "the weight of point 1 of target 0", "-0.5");
  this->ExpectRefused(weight(3, nan), "the weight of point 3 of target 0", "nan");
  this->ExpectRefused(weight(0, infinity), "the weight of point 0 of target 0", "inf");
  this->ExpectRefused([](Case & test) { test.weights.assign(4, 0.0); }, "the sum of the weights of target 0", "0");
}

TEST_P(ShootingErrorsTest, OfTargets)
{
  Case             test = MakeCase(3, 4);
  GeodesicShooting shooting(this->GetContext(), test.parameters, 3, 4, ConstPointsOf(test.positions), 3);
  const auto set = [&](int target) { return [&, target] { shooting.SetTarget(target, ConstPointsOf(test.target)); }; };
  ExpectInvalidParameter(set(-1), "target", "-1");
  ExpectInvalidParameter(set(3), "target", "3");
  set(0)();
  const auto evaluate = [&](std::vector<int> targets) {
    return [&, targets] {
      std::vector<ShootingEvaluation> evaluations;
      for (const int target : targets)
      {
        evaluations.push_back({ target, test.momenta.data(), nullptr, {} });
      }
      shooting.Evaluate(evaluations);
    };
  };
  ExpectInvalidParameter(evaluate({ 0, 3 }), "target", "3");
  ExpectInvalidParameter(evaluate({ -1 }), "target", "-1");
  ExpectInvalidParameter(evaluate({ 0, 1 }), "target 1", "not set");
  ExpectInvalidParameter(evaluate({ 0, 0 }), "target 0", "evaluated twice");
  EXPECT_NO_THROW(evaluate({})());
  EXPECT_NO_THROW(evaluate({ 0 })());
}

TEST_P(ShootingErrorsTest, OfMomenta)
{
  Case       test = MakeCase(3, 4);
  const auto shooting = MakeShooting(this->GetContext(), test);
  const auto shoot = [&] { shooting->Shoot(test.momenta.data(), {}, {}); };
  EXPECT_NO_THROW(shoot());
  test.momenta[5] = nan;
  ExpectInvalidParameter([&] { Evaluate(*shooting, test.momenta); }, "coordinate 2 of point 1 of the momenta", "nan");
  ExpectInvalidParameter(shoot, "coordinate 2 of point 1 of the momenta", "nan");
  ExpectInvalidParameter([&] { shooting->Shoot(nullptr, {}, {}); }, "momenta", "absent");
}

CUDANEURO_TEST_ON_ALL_DEVICES(ShootingErrorsTest);

TEST(ShootingMemory, OfADeviceIsNotRead)
{
  const Case         test = MakeCase(3, 4);
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  ExpectInvalidParameter(
    [&] {
      GeodesicShooting(cpu,
                       test.parameters,
                       3,
                       4,
                       { test.positions.data(), cudaneuro::PixelType::Double, cudaneuro::MemorySpace::Device });
    },
    "the template",
    "in device memory");
}

} // namespace
