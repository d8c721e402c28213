// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/Flow.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "landmarks/FlowSourceCpu.h"
#include "landmarks/FlowSumsCpu.h"

#include <algorithm>

namespace cudaneuro::cpu
{
namespace
{

/** Whether a position is inside the reach; false for NaN. */
template <int VDimension>
bool
IsInside(const FlowReach & reach, const double * position)
{
  bool isInside = true;
  for (int d = 0; d < VDimension; ++d)
  {
    isInside = isInside && position[d] >= reach.lowest[d] && position[d] <= reach.highest[d];
  }
  return isInside;
}

/** Moves a point that is inside the reach. Called within VectorDispatch. */
template <typename T, int VDimension>
CUDANEURO_ALWAYS_INLINE bool
MoveNearPoint(const FlowLandmarks<T, T> & landmarks,
              FlowDirection               direction,
              const double *              position,
              T (&displacement)[1][VDimension],
              T (*jacobian)[VDimension][VDimension])
{
  T start[VDimension];
  for (int d = 0; d < VDimension; ++d)
  {
    start[d] = static_cast<T>(position[d]);
    displacement[0][d] = 0;
  }
  FlowSums<T, VDimension> sums(landmarks, start);
  if (direction == FlowDirection::Backward)
  {
    // In single precision, the fixed-point iteration takes 2 sums per step. Newton's method is faster in double
    // precision, and replaces it where it fails.
    if (sizeof(T) == sizeof(float) && jacobian == nullptr)
    {
      if (FlowBackwardByFixedPoint(landmarks.steps, sums, displacement) == 0)
      {
        return true;
      }
      std::fill_n(displacement[0], VDimension, T(0));
    }
    return FlowBackward(landmarks.steps, sums, displacement, jacobian);
  }
  if (jacobian != nullptr)
  {
    FlowForwardWithJacobian(landmarks.steps, sums, displacement, *jacobian);
  }
  else
  {
    FlowForward(landmarks.steps, sums, displacement);
  }
  return true;
}

template <int VDimension>
bool
MoveInDoublePrecision(const FlowSource<double> & source,
                      FlowDirection              direction,
                      const double *             position,
                      double *                   displacement,
                      double *                   jacobian)
{
  double moved[1][VDimension] = {};
  double derivatives[VDimension][VDimension];
  SetIdentity(derivatives);
  bool isMoved = true;
  if (IsInside<VDimension>(source.Reach(), position))
  {
    VectorDispatch([&] {
      isMoved = MoveNearPoint<double, VDimension>(
        source.Landmarks(), direction, position, moved, jacobian != nullptr ? &derivatives : nullptr);
    });
  }
  std::copy_n(moved[0], VDimension, displacement);
  if (jacobian != nullptr)
  {
    std::copy_n(derivatives[0], VDimension * VDimension, jacobian);
  }
  return isMoved;
}

FlowFailures
Merge(const std::vector<FlowFailures> & parts)
{
  FlowFailures all;
  for (const FlowFailures & part : parts)
  {
    all.first = all.count == 0 ? part.first : all.first;
    all.count += part.count;
  }
  return all;
}

void
Add(std::int64_t index, FlowFailures & failures)
{
  failures.first = failures.count == 0 ? index : failures.first;
  ++failures.count;
}

/** Writes the displacements of a row of voxels. Called within VectorDispatch. */
template <typename T, int VDimension>
CUDANEURO_ALWAYS_INLINE FlowFailures
ComputeRow(const FlowSource<T> & source,
           FlowDirection         direction,
           const FlowGrid &      grid,
           std::int64_t          row,
           double                length,
           const FlowField &     field)
{
  FlowFailures       failures;
  const std::int64_t y = row % grid.extent.y;
  const std::int64_t z = row / grid.extent.y;
  for (int x = 0; x < grid.extent.x; ++x)
  {
    double position[VDimension];
    for (int d = 0; d < VDimension; ++d)
    {
      const double * const matrix = grid.matrix + 3 * d;
      position[d] = matrix[0] * x + (matrix[1] * y + (matrix[2] * z + grid.offset[d]));
    }
    const std::int64_t index = row * grid.extent.x + x;
    T                  displacement[1][VDimension] = {};
    if (IsInside<VDimension>(source.Reach(), position) &&
        !MoveNearPoint<T, VDimension>(source.Landmarks(), direction, position, displacement, nullptr))
    {
      Add(index, failures);
    }
    for (int d = 0; d < field.components; ++d)
    {
      field.data[index * field.components + d] =
        d < VDimension ? static_cast<float>(displacement[0][d] * static_cast<T>(length)) : 0.0f;
    }
  }
  return failures;
}

template <typename T, int VDimension>
FlowFailures
ComputeFieldIn(
  Context & context, const FlowStates & states, FlowDirection direction, const FlowGrid & grid, const FlowField & field)
{
  const FlowSource<T>       source(states);
  const std::int64_t        rows = std::int64_t{ grid.extent.y } * grid.extent.z;
  const double              length = 1.0 / states.GetUnits().scale;
  std::vector<FlowFailures> failures(static_cast<std::size_t>(rows));
  context.ParallelFor(rows, [&](std::int64_t row) {
    VectorDispatch([&] {
      failures[static_cast<std::size_t>(row)] = ComputeRow<T, VDimension>(source, direction, grid, row, length, field);
    });
  });
  return Merge(failures);
}

} // namespace

bool
MovePoint(
  const FlowStates & states, FlowDirection direction, const double * position, double * displacement, double * jacobian)
{
  const FlowSource<double> source(states);
  return states.GetDimension() == 2 ? MoveInDoublePrecision<2>(source, direction, position, displacement, jacobian)
                                    : MoveInDoublePrecision<3>(source, direction, position, displacement, jacobian);
}

FlowFailures
MovePoints(Context & context, const FlowStates & states, FlowDirection direction, std::vector<double> & points)
{
  constexpr std::int64_t    pointsPerTask = 64;
  const int                 dimension = states.GetDimension();
  const std::int64_t        count = static_cast<std::int64_t>(points.size()) / dimension;
  const std::int64_t        tasks = DivideUp(count, pointsPerTask);
  std::vector<FlowFailures> failures(static_cast<std::size_t>(tasks));
  context.ParallelFor(tasks, [&](std::int64_t task) {
    const std::int64_t end = std::min(count, (task + 1) * pointsPerTask);
    for (std::int64_t i = task * pointsPerTask; i < end; ++i)
    {
      double displacement[3];
      if (!MovePoint(states, direction, points.data() + i * dimension, displacement, nullptr))
      {
        Add(i, failures[static_cast<std::size_t>(task)]);
      }
      std::copy_n(displacement, dimension, points.data() + i * dimension);
    }
  });
  return Merge(failures);
}

FlowFailures
ComputeField(
  Context & context, const FlowStates & states, FlowDirection direction, const FlowGrid & grid, const FlowField & field)
{
  FlowFailures failures;
  WithConstant<2, 3>(states.GetDimension(), [&](auto dimension) {
    failures = states.GetPrecision() == ShootingPrecision::Single
                 ? ComputeFieldIn<float, dimension()>(context, states, direction, grid, field)
                 : ComputeFieldIn<double, dimension()>(context, states, direction, grid, field);
  });
  return failures;
}

} // namespace cudaneuro::cpu
