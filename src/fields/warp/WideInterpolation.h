// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_WideInterpolation_h
#define cudaneuro_fields_warp_WideInterpolation_h

#include "fields/Sampling.h"
#include "fields/warp/SplineFormulas.h"

/** Interpolation by more than the eight voxels around a position, for both compilers. A kind is a type with the number
 * of voxels along an axis, how many of them precede the position's cell, their weights, whose sum is 1, and the voxel
 * that replaces a place outside the grid. */
namespace cudaneuro
{

/** The cubic B-spline, which is applied to a volume of coefficients. */
struct CubicBSplineKind
{
  static constexpr int count = 4;
  static constexpr int before = 1;

  CUDANEURO_HOST_DEVICE static void
  Weights(float f, float * weights)
  {
    const float g = 1.0f - f;
    weights[0] = g * g * g * (1.0f / 6.0f);
    weights[1] = (2.0f / 3.0f) + f * f * (0.5f * f - 1.0f);
    weights[2] = (2.0f / 3.0f) + g * g * (0.5f * g - 1.0f);
    weights[3] = f * f * f * (1.0f / 6.0f);
  }

  CUDANEURO_HOST_DEVICE static int
  Place(int place, int length)
  {
    return MirroredPlace(place, length);
  }
};

/** The sinc in the window of Lanczos, 3 voxels to each side. Weights are divided by their sum, without which a constant
 * image would have ripples of 1 %. */
struct WindowedSincKind
{
  static constexpr int count = 6;
  static constexpr int before = 2;

  /** Writes sinc(d) sinc(d / 3) at d = f - i: (-1)^i sin(pi d / 3) / d^2 times a factor, by which the sum is 1. */
  CUDANEURO_HOST_DEVICE static void
  Weights(float f, float * weights)
  {
    // Nearer to a voxel, the weights of the others are less than this, and the quotients below would overflow.
    constexpr float nearVoxel = 1e-6f;
    const float     g = 1.0f - f;
    const bool      isLower = f < nearVoxel;
    const bool      isUpper = g < nearVoxel;
    const float     d = isLower || isUpper ? 0.5f : f;
    const float     e = 1.0f - d;
    constexpr float halfRootOf3 = 0.866025404f;
    const float     sine = SineOfThird(d);
    const float     half = 0.5f * sine;
    const float     other = halfRootOf3 * CosineOfThird(d);
    weights[0] = (other - half) / ((d + 2.0f) * (d + 2.0f));
    weights[1] = -(half + other) / ((d + 1.0f) * (d + 1.0f));
    weights[2] = sine / (d * d);
    weights[3] = (other - half) / (e * e);
    weights[4] = -(half + other) / ((e + 1.0f) * (e + 1.0f));
    weights[5] = sine / ((e + 2.0f) * (e + 2.0f));
    const float sum = ((weights[0] + weights[1]) + (weights[4] + weights[5])) + (weights[2] + weights[3]);
    const float factor = isLower || isUpper ? 0.0f : 1.0f / sum;
    for (int i = 0; i < count; ++i)
    {
      weights[i] *= factor;
    }
    weights[2] = isLower ? 1.0f : weights[2];
    weights[3] = isUpper ? 1.0f : weights[3];
  }

  CUDANEURO_HOST_DEVICE static int
  Place(int place, int length)
  {
    return place > 0 ? (place < length ? place : length - 1) : 0;
  }

private:
  /** Return sin(pi x / 3) and cos(pi x / 3) for x from 0 to 1 by their series, to 5e-8. */
  CUDANEURO_HOST_DEVICE static float
  SineOfThird(float x)
  {
    const float a = 1.047197551f * x;
    const float s = a * a;
    return a + a * s * (-1.0f / 6 + s * (1.0f / 120 + s * (-1.0f / 5040 + s * (1.0f / 362880))));
  }

  CUDANEURO_HOST_DEVICE static float
  CosineOfThird(float x)
  {
    const float a = 1.047197551f * x;
    const float s = a * a;
    return 1.0f + s * (-0.5f + s * (1.0f / 24 + s * (-1.0f / 720 + s * (1.0f / 40320 - s * (1.0f / 3628800)))));
  }
};

/** A cell of a grid, and a position in it from 0 to 1. */
struct WideCell
{
  int   x;
  int   y;
  int   z;
  float fractionX;
  float fractionY;
  float fractionZ;

