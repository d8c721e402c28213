// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowFormulas_h
#define cudaneuro_landmarks_FlowFormulas_h

#include "landmarks/FlowLandmarks.h"
#include "landmarks/SmallMatrix.h"
#include "points/GaussianPairFormulas.h"

#include <cmath>

/** The motion of points with the landmarks, for both compilers. A thread moves VPoints points. Their state is the
 * displacement from the start, whose rounding errors do not depend on the position. TSums has
 *
 *   Velocity(evaluation, displacement, velocity): velocity = sum_j K u_j at the displaced points,
 *   VelocityAndGradient(evaluation, displacement, velocity, gradient): the same for one point, and its gradient[a][b],
 *   Tolerance(): the length below which changes of a displacement are negligible,
 *   IsTrueForAny(flag): whether the flag is set in one of the threads that compute sums together. */
namespace cudaneuro
{

template <typename T>
CUDANEURO_HOST_DEVICE T
Larger(T a, T b)
{
#if defined(__CUDA_ARCH__)
  return max(a, b);
#else
  return a > b ? a : b;
#endif
}

/** The squared distance between a box and box 0 of an array whose rows, \p stride apart, are the lowest corners, then
 * the highest. */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE T
SquaredGap(const T (&lowest)[VDimension], const T (&highest)[VDimension], const T * boxes, std::int64_t stride)
{
  T sum = 0;
  for (int d = 0; d < VDimension; ++d)
  {
    const T gap = Larger(Larger(boxes[d * stride] - highest[d], lowest[d] - boxes[(VDimension + d) * stride]), T(0));
    sum += gap * gap;
  }
  return sum;
}

/** The increment z' - z of a step at displaced points. */
template <int VPoints, int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE void
StepIncrement(const FlowSteps<T> & steps,
              int                  step,
              TSums &              sums,
              const T (&displacement)[VPoints][VDimension],
              T (&increment)[VPoints][VDimension])
{
  T velocity[VPoints][VDimension] = {};
  for (int p = 0; p < VPoints; ++p)
  {
    for (int d = 0; d < VDimension; ++d)
    {
      increment[p][d] = 0;
    }
  }
  for (int stage = 0; stage < steps.stages; ++stage)
  {
    T moved[VPoints][VDimension];
    for (int p = 0; p < VPoints; ++p)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        moved[p][d] = displacement[p][d] + steps.advance[stage] * velocity[p][d];
      }
    }
    sums.Velocity(std::int64_t{ step } * steps.stages + stage, moved, velocity);
    for (int p = 0; p < VPoints; ++p)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        increment[p][d] += steps.weight[stage] * velocity[p][d];
      }
    }
  }
}

/** The increment for one point, and the step's Jacobian dz'/dz. With G_s the gradient of the velocity of stage s,
 *
 *   A_s = dv_s/dz = G_s (I + h advance[s] A_(s-1)),  dz'/dz = I + h sum_s weight[s] A_s. */
template <int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE void
StepIncrementAndJacobian(const FlowSteps<T> & steps,
                         int                  step,
                         TSums &              sums,
                         const T (&displacement)[1][VDimension],
                         T (&increment)[1][VDimension],
                         T (&jacobian)[VDimension][VDimension])
{
  T velocity[1][VDimension] = {};
  T slope[VDimension][VDimension] = {};
  SetIdentity(jacobian);
  for (int d = 0; d < VDimension; ++d)
  {
    increment[0][d] = 0;
  }
  for (int stage = 0; stage < steps.stages; ++stage)
  {
    T moved[1][VDimension];
    for (int a = 0; a < VDimension; ++a)
    {
      moved[0][a] = displacement[0][a] + steps.advance[stage] * velocity[0][a];
      for (int b = 0; b < VDimension; ++b)
      {
        slope[a][b] = (a == b ? T(1) : T(0)) + steps.advance[stage] * slope[a][b];
      }
    }
    T gradient[VDimension][VDimension];
    sums.VelocityAndGradient(std::int64_t{ step } * steps.stages + stage, moved, velocity, gradient);
    MultiplyFromLeft(gradient, slope);
    for (int a = 0; a < VDimension; ++a)
    {
      increment[0][a] += steps.weight[stage] * velocity[0][a];
      for (int b = 0; b < VDimension; ++b)
      {
        jacobian[a][b] += steps.weight[stage] * slope[a][b];
      }
    }
  }
}

