// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_GaussianPairFormulas_h
#define cudaneuro_points_GaussianPairFormulas_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"

/** The contribution of one point j to the sums at a point i, with the kernel K = 2^(-|x_i - x_j|^2). Positions are x,
 * momenta u, and VDimension is the number of their coordinates. */
namespace cudaneuro
{

/** 2 ln(2): dK/dx_i = -twiceLogOf2 K (x_i - x_j). */
constexpr double twiceLogOf2 = 1.38629436111989061883;

CUDANEURO_HOST_DEVICE float
GaussianOf(float squaredDistance)
{
  // All points of a sum that are farther away are less than its rounding error.
  constexpr float leastExponent = -64.0f;
  return Exp2(-squaredDistance, leastExponent);
}
CUDANEURO_HOST_DEVICE double
GaussianOf(double squaredDistance)
{
  return Exp2(-squaredDistance);
}

template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE T
Dot(const T (&a)[VDimension], const T (&b)[VDimension])
{
  T sum = a[0] * b[0];
  for (int d = 1; d < VDimension; ++d)
  {
    sum += a[d] * b[d];
  }
  return sum;
}

/** velocity += K u_j. */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
AddVelocity(const T (&xi)[VDimension], const T (&xj)[VDimension], const T (&uj)[VDimension], T (&velocity)[VDimension])
{
  T difference[VDimension];
  for (int d = 0; d < VDimension; ++d)
  {
    difference[d] = xi[d] - xj[d];
  }
  const T kernel = GaussianOf(Dot(difference, difference));
  for (int d = 0; d < VDimension; ++d)
  {
    velocity[d] += kernel * uj[d];
  }
}

/** velocity += K u_j; gradient += d(K u_j) / dx_i without its constant, which is -twiceLogOf2. */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
AddVelocityAndGradient(const T (&xi)[VDimension],
                       const T (&xj)[VDimension],
                       const T (&uj)[VDimension],
                       T (&velocity)[VDimension],
                       T (&gradient)[VDimension][VDimension])
{
  T difference[VDimension];
  for (int d = 0; d < VDimension; ++d)
  {
    difference[d] = xi[d] - xj[d];
  }
  const T kernel = GaussianOf(Dot(difference, difference));
  for (int a = 0; a < VDimension; ++a)
  {
    const T part = kernel * uj[a];
    velocity[a] += part;
    for (int b = 0; b < VDimension; ++b)
    {
      gradient[a][b] += part * difference[b];
    }
  }
}

/** The slopes of both without their constants: velocity += K u_j, force += K (u_i.u_j) (x_i - x_j). */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
AddSlopes(const T (&xi)[VDimension],
          const T (&ui)[VDimension],
          const T (&xj)[VDimension],
          const T (&uj)[VDimension],
          T (&velocity)[VDimension],
          T (&force)[VDimension])
{
  T difference[VDimension];
  for (int d = 0; d < VDimension; ++d)
  {
    difference[d] = xi[d] - xj[d];
  }
  const T kernel = GaussianOf(Dot(difference, difference));
  const T product = kernel * Dot(ui, uj);
  for (int d = 0; d < VDimension; ++d)
  {
    velocity[d] += kernel * uj[d];
    force[d] += product * difference[d];
  }
}

/** The transposed derivative of the slopes. With s = twiceLogOf2 and g = (b_i - b_j).(x_i - x_j), the slopes are the
 * derivatives by a and b of
 *   S = sum_i a_i.(dx_i/dt) + b_i.(du_i/dt) = 1/2 sum_ij K (a_i.u_j + a_j.u_i + s (u_i.u_j) g).
 *
 * This adds what j contributes to dS/du_i = byMomentum and dS/dx_i = s byPosition:
 *
 *   byMomentum += K (a_j + s g u_j),
 *   byPosition += K ((u_i.u_j) (b_i - b_j) - (a_i.u_j + a_j.u_i + s (u_i.u_j) g) (x_i - x_j)). */
template <int VDimension, typename T>
CUDANEURO_HOST_DEVICE void
AddAdjoint(const T (&xi)[VDimension],
           const T (&ui)[VDimension],
           const T (&ai)[VDimension],
           const T (&bi)[VDimension],
           const T (&xj)[VDimension],
           const T (&uj)[VDimension],
           const T (&aj)[VDimension],
           const T (&bj)[VDimension],
           T (&byMomentum)[VDimension],
           T (&byPosition)[VDimension])
{
  T difference[VDimension];
  T adjointDifference[VDimension];
  for (int d = 0; d < VDimension; ++d)
  {
    difference[d] = xi[d] - xj[d];
    adjointDifference[d] = bi[d] - bj[d];
  }
  const T kernel = GaussianOf(Dot(difference, difference));
  const T product = Dot(ui, uj);
  const T change = static_cast<T>(twiceLogOf2) * Dot(adjointDifference, difference);
  T       products = Dot(ai, uj);
  for (int d = 0; d < VDimension; ++d)
  {
    products += aj[d] * ui[d];
  }
  const T both = kernel * (products + product * change);
  const T momentumWeight = kernel * change;
  const T adjointWeight = kernel * product;
  for (int d = 0; d < VDimension; ++d)
  {
    // One product is added at a time, which is one instruction where there is a fused multiply-add.
    byMomentum[d] += kernel * aj[d];
    byMomentum[d] += momentumWeight * uj[d];
    byPosition[d] += adjointWeight * adjointDifference[d];
    byPosition[d] -= both * difference[d];
  }
}

} // namespace cudaneuro

#endif