  /** Returns the cell. \param position a position on the grid */
  template <typename TIndex>
  CUDANEURO_HOST_DEVICE static WideCell
  At(const SplitPosition & position)
  {
    WideCell cell{};
    float    whole = 0.0f;
    cell.x = position.x + Floor<TIndex>(position.restX, whole);
    cell.fractionX = position.restX - whole;
    cell.y = position.y + Floor<TIndex>(position.restY, whole);
    cell.fractionY = position.restY - whole;
    cell.z = position.z + Floor<TIndex>(position.restZ, whole);
    cell.fractionZ = position.restZ - whole;
    return cell;
  }
};

/** Returns whether all voxels along an axis are on the grid. */
template <typename TKind>
CUDANEURO_HOST_DEVICE bool
IsWithin(int cell, int length)
{
  return cell >= TKind::before && cell - TKind::before + TKind::count <= length;
}

/** Returns the weighted sum if all voxels are on the grid. */
template <typename TKind, typename TIndex>
CUDANEURO_HOST_DEVICE float
SumWithin(const float * volume, const Extent & extent, const WideCell & cell)
{
  float weightsX[TKind::count];
  float weightsY[TKind::count];
  float weightsZ[TKind::count];
  TKind::Weights(cell.fractionX, weightsX);
  TKind::Weights(cell.fractionY, weightsY);
  TKind::Weights(cell.fractionZ, weightsZ);
  const TIndex first = (static_cast<TIndex>(cell.z - TKind::before) * extent.y + (cell.y - TKind::before)) * extent.x +
                       (cell.x - TKind::before);
  const TIndex planeVoxels = static_cast<TIndex>(extent.x) * extent.y;
  float        sum = 0.0f;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int z = 0; z < TKind::count; ++z)
  {
    float plane = 0.0f;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
    for (int y = 0; y < TKind::count; ++y)
    {
      const float * const row =
        volume + (first + static_cast<TIndex>(z) * planeVoxels + static_cast<TIndex>(y) * extent.x);
      float line = 0.0f;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
      for (int x = 0; x < TKind::count; ++x)
      {
        line += weightsX[x] * row[x];
      }
      plane += weightsY[y] * line;
    }
    sum += weightsZ[z] * plane;
  }
  return sum;
}

/** Returns the weighted sum at any position.
 * \param valueAt returns the value of a voxel of a row */
template <typename TKind, typename TIndex, typename TValueAt>
CUDANEURO_HOST_DEVICE float
SumAnywhere(const float * volume, const Extent & extent, const WideCell & cell, const TValueAt & valueAt)
{
  float weightsX[TKind::count];
  float weightsY[TKind::count];
  float weightsZ[TKind::count];
  TKind::Weights(cell.fractionX, weightsX);
  TKind::Weights(cell.fractionY, weightsY);
  TKind::Weights(cell.fractionZ, weightsZ);
  float sum = 0.0f;
  // Few positions need this function: short code is worth more than fast code.
#if defined(__CUDA_ARCH__)
#  pragma unroll 1
#endif
  for (int z = 0; z < TKind::count; ++z)
  {
    const int planeOfVolume = TKind::Place(cell.z - TKind::before + z, extent.z);
    float     plane = 0.0f;
#if defined(__CUDA_ARCH__)
#  pragma unroll 1
#endif
    for (int y = 0; y < TKind::count; ++y)
    {
      const int           rowOfPlane = TKind::Place(cell.y - TKind::before + y, extent.y);
      const float * const row = volume + (static_cast<TIndex>(planeOfVolume) * extent.y + rowOfPlane) * extent.x;
      float               line = 0.0f;
#if defined(__CUDA_ARCH__)
#  pragma unroll 1
#endif
      for (int x = 0; x < TKind::count; ++x)
      {
        line += weightsX[x] * valueAt(row, TKind::Place(cell.x - TKind::before + x, extent.x));
      }
      plane += weightsY[y] * line;
    }
    sum += weightsZ[z] * plane;
  }
  return sum;
}

template <typename TKind, typename TIndex>
CUDANEURO_HOST_DEVICE float
WideSum(const float * volume, const Extent & extent, const WideCell & cell)
{
  if (IsWithin<TKind>(cell.x, extent.x) && IsWithin<TKind>(cell.y, extent.y) && IsWithin<TKind>(cell.z, extent.z))
  {
    return SumWithin<TKind, TIndex>(volume, extent, cell);
  }
  return SumAnywhere<TKind, TIndex>(volume, extent, cell, [](const float * row, int x) { return row[x]; });
}

} // namespace cudaneuro

#endif
