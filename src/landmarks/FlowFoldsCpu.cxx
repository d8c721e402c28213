// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/Flow.h"

#include "core/Dispatch.h"
#include "landmarks/FlowSourceCpu.h"
#include "landmarks/FlowSumsCpu.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro::cpu
{
namespace
{

template <typename T, int VDimension>
CUDANEURO_ALWAYS_INLINE bool
IsFoldedAt(const FlowLandmarks<T, T> & landmarks, int step, const T (&point)[VDimension])
{
  FlowSums<T, VDimension> sums(landmarks, point);
  const T                 displacement[1][VDimension] = {};
  T                       increment[1][VDimension];
  T                       jacobian[VDimension][VDimension];
  StepIncrementAndJacobian(landmarks.steps, step, sums, displacement, increment, jacobian);
  return !(Determinant(jacobian) > 0);
}

/** Whether a step folds at a landmark, or ahead of one. Called within VectorDispatch. */
template <typename T, int VDimension>
CUDANEURO_ALWAYS_INLINE bool
IsFolded(const FlowLandmarks<T, T> & landmarks, int step, T sigma)
{
  const std::int64_t row = landmarks.numberOfLandmarks;
  const std::int64_t first = std::int64_t{ step } * landmarks.steps.stages * VDimension * row;
  for (std::int64_t i = 0; i < row; ++i)
  {
    T at[VDimension];
    T ahead[VDimension];
    T momentum[VDimension];
    for (int d = 0; d < VDimension; ++d)
    {
      at[d] = landmarks.positions[first + d * row + i];
      momentum[d] = landmarks.momenta[first + d * row + i];
    }
    const T length = std::sqrt(Dot(momentum, momentum));
    const T factor = length > 0 ? sigma / length : T(0);
    for (int d = 0; d < VDimension; ++d)
    {
      ahead[d] = at[d] + factor * momentum[d];
    }
    if (IsFoldedAt(landmarks, step, at) || IsFoldedAt(landmarks, step, ahead))
    {
      return true;
    }
  }
  return false;
}

template <typename T, int VDimension>
int
FindFoldedStepIn(Context & context, const FlowStates & states)
{
  const FlowSource<T> source(states);
  const T             sigma = static_cast<T>(std::sqrt(0.5 * log2OfE)); // in working units
  std::vector<char>   isFolded(static_cast<std::size_t>(source.Landmarks().steps.numberOfSteps));
  context.ParallelFor(static_cast<std::int64_t>(isFolded.size()), [&](std::int64_t step) {
    VectorDispatch([&] {
      isFolded[static_cast<std::size_t>(step)] =
        IsFolded<T, VDimension>(source.Landmarks(), static_cast<int>(step), sigma);
    });
  });
  const auto found = std::find(isFolded.begin(), isFolded.end(), char{ 1 });
  return found == isFolded.end() ? -1 : static_cast<int>(found - isFolded.begin());
}

} // namespace

int
FindFoldedStep(Context & context, const FlowStates & states)
{
  const Context::ProgressPause pause(context);
  int                          step = -1;
  WithConstant<2, 3>(states.GetDimension(), [&](auto dimension) {
    step = states.GetPrecision() == ShootingPrecision::Single ? FindFoldedStepIn<float, dimension()>(context, states)
                                                              : FindFoldedStepIn<double, dimension()>(context, states);
  });
  return step;
}

} // namespace cudaneuro::cpu
