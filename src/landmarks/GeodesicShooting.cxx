// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/GeodesicShooting.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "landmarks/StageStates.h"
#include "landmarks/TrajectorySolver.h"
#include "points/PointArrays.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

std::unique_ptr<TrajectorySolver>
MakeTrajectorySolver(Context & context, const ShootingProblem & problem)
{
  CUDANEURO_DISPATCH(context, MakeTrajectorySolver(context, problem));
}

std::string
TargetName(int target)
{
  return "target " + std::to_string(target);
}

void
RequireTarget(int target, int numberOfTargets)
{
  if (target < 0 || target >= numberOfTargets)
  {
    ThrowInvalid("target", target, "from 0 to " + std::to_string(numberOfTargets - 1));
  }
}

/** \returns the weights in the working order */
std::vector<double>
WorkingWeights(const ShootingProblem & problem, const std::string & target, const double * weights)
{
  std::vector<double> working(problem.order.size(), 1.0);
  if (weights == nullptr)
  {
    return working;
  }
  double largest = 0.0;
  for (std::size_t k = 0; k < working.size(); ++k)
  {
    const double weight = weights[problem.order[k]];
    if (!(weight >= 0.0) || !std::isfinite(weight))
    {
      ThrowInvalid(
        "the weight of point " + std::to_string(problem.order[k]) + " of " + target, weight, "finite and not negative");
    }
    working[k] = weight;
    largest = std::max(largest, weight);
  }
  if (!(largest > 0.0))
  {
    ThrowInvalid("the sum of the weights of " + target, largest, "positive");
  }
  return working;
}

} // namespace

GeodesicShooting::GeodesicShooting(Context &                          context,
                                   const GeodesicShootingParameters & parameters,
                                   int                                dimension,
                                   std::int64_t                       numberOfPoints,
                                   const ConstPoints &                templatePoints,
                                   int                                numberOfTargets)
  : m_Context(context)
{
  RequireShooting(parameters, dimension, numberOfPoints, numberOfTargets);
  const std::vector<double> positions = ReadPoints(context, "the template", dimension, numberOfPoints, templatePoints);
  m_Problem = std::make_unique<ShootingProblem>(
    MakeShootingProblem(parameters, dimension, numberOfPoints, positions, numberOfTargets));
  m_Solver = MakeTrajectorySolver(context, *m_Problem);
  m_HasTarget.assign(static_cast<std::size_t>(numberOfTargets), false);
}

GeodesicShooting::~GeodesicShooting() = default;

void
GeodesicShooting::RequireNoneUnderWay() const
{
  if (!m_UnderWay.empty())
  {
    ThrowInvalid("the number of evaluations under way", m_UnderWay.size(), "0, after FinishEvaluation");
  }
}

void
GeodesicShooting::SetTarget(int target, const ConstPoints & points, const double * weights)
{
  this->RequireNoneUnderWay();
  RequireTarget(target, m_Problem->numberOfTargets);
  const std::string         name = TargetName(target);
  const std::vector<double> positions =
    ReadPoints(m_Context, name, m_Problem->dimension, m_Problem->numberOfPoints, points);
  RequirePositions(name, m_Problem->dimension, positions);
  m_Solver->SetTarget(target, ToWorkingPositions(*m_Problem, positions), WorkingWeights(*m_Problem, name, weights));
  m_HasTarget[static_cast<std::size_t>(target)] = true;
}

void
GeodesicShooting::Evaluate(std::vector<ShootingEvaluation> & evaluations)
{
  this->RequireNoneUnderWay();
  this->StartEvaluation(evaluations);
  this->FinishEvaluation();
}

void
GeodesicShooting::StartEvaluation(std::vector<ShootingEvaluation> & evaluations)
{
  if (m_UnderWay.size() == 2)
  {
    ThrowInvalid("the number of evaluations under way", "3 with those to be started", "at most 2");
  }
  std::vector<bool> isEvaluated(m_HasTarget.size(), false);
  for (const std::vector<ShootingEvaluation> * const underWay : m_UnderWay)
  {
    for (const ShootingEvaluation & evaluation : *underWay)
    {
      isEvaluated[static_cast<std::size_t>(evaluation.target)] = true;
    }
  }
  for (const ShootingEvaluation & evaluation : evaluations)
  {
    RequireTarget(evaluation.target, m_Problem->numberOfTargets);
    const auto target = static_cast<std::size_t>(evaluation.target);
    if (!m_HasTarget[target])
    {
      ThrowInvalid(TargetName(evaluation.target), "not set", "set by SetTarget");
    }
    if (isEvaluated[target])
    {
      ThrowInvalid(TargetName(evaluation.target), "evaluated twice at the same time", "evaluated once");
    }
    isEvaluated[target] = true;
  }
  m_UnderWay.reserve(2);
  if (!evaluations.empty())
  {
    m_Solver->StartEvaluation(evaluations);
  }
  m_UnderWay.push_back(&evaluations);
}

void
GeodesicShooting::FinishEvaluation()
{
  if (m_UnderWay.empty())
  {
    ThrowInvalid("the number of evaluations under way", 0, "at least 1, after StartEvaluation");
  }
  std::vector<ShootingEvaluation> & evaluations = *m_UnderWay.front();
  m_UnderWay.erase(m_UnderWay.begin());
  if (!evaluations.empty())
  {
    m_Solver->FinishEvaluation(evaluations);
  }
  for (const ShootingEvaluation & evaluation : evaluations)
  {
    // Momenta that are not finite have a loss that is not finite. Only then are they checked, which takes time in large
    // batches.
    if (!std::isfinite(evaluation.loss.Total()))
    {
      RequireFiniteMomenta(m_Problem->dimension, m_Problem->numberOfPoints, evaluation.momenta);
    }
  }
}

void
GeodesicShooting::DiscardEvaluations() noexcept
{
  m_UnderWay.clear();
  m_Solver->DiscardEvaluations();
}

void
GeodesicShooting::Shoot(const double * momenta, const Points & positions, const Points & momentaOverTime)
{
  this->RequireNoneUnderWay();
  RequireFiniteMomenta(m_Problem->dimension, m_Problem->numberOfPoints, momenta);
  const std::size_t size = static_cast<std::size_t>(m_Problem->parameters.numberOfTimeSteps + 1) *
                           static_cast<std::size_t>(m_Problem->numberOfPoints * m_Problem->dimension);
  std::vector<double> allPositions(positions.data != nullptr ? size : 0);
  std::vector<double> allMomenta(momentaOverTime.data != nullptr ? size : 0);
  m_Solver->Shoot(momenta,
                  positions.data != nullptr ? allPositions.data() : nullptr,
                  momentaOverTime.data != nullptr ? allMomenta.data() : nullptr);
  WritePoints(m_Context, "positions", allPositions, positions);
  WritePoints(m_Context, "momentaOverTime", allMomenta, momentaOverTime);
}

int
GeodesicShooting::GetNumberOfEvaluationsAtATime() const
{
  return m_Solver->GetNumberOfEvaluationsAtATime();
}

int
GeodesicShooting::GetDimension() const
{
  return m_Problem->dimension;
}

std::int64_t
GeodesicShooting::GetNumberOfPoints() const
{
  return m_Problem->numberOfPoints;
}

int
GeodesicShooting::GetNumberOfTargets() const
{
  return m_Problem->numberOfTargets;
}

const GeodesicShootingParameters &
GeodesicShooting::GetParameters() const
{
  return m_Problem->parameters;
}

} // namespace cudaneuro