/** displacement += the increments of all steps. */
template <int VPoints, int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE void
FlowForward(const FlowSteps<T> & steps, TSums & sums, T (&displacement)[VPoints][VDimension])
{
  for (int step = 0; step < steps.numberOfSteps; ++step)
  {
    T increment[VPoints][VDimension];
    StepIncrement(steps, step, sums, displacement, increment);
    for (int p = 0; p < VPoints; ++p)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        displacement[p][d] += increment[p][d];
      }
    }
  }
}

/** displacement += the increments of all steps for one point; also computes the Jacobian of all steps. */
template <int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE void
FlowForwardWithJacobian(const FlowSteps<T> & steps,
                        TSums &              sums,
                        T (&displacement)[1][VDimension],
                        T (&jacobian)[VDimension][VDimension])
{
  SetIdentity(jacobian);
  for (int step = 0; step < steps.numberOfSteps; ++step)
  {
    T increment[1][VDimension];
    T ofStep[VDimension][VDimension];
    StepIncrementAndJacobian(steps, step, sums, displacement, increment, ofStep);
    MultiplyFromLeft(ofStep, jacobian);
    for (int d = 0; d < VDimension; ++d)
    {
      displacement[0][d] += increment[0][d];
    }
  }
}

/** The initial guess for a point before a step: its position after the step, minus an increment extrapolated from the
 * increments of later steps, which change smoothly with time. */
template <int VPoints, int VDimension, typename T>
struct IncrementGuess
{
  T    next[VPoints][VDimension] = {};
  T    last[VPoints][VDimension] = {};
  bool isFirst = true;

  /** Records the increment that was found, target - displacement. */
  CUDANEURO_HOST_DEVICE void
  Learn(const T (&target)[VPoints][VDimension], const T (&displacement)[VPoints][VDimension])
  {
    for (int p = 0; p < VPoints; ++p)
    {
      for (int d = 0; d < VDimension; ++d)
      {
        const T found = target[p][d] - displacement[p][d];
        next[p][d] = isFirst ? found : found + (found - last[p][d]);
        last[p][d] = found;
      }
    }
    isFirst = false;
  }
};

/** displacement = target - increment.
 * \returns the points, a bit for each, whose displacement changed by more than the root of \p limit, or to NaN */
template <int VPoints, int VDimension, typename T>
CUDANEURO_HOST_DEVICE unsigned int
StepBackBy(const T (&target)[VPoints][VDimension],
           const T (&increment)[VPoints][VDimension],
           T limit,
           T (&displacement)[VPoints][VDimension])
{
  unsigned int moving = 0;
  for (int p = 0; p < VPoints; ++p)
  {
    T square = 0;
    for (int d = 0; d < VDimension; ++d)
    {
      const T next = target[p][d] - increment[p][d];
      const T change = next - displacement[p][d];
      square += change * change;
      displacement[p][d] = next;
    }
    moving |= square <= limit ? 0u : 1u << p;
  }
  return moving;
}

/** Begins the inversion of a step: sets the target to the points' present displacements, and the displacement to the
 * guess. Points that have failed stay at 0; otherwise they could diverge so far that all groups of landmarks would be
 * near the points' box. */
template <int VPoints, int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
BeginStepBack(unsigned int                                   failed,
              const IncrementGuess<VPoints, VDimension, T> & guess,
              T (&displacement)[VPoints][VDimension],
              T (&target)[VPoints][VDimension])
{
  for (int p = 0; p < VPoints; ++p)
  {
    const bool hasFailed = (failed >> p & 1u) != 0;
    for (int d = 0; d < VDimension; ++d)
    {
      target[p][d] = hasFailed ? T(0) : displacement[p][d];
      displacement[p][d] = hasFailed ? T(0) : target[p][d] - guess.next[p][d];
    }
  }
}

/** Steps back by the fixed-point iteration displacement <- target - increment(displacement), which converges where a
 * step stretches space little, as short steps do.
 * \returns the points, a bit for each, for which a step did not converge */
template <int VPoints, int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE unsigned int
FlowBackwardByFixedPoint(const FlowSteps<T> & steps, TSums & sums, T (&displacement)[VPoints][VDimension])
{
  // If steps move points by a tenth of sigma, there are 2 iterations in single precision, and 5 in double precision.
  // InvertStep handles the few points that need many.
  constexpr int                          maximumIterations = 12;
  const T                                limit = sums.Tolerance() * sums.Tolerance();
  IncrementGuess<VPoints, VDimension, T> guess;
  unsigned int                           failed = 0;
  for (int step = steps.numberOfSteps - 1; step >= 0; --step)
  {
    T target[VPoints][VDimension];
    BeginStepBack(failed, guess, displacement, target);
    unsigned int moving = ~failed;
    for (int iteration = 0; iteration < maximumIterations && sums.IsTrueForAny((moving & ~failed) != 0); ++iteration)
    {
      T increment[VPoints][VDimension];
      StepIncrement(steps, step, sums, displacement, increment);
      moving = StepBackBy(target, increment, limit, displacement);
    }
    failed |= moving;
    guess.Learn(target, displacement);
  }
  return failed;
}

