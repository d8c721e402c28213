// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceFlow_h
#define ReferenceFlow_h

#include "cudaneuro/GeodesicShooting.h"

#include <cmath>
#include <cstddef>
#include <vector>

/** Geodesic shooting in plain loops, in double precision and in mm. A point that flows is a landmark without
 * momentum: it goes with the others, and they do not feel it. */
namespace reference
{

struct LandmarkState
{
  std::vector<double> positions;
  std::vector<double> momenta;
};

inline LandmarkState
Slopes(const LandmarkState & state, int dimension, double sigma)
{
  const std::size_t count = state.positions.size() / dimension;
  LandmarkState     slopes{ std::vector<double>(count * dimension, 0.0), std::vector<double>(count * dimension, 0.0) };
  for (std::size_t i = 0; i < count; ++i)
  {
    for (std::size_t j = 0; j < count; ++j)
    {
      double square = 0.0;
      double product = 0.0;
      for (int d = 0; d < dimension; ++d)
      {
        const double difference = state.positions[i * dimension + d] - state.positions[j * dimension + d];
        square += difference * difference;
        product += state.momenta[i * dimension + d] * state.momenta[j * dimension + d];
      }
      const double kernel = std::exp(-0.5 * square / (sigma * sigma));
      for (int d = 0; d < dimension; ++d)
      {
        const double difference = state.positions[i * dimension + d] - state.positions[j * dimension + d];
        slopes.positions[i * dimension + d] += kernel * state.momenta[j * dimension + d];
        slopes.momenta[i * dimension + d] += kernel * product * difference / (sigma * sigma);
      }
    }
  }
  return slopes;
}

inline LandmarkState
Moved(const LandmarkState & state, double factor, const LandmarkState & slopes)
{
  LandmarkState moved = state;
  for (std::size_t i = 0; i < moved.positions.size(); ++i)
  {
    moved.positions[i] += factor * slopes.positions[i];
    moved.momenta[i] += factor * slopes.momenta[i];
  }
  return moved;
}

inline LandmarkState
Step(const LandmarkState & state, cudaneuro::ShootingIntegrator integrator, double h, int dimension, double sigma)
{
  const LandmarkState first = Slopes(state, dimension, sigma);
  if (integrator == cudaneuro::ShootingIntegrator::Euler)
  {
    return Moved(state, h, first);
  }
  if (integrator == cudaneuro::ShootingIntegrator::Heun)
  {
    const LandmarkState second = Slopes(Moved(state, h, first), dimension, sigma);
    return Moved(Moved(state, 0.5 * h, first), 0.5 * h, second);
  }
  const LandmarkState second = Slopes(Moved(state, 0.5 * h, first), dimension, sigma);
  const LandmarkState third = Slopes(Moved(state, 0.5 * h, second), dimension, sigma);
  const LandmarkState fourth = Slopes(Moved(state, h, third), dimension, sigma);
  return Moved(Moved(Moved(Moved(state, h / 6.0, first), h / 3.0, second), h / 3.0, third), h / 6.0, fourth);
}

/** Where points go with landmarks. */
inline std::vector<double>
FlowForward(const cudaneuro::GeodesicShootingParameters & parameters,
            int                                           dimension,
            const LandmarkState &                         landmarks,
            const std::vector<double> &                   points)
{
  LandmarkState state = landmarks;
  state.positions.insert(state.positions.end(), points.begin(), points.end());
  state.momenta.resize(state.positions.size(), 0.0);
  for (int step = 0; step < parameters.numberOfTimeSteps; ++step)
  {
    state = Step(state, parameters.integrator, 1.0 / parameters.numberOfTimeSteps, dimension, parameters.sigma);
  }
  return { state.positions.end() - static_cast<std::ptrdiff_t>(points.size()), state.positions.end() };
}

} // namespace reference

#endif
