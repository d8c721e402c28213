// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "data/PlainShooting.h"

#include <array>
#include <cmath>

namespace cudaneuro::benchmark
{

namespace
{

using Vector = std::array<float, 3>;
using Vectors = std::vector<Vector>;

struct State
{
  Vectors positions;
  Vectors momenta;
};

float
Dot(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector
Difference(const Vector & a, const Vector & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

void
Add(Vector & sum, float factor, const Vector & vector)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    sum[axis] += factor * vector[axis];
  }
}

Vectors
ToVectors(const std::vector<double> & numbers)
{
  Vectors vectors(numbers.size() / 3);
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    vectors[i / 3][i % 3] = static_cast<float>(numbers[i]);
  }
  return vectors;
}

/** dq_i/dt = sum_j K p_j and dp_i/dt = s sum_j K (p_i.p_j) (q_i - q_j), with s = 1 / sigma^2. */
State
SlopesOf(const State & state, float s)
{
  const std::size_t count = state.positions.size();
  State             slopes{ Vectors(count), Vectors(count) };
  for (std::size_t i = 0; i < count; ++i)
  {
    for (std::size_t j = 0; j < count; ++j)
    {
      const Vector difference = Difference(state.positions[i], state.positions[j]);
      const float  kernel = std::exp(-0.5f * s * Dot(difference, difference));
      Add(slopes.positions[i], kernel, state.momenta[j]);
      Add(slopes.momenta[i], s * kernel * Dot(state.momenta[i], state.momenta[j]), difference);
    }
  }
  return slopes;
}

/** The derivatives of a.dq/dt + b.dp/dt by positions and momenta, where a and b are \p adjoint. */
State
AdjointSlopesOf(const State & state, const State & adjoint, float s)
{
  const std::size_t count = state.positions.size();
  State             slopes{ Vectors(count), Vectors(count) };
  for (std::size_t i = 0; i < count; ++i)
  {
    for (std::size_t j = 0; j < count; ++j)
    {
      const Vector difference = Difference(state.positions[i], state.positions[j]);
      const Vector forces = Difference(adjoint.momenta[i], adjoint.momenta[j]);
      const float  kernel = std::exp(-0.5f * s * Dot(difference, difference));
      const float  product = Dot(state.momenta[i], state.momenta[j]);
      const float  change = s * Dot(forces, difference);
      const float  both =
        Dot(adjoint.positions[i], state.momenta[j]) + Dot(adjoint.positions[j], state.momenta[i]) + product * change;
      Add(slopes.momenta[i], kernel, adjoint.positions[j]);
      Add(slopes.momenta[i], kernel * change, state.momenta[j]);
      Add(slopes.positions[i], s * kernel * product, forces);
      Add(slopes.positions[i], -s * kernel * both, difference);
    }
  }
  return slopes;
}

void
Step(State & state, float step, const State & slopes)
{
  for (std::size_t i = 0; i < state.positions.size(); ++i)
  {
    Add(state.positions[i], step, slopes.positions[i]);
    Add(state.momenta[i], step, slopes.momenta[i]);
  }
}

} // namespace

double
PlainLossAndGradient(const GeodesicShootingParameters & parameters,
                     const std::vector<double> &        templatePoints,
                     const std::vector<double> &        target,
                     const std::vector<double> &        momenta,
                     std::vector<double> &              gradient)
{
  const auto         s = static_cast<float>(1.0 / (parameters.sigma * parameters.sigma));
  const auto         step = static_cast<float>(1.0 / parameters.numberOfTimeSteps);
  const auto         lambda = static_cast<float>(parameters.lambda);
  const Vectors      targets = ToVectors(target);
  std::vector<State> states{ { ToVectors(templatePoints), ToVectors(momenta) } };
  Vectors            velocities;
  for (int i = 0; i < parameters.numberOfTimeSteps; ++i)
  {
    const State slopes = SlopesOf(states.back(), s);
    if (i == 0)
    {
      velocities = slopes.positions;
    }
    states.push_back(states.back());
    Step(states.back(), step, slopes);
  }
  State  adjoint{ Vectors(targets.size()), Vectors(targets.size()) };
  double loss = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i)
  {
    const Vector difference = Difference(states.back().positions[i], targets[i]);
    Add(adjoint.positions[i], 2.0f * lambda, difference);
    loss += 0.5 * Dot(states.front().momenta[i], velocities[i]) + lambda * Dot(difference, difference);
  }
  for (int i = parameters.numberOfTimeSteps - 1; i >= 0; --i)
  {
    Step(adjoint, step, AdjointSlopesOf(states[i], adjoint, s));
  }
  gradient.resize(momenta.size());
  for (std::size_t i = 0; i < gradient.size(); ++i)
  {
    gradient[i] = adjoint.momenta[i / 3][i % 3] + velocities[i / 3][i % 3];
  }
  return loss;
}

} // namespace cudaneuro::benchmark
