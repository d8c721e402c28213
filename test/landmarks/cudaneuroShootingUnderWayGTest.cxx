// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "ShootingTestCases.h"

#include <iterator>

/** Evaluations that are started and finished separately, two of them under way at the same time. */
namespace
{

using namespace shootingtests;

class ShootingUnderWayTest : public DeviceTest
{};

constexpr int targets = 7;

std::unique_ptr<GeodesicShooting>
MakeShootingToMany(cudaneuro::Context & context, const Case & test)
{
  auto shooting = std::make_unique<GeodesicShooting>(
    context, test.parameters, test.dimension, test.NumberOfPoints(), ConstPointsOf(test.positions), targets);
  for (int target = 0; target < targets; ++target)
  {
    std::vector<double> positions = test.target;
    std::rotate(positions.begin(), positions.begin() + test.dimension * target, positions.end());
    shooting->SetTarget(target, ConstPointsOf(positions), target == 1 ? nullptr : test.weights.data());
  }
  return shooting;
}

/** Targets that are evaluated together, each with momenta of its own. */
class Group
{
public:
  Group(const Case & test, const std::vector<int> & members, double factor)
    : momenta(members.size(), test.momenta)
    , gradients(members.size(), std::vector<double>(test.momenta.size(), -1.0))
  {
    for (std::size_t k = 0; k < members.size(); ++k)
    {
      for (double & momentum : momenta[k])
      {
        momentum *= factor - 0.1 * members[k];
      }
      evaluations.push_back({ members[k], momenta[k].data(), gradients[k].data(), {} });
    }
  }
  Group(const Group &) = delete;
  Group &
  operator=(const Group &) = delete;