/** The Newton step, to the displacement at which displacement + increment would be the target if the increment's
 * derivative were constant, but no longer than the kernel's range.
 * \returns the square of the unlimited step's length */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE T
NewtonStep(const T (&inverse)[VDimension][VDimension],
           const T (&target)[1][VDimension],
           const T (&increment)[1][VDimension],
           T (&displacement)[1][VDimension])
{
  T change[VDimension];
  for (int a = 0; a < VDimension; ++a)
  {
    change[a] = 0;
    for (int b = 0; b < VDimension; ++b)
    {
      change[a] += inverse[a][b] * (target[0][b] - displacement[0][b] - increment[0][b]);
    }
  }
  const T square = Dot(change, change);
  const T factor = square > T(1) ? T(1) / std::sqrt(square) : T(1);
  for (int d = 0; d < VDimension; ++d)
  {
    displacement[0][d] += factor * change[d];
  }
  return square;
}

/** Finds the displacement before a step by Newton's method, starting from the given displacement. The Jacobian is
 * computed at the first iterate, and again when the iteration converges slowly. Where it has no useful inverse,
 * fixed-point steps replace Newton's.
 * \param isWanted whether the iteration must converge for this point
 * \returns whether it converged, to where the map preserves the orientation of space */
template <int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE bool
InvertStep(const FlowSteps<T> & steps,
           int                  step,
           TSums &              sums,
           bool                 isWanted,
           const T (&target)[1][VDimension],
           T (&displacement)[1][VDimension])
{
  constexpr int maximumIterations = 100;
  constexpr T   leastDeterminant = T(0.01);
  constexpr T   slowSquare = T(0.01);
  T             inverse[VDimension][VDimension] = {};
  T             determinant = 0;
  T             lastSquare = 0;
  bool          isMoving = true;
  bool          isSlow = true;
  for (int iteration = 0; iteration < maximumIterations && sums.IsTrueForAny(isMoving && isWanted); ++iteration)
  {
    T increment[1][VDimension];
    if (sums.IsTrueForAny(isSlow))
    {
      T jacobian[VDimension][VDimension];
      StepIncrementAndJacobian(steps, step, sums, displacement, increment, jacobian);
      determinant = Determinant(jacobian);
      SetIdentity(inverse);
      if (determinant > leastDeterminant)
      {
        InvertMatrix(jacobian, determinant, inverse);
      }
    }
    else
    {
      StepIncrement(steps, step, sums, displacement, increment);
    }
    const T square = NewtonStep(inverse, target, increment, displacement);
    // NaN counts as moving.
    isMoving = !(square <= sums.Tolerance() * sums.Tolerance());
    isSlow = isMoving && isWanted && iteration > 0 && !(square < slowSquare * lastSquare);
    lastSquare = square;
  }
  return !isMoving && determinant > 0;
}

/** Steps back through all steps. \p jacobian is null, or receives the Jacobian, a product of the steps' inverses.
 * \returns whether each step had an inverse */
template <int VDimension, typename T, typename TSums>
CUDANEURO_HOST_DEVICE bool
FlowBackward(const FlowSteps<T> & steps,
             TSums &              sums,
             T (&displacement)[1][VDimension],
             T (*jacobian)[VDimension][VDimension])
{
  if (jacobian != nullptr)
  {
    SetIdentity(*jacobian);
  }
  IncrementGuess<1, VDimension, T> guess;
  bool                             isInverted = true;
  for (int step = steps.numberOfSteps - 1; step >= 0 && sums.IsTrueForAny(isInverted); --step)
  {
    T target[1][VDimension];
    BeginStepBack(isInverted ? 0u : 1u, guess, displacement, target);
    const bool isStepInverted = InvertStep(steps, step, sums, isInverted, target, displacement);
    isInverted = isInverted && isStepInverted;
    guess.Learn(target, displacement);
    if (jacobian != nullptr)
    {
      T increment[1][VDimension];
      T ofStep[VDimension][VDimension];
      T inverse[VDimension][VDimension];
      StepIncrementAndJacobian(steps, step, sums, displacement, increment, ofStep);
      InvertMatrix(ofStep, Determinant(ofStep), inverse);
      MultiplyFromLeft(inverse, *jacobian);
    }
  }
  return isInverted;
}

} // namespace cudaneuro

#endif
