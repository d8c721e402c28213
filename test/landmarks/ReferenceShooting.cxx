// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceShooting.h"

#include <algorithm>
#include <cmath>

namespace reference
{
namespace
{

/** What the slopes and their derivatives have in common for a pair of points. */
struct Pair
{
  double kernel = 0.0;
  /** p_i.p_j */
  double product = 0.0;
  /** q_i - q_j */
  double difference[3] = {};

  Pair(int dimension, double sigma, const PhaseState & state, std::size_t i, std::size_t j)
  {
    double square = 0.0;
    for (int d = 0; d < dimension; ++d)
    {
      difference[d] = state.positions[i * dimension + d] - state.positions[j * dimension + d];
      square += difference[d] * difference[d];
      product += state.momenta[i * dimension + d] * state.momenta[j * dimension + d];
    }
    kernel = std::exp(-square / (2.0 * sigma * sigma));
  }
};

/** dq_i/dt and dp_i/dt of all points. */
PhaseState
Slopes(int dimension, double sigma, const PhaseState & state)
{
  const std::size_t points = state.positions.size() / dimension;
  PhaseState        slopes{ std::vector<double>(state.positions.size()), std::vector<double>(state.positions.size()) };
  for (std::size_t i = 0; i < points; ++i)
  {
    for (std::size_t j = 0; j < points; ++j)
    {
      const Pair pair(dimension, sigma, state, i, j);
      for (int d = 0; d < dimension; ++d)
      {
        slopes.positions[i * dimension + d] += pair.kernel * state.momenta[j * dimension + d];
        slopes.momenta[i * dimension + d] += pair.kernel * pair.product * pair.difference[d] / (sigma * sigma);
      }
    }
  }
  return slopes;
}

/** The derivatives of a by the state, from those of a by the slopes: each pair passes them on to both of its points. */
PhaseState
SlopesBackward(int dimension, double sigma, const PhaseState & state, const PhaseState & bySlopes)
{
  const std::size_t points = state.positions.size() / dimension;
  const double      squaredSigma = sigma * sigma;
  PhaseState        result{ std::vector<double>(state.positions.size()), std::vector<double>(state.positions.size()) };
  for (std::size_t i = 0; i < points; ++i)
  {
    for (std::size_t j = 0; j < points; ++j)
    {
      const Pair pair(dimension, sigma, state, i, j);
      const auto at = [dimension](std::size_t point, int d) { return point * dimension + d; };
      double     velocityByKernel = 0.0;
      double     forceByFactors = 0.0;
      for (int d = 0; d < dimension; ++d)
      {
        velocityByKernel += bySlopes.positions[at(i, d)] * state.momenta[at(j, d)];
        forceByFactors += bySlopes.momenta[at(i, d)] * pair.difference[d] / squaredSigma;
      }
      const double byKernel = velocityByKernel + pair.product * forceByFactors;
      for (int d = 0; d < dimension; ++d)
      {
        const double byDifference = bySlopes.momenta[at(i, d)] * pair.kernel * pair.product / squaredSigma -
                                    byKernel * pair.kernel * pair.difference[d] / squaredSigma;
        result.positions[at(i, d)] += byDifference;
        result.positions[at(j, d)] -= byDifference;
        result.momenta[at(j, d)] += bySlopes.positions[at(i, d)] * pair.kernel;
        result.momenta[at(i, d)] += forceByFactors * pair.kernel * state.momenta[at(j, d)];
        result.momenta[at(j, d)] += forceByFactors * pair.kernel * state.momenta[at(i, d)];
      }
    }
  }
  return result;
}

/** state += factor change. */
void
Add(PhaseState & state, double factor, const PhaseState & change)
{
  for (std::size_t i = 0; i < state.positions.size(); ++i)
  {
    state.positions[i] += factor * change.positions[i];
    state.momenta[i] += factor * change.momenta[i];
  }
}

/** The states that the stages of a step start from, and what the step comes to. */
std::vector<PhaseState>
StagesOfStep(const ShootingProblem & problem, const PhaseState & start)
{
  const double            step = 1.0 / problem.steps;
  std::vector<PhaseState> states{ start };
  PhaseState              end = start;
  for (std::size_t s = 0; s < problem.scheme.weights.size(); ++s)
  {
    const PhaseState slopes = Slopes(problem.dimension, problem.sigma, states[s]);
    Add(end, step * problem.scheme.weights[s], slopes);
    if (s < problem.scheme.nodes.size())
    {
      states.push_back(start);
      Add(states.back(), step * problem.scheme.nodes[s], slopes);
    }
  }
  states.push_back(end);
  return states;
}

/** The derivatives by the start of a step, from those by its end. */
PhaseState
StepBackward(const ShootingProblem & problem, const PhaseState & start, const PhaseState & byEnd)
{
  const double                  step = 1.0 / problem.steps;
  const std::vector<PhaseState> states = StagesOfStep(problem, start);
  PhaseState                    result = byEnd;
  PhaseState byNextStage{ std::vector<double>(start.positions.size()), std::vector<double>(start.positions.size()) };
  for (std::size_t s = problem.scheme.weights.size(); s-- > 0;)
  {
    PhaseState bySlopes{ std::vector<double>(start.positions.size()), std::vector<double>(start.positions.size()) };
    Add(bySlopes, step * problem.scheme.weights[s], byEnd);
    if (s < problem.scheme.nodes.size())
    {
      Add(bySlopes, step * problem.scheme.nodes[s], byNextStage);
    }
    byNextStage = SlopesBackward(problem.dimension, problem.sigma, states[s], bySlopes);
    Add(result, 1.0, byNextStage);
  }
  return result;
}

/** Fills in the terms of the loss; returns the derivatives of the mismatch by the state at the end. */
PhaseState
Measure(const ShootingProblem & problem, ShootingResult & result)
{
  const PhaseState & end = result.times.back();
  PhaseState derivatives{ std::vector<double>(end.positions.size()), std::vector<double>(end.positions.size()) };
  double     count = 0.0;
  for (std::size_t i = 0; i < problem.weights.size(); ++i)
  {
    double square = 0.0;
    for (int d = 0; d < problem.dimension; ++d)
    {
      const std::size_t k = i * problem.dimension + d;
      const double      difference = end.positions[k] - problem.target[k];
      square += difference * difference;
      derivatives.positions[k] = 2.0 * problem.lambda * problem.weights[i] * difference;
    }
    result.mismatch += problem.lambda * problem.weights[i] * square;
    if (problem.weights[i] > 0.0)
    {
      result.meanDistance += std::sqrt(square);
      result.maximumDistance = std::max(result.maximumDistance, std::sqrt(square));
      count += 1.0;
    }
  }
  result.meanDistance /= count;
  return derivatives;
}

} // namespace

double
KineticEnergy(int dimension, double sigma, const PhaseState & state)
{
  const std::size_t points = state.positions.size() / dimension;
  // Of so many terms of both signs, a sum in double would be off by more than results in double are.
  long double energy = 0.0;
  for (std::size_t i = 0; i < points; ++i)
  {
    for (std::size_t j = 0; j < points; ++j)
    {
      const Pair pair(dimension, sigma, state, i, j);
      energy += 0.5L * pair.kernel * pair.product;
    }
  }
  return static_cast<double>(energy);
}

ShootingResult
Shoot(const ShootingProblem & problem, const std::vector<double> & momenta)
{
  ShootingResult result;
  result.times.push_back({ problem.positions, momenta });
  for (int step = 0; step < problem.steps; ++step)
  {
    result.times.push_back(StagesOfStep(problem, result.times.back()).back());
  }
  PhaseState derivatives = Measure(problem, result);
  for (std::size_t step = static_cast<std::size_t>(problem.steps); step-- > 0;)
  {
    derivatives = StepBackward(problem, result.times[step], derivatives);
  }
  // dH/dp_i is the velocity at the start.
  const PhaseState & start = result.times.front();
  result.kineticEnergy = KineticEnergy(problem.dimension, problem.sigma, start);
  result.gradient = Slopes(problem.dimension, problem.sigma, start).positions;
  for (std::size_t i = 0; i < result.gradient.size(); ++i)
  {
    result.gradient[i] += derivatives.momenta[i];
  }
  return result;
}

} // namespace reference