  std::vector<std::vector<double>> momenta;
  std::vector<std::vector<double>> gradients;
  std::vector<ShootingEvaluation>  evaluations;
};

/** Expects the bits that each evaluation has alone. */
void
ExpectSameAlone(GeodesicShooting & shooting, const Group & group)
{
  for (std::size_t k = 0; k < group.evaluations.size(); ++k)
  {
    const ShootingEvaluation & evaluation = group.evaluations[k];
    SCOPED_TRACE(evaluation.target);
    Evaluation alone = Evaluate(shooting, group.momenta[k], evaluation.target);
    if (evaluation.gradient == nullptr)
    {
      alone.gradient = group.gradients[k];
    }
    ExpectSame({ evaluation.loss, group.gradients[k] }, alone);
  }
}

// The device always has the other group to go on with. Groups grow and shrink on the way.
TEST_P(ShootingUnderWayTest, TakesTurnsWithTheBitsOfSingleEvaluations)
{
  for (const ShootingPrecision precision : precisions)
  {
    SCOPED_TRACE(precision);
    Case test = MakeCase(3, 333);
    test.parameters.precision = precision;
    const auto shooting = MakeShootingToMany(this->GetContext(), test);
    Group      groups[] = { { test, { 0, 2, 5 }, 1.0 }, { test, { 1, 3, 4, 6 }, 1.1 }, { test, { 2, 0, 5 }, 0.9 },
                            { test, { 3 }, 0.8 },       { test, { 4, 6 }, 0.7 },       { test, { 5, 3, 2, 1, 0 }, 1.2 } };
    groups[1].evaluations[2].gradient = nullptr;
    shooting->StartEvaluation(groups[0].evaluations);
    for (std::size_t next = 1; next < std::size(groups); ++next)
    {
      shooting->StartEvaluation(groups[next].evaluations);
      shooting->FinishEvaluation();
    }
    shooting->FinishEvaluation();
    for (const Group & group : groups)
    {
      SCOPED_TRACE(&group - groups);
      ExpectSameAlone(*shooting, group);
    }
  }
}

TEST_P(ShootingUnderWayTest, MayHoldNoEvaluations)
{
  const Case                      test = MakeCase(2, 50);
  const auto                      shooting = MakeShootingToMany(this->GetContext(), test);
  Group                           group(test, { 6, 1 }, 1.0);
  std::vector<ShootingEvaluation> none;
  shooting->StartEvaluation(none);
  shooting->StartEvaluation(group.evaluations);
  shooting->FinishEvaluation();
  shooting->FinishEvaluation();
  ExpectSameAlone(*shooting, group);
}

TEST_P(ShootingUnderWayTest, CountsAsEvaluate)
{
  const Case test = MakeCase(3, 100);
  const auto shooting = MakeShootingToMany(this->GetContext(), test);
  Group      first(test, { 0, 1 }, 1.0);
  Group      second(test, { 2 }, 1.0);
  this->GetContext().ResetStatistics();
  shooting->Evaluate(first.evaluations);
  shooting->Evaluate(second.evaluations);
  const cudaneuro::Statistics expected = this->GetContext().GetStatistics();
  this->GetContext().ResetStatistics();
  shooting->StartEvaluation(first.evaluations);
  shooting->StartEvaluation(second.evaluations);
  shooting->FinishEvaluation();
  const double ofFirst = this->GetContext().GetStatistics().deviceMilliseconds;
  shooting->FinishEvaluation();
  const cudaneuro::Statistics & statistics = this->GetContext().GetStatistics();
  EXPECT_EQ(statistics.hostToDeviceBytes, expected.hostToDeviceBytes);
  EXPECT_EQ(statistics.deviceToHostBytes, expected.deviceToHostBytes);
  if (this->GetParam().IsCuda())
  {
    EXPECT_GT(ofFirst, 0.0);
    EXPECT_GT(statistics.deviceMilliseconds, ofFirst);
  }
}

// What is refused changes nothing of what is under way.
TEST_P(ShootingUnderWayTest, RefusesMisuse)
{
  const Case        test = MakeCase(3, 40);
  const auto        shooting = MakeShootingToMany(this->GetContext(), test);
  const std::string number = "the number of evaluations under way";
  Group             first(test, { 0, 2 }, 1.0);
  Group             second(test, { 3, 1 }, 1.0);
  Group             third(test, { 4 }, 1.0);
  Group             again(test, { 4, 2 }, 1.0);
  ExpectInvalidParameter([&] { shooting->FinishEvaluation(); }, number, "0");
  shooting->StartEvaluation(first.evaluations);
  ExpectInvalidParameter([&] { shooting->StartEvaluation(again.evaluations); }, "target 2", "evaluated twice");
  ExpectInvalidParameter([&] { shooting->Evaluate(third.evaluations); }, number, "1");
  ExpectInvalidParameter([&] { shooting->SetTarget(4, ConstPointsOf(test.target)); }, number, "1");
  ExpectInvalidParameter([&] { shooting->Shoot(test.momenta.data(), {}, {}); }, number, "1");
  shooting->StartEvaluation(second.evaluations);
  ExpectInvalidParameter([&] { shooting->StartEvaluation(third.evaluations); }, number, "3");
  ExpectInvalidParameter([&] { shooting->Evaluate(third.evaluations); }, number, "2");
  shooting->FinishEvaluation();
  shooting->StartEvaluation(third.evaluations);
  shooting->FinishEvaluation();
  shooting->FinishEvaluation();
  ExpectInvalidParameter([&] { shooting->FinishEvaluation(); }, number, "0");
  for (const Group * const group : { &first, &second, &third })
  {
    ExpectSameAlone(*shooting, *group);
  }
}

// Those that were started later have their results all the same.
TEST_P(ShootingUnderWayTest, FailsAlone)
{
  const Case test = MakeCase(3, 40);
  const auto shooting = MakeShootingToMany(this->GetContext(), test);
  Group      bad(test, { 0, 2 }, 1.0);
  Group      good(test, { 3, 1 }, 1.0);
  bad.momenta[1][4] = std::numeric_limits<double>::quiet_NaN();
  shooting->StartEvaluation(bad.evaluations);
  shooting->StartEvaluation(good.evaluations);
  ExpectInvalidParameter([&] { shooting->FinishEvaluation(); }, "coordinate 1 of point 1 of the momenta", "nan");
  shooting->FinishEvaluation();
  ExpectSameAlone(*shooting, good);
}

TEST_P(ShootingUnderWayTest, IsForgotten)
{
  const Case test = MakeCase(3, 200);
  Group      last(test, { 0, 2, 4 }, 1.0);
  const auto shooting = MakeShootingToMany(this->GetContext(), test);
  EXPECT_NO_THROW(shooting->DiscardEvaluations());
  for (const int count : { 1, 2 })
  {
    SCOPED_TRACE(count);
    Group first(test, { 0, 1 }, 0.9);
    Group second(test, { 2, 3, 4 }, 0.8);
    shooting->StartEvaluation(first.evaluations);
    if (count == 2)
    {
      shooting->StartEvaluation(second.evaluations);
    }
    shooting->DiscardEvaluations();
    ExpectInvalidParameter([&] { shooting->FinishEvaluation(); }, "the number of evaluations under way", "0");
    for (const std::vector<double> & gradient : first.gradients)
    {
      EXPECT_EQ(gradient, std::vector<double>(gradient.size(), -1.0));
    }
  }
  shooting->Evaluate(last.evaluations);
  ExpectSameAlone(*shooting, last);
  // An object may end with evaluations under way.
  shooting->StartEvaluation(last.evaluations);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ShootingUnderWayTest);

} // namespace
