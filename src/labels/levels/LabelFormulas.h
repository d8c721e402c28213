// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelFormulas_h
#define cudaneuro_labels_levels_LabelFormulas_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"
#include "labels/levels/LabelFits.h"

#include <cmath>
#include <cstdint>

/** The formulas of MakeLabelSurfaces, for both compilers. Level sets are positive inside. */
namespace cudaneuro
{

/** Bits of a voxel's code: whether the voxel is inside the label. */
constexpr unsigned int isInsideBit = 1;
/** Whether the voxel has a label; voxels between slices have none. */
constexpr unsigned int isKnownBit = 2;
/** Position of the bits with the number of the part. */
constexpr int partShift = 2;

/** 1 inside, -1 outside. */
CUDANEURO_HOST_DEVICE float
SideOf(unsigned int code)
{
  return (code & isInsideBit) != 0 ? 1.0f : -1.0f;
}

CUDANEURO_HOST_DEVICE bool
IsKnown(unsigned int code)
{
  return (code & isKnownBit) != 0;
}

CUDANEURO_HOST_DEVICE int
PartOf(unsigned int code)
{
  return static_cast<int>(code >> partShift);
}

/** Whether a version uses the voxel's label. */
CUDANEURO_HOST_DEVICE bool
IsUsed(unsigned int code, int version)
{
  return IsKnown(code) && (version == 0 || PartOf(code) != version);
}

/** The inverse error function, to 1e-6 of 1 - |x|, for |x| < 1: Winitzki's approximation and Newton's method. */
CUDANEURO_HOST_DEVICE float
InverseErrorFunction(float x)
{
  constexpr float a = 0.147f;
  constexpr float b = 2.0f / (3.14159265f * a);
  constexpr float slope = 1.12837917f; // 2 / sqrt(pi)
  const float     magnitude = std::fabs(x);
  const float     rest = 1.0f - magnitude;
  const float     logarithm = LogOfPositive(rest * (1.0f + magnitude));
  const float     c = b + 0.5f * logarithm;
  float           y = std::sqrt(std::fmax(std::sqrt(c * c - logarithm / a) - c, 0.0f));
  for (int i = 0; i < 2; ++i)
  {
    y += (std::erfc(y) - rest) / (slope * std::exp(-y * y));
  }
  return x < 0.0f ? -y : y;
}

/** The distance from a plane at which its half-space, smoothed with a Gaussian, has the value \p fraction. */
CUDANEURO_HOST_DEVICE float
DistanceOfFraction(float fraction, float sigma)
{
  constexpr float rootOfTwo = 1.41421356f;
  constexpr float most = 0.999998f;
  const float     x = 2.0f * fraction - 1.0f;
  return rootOfTwo * sigma * InverseErrorFunction(x < -most ? -most : (x > most ? most : x));
}

/** Weight of a label at a distance from the surface. */
CUDANEURO_HOST_DEVICE float
WeightAt(float distance, float reach)
{
  const float ratio = distance / reach;
  const float square = ratio * ratio;
  return Exp2(-static_cast<float>(log2OfE) * square * square);
}

/** 1 / (1 + exp(x)). */
CUDANEURO_HOST_DEVICE float
LogisticOf(float x)
{
  const float e = Exp2(-static_cast<float>(log2OfE) * std::fabs(x));
  return (x > 0.0f ? e : 1.0f) / (1.0f + e);
}

/** A gradient step of length 4 tau for the change of a level set.
 * \param weight of the label, with its side's sign; 0 if the label is not used */
CUDANEURO_HOST_DEVICE float
GradientStep(float level, float change, float weight, float side, float width)
{
  return 4.0f * width * weight * LogisticOf(side * (level + change) / width);
}

/** The momentum of successive accelerated steps (Nesterov 1983; Beck and Teboulle 2009). */
struct Momentum
{
  float t = 1.0f;

  float
  Next()
  {
    const float last = t;
    t = 0.5f * (1.0f + std::sqrt(1.0f + 4.0f * last * last));
    return (last - 1.0f) / t;
  }
};

/** Half the weight of each axis in the mean over neighbors. */
struct AxisShares
{
  float x;
  float y;
  float z;
};

/** The mean over the six neighbors. The voxel itself replaces a missing neighbor, so that nothing flows out. */
template <typename T>
CUDANEURO_HOST_DEVICE T
MeanOfNeighbors(const AxisShares & shares,
                const T &          lowX,
                const T &          highX,
                const T &          lowY,
                const T &          highY,
                const T &          lowZ,
                const T &          highZ)
{
  return shares.x * (lowX + highX) + shares.y * (lowY + highY) + shares.z * (lowZ + highZ);
}

/** A step of Clenshaw's recurrence. \p mean is the mean over neighbors of the last sum. */
template <typename T>
CUDANEURO_HOST_DEVICE T
NextClenshaw(float coefficient, const T & input, const T & mean, const T & beforeLast)
{
  return coefficient * input + 2.0f * mean - beforeLast;
}

/** The last step of Clenshaw's recurrence, which yields the value of the series. */
template <typename T>
CUDANEURO_HOST_DEVICE T
EndClenshaw(float coefficient, const T & input, const T & mean, const T & beforeLast)
{
  return coefficient * input + mean - beforeLast;
}

/** A level set divided by its gradient, the distance near the surface. \p x, y and z are central differences. */
CUDANEURO_HOST_DEVICE float
DistanceOf(float level, float x, float y, float z)
{
  constexpr float leastGradient = 0.3f;
  const float     gradient = std::sqrt(x * x + y * y + z * z);
  return level / (gradient > leastGradient ? gradient : leastGradient);
}

/** A smooth step from 0 to 1 at distance 0, two voxels wide. Its sum over voxels is the volume, even if the surface is
 * curved, because the second moment of its slope is 0. */
CUDANEURO_HOST_DEVICE float
InsideOf(float distance)
{
  const float t = distance < -1.0f ? -1.0f : (distance > 1.0f ? 1.0f : distance);
  return 0.5f + t * (1.125f - 0.625f * t * t);
}

/** The derivative of InsideOf, whose sum over voxels is the area. */
CUDANEURO_HOST_DEVICE float
SurfaceAt(float distance)
{
  const float squared = distance * distance;
  return squared < 1.0f ? 1.125f - 1.875f * squared : 0.0f;
}

/** -log of the probability of a label at a distance from the surface, which is positive on the label's side. */
CUDANEURO_HOST_DEVICE float
LossOf(float distance, float width)
{
  return -LogOfPositive(outlierProbability + (1.0f - 2.0f * outlierProbability) * LogisticOf(-distance / width));
}

/** Replaces losses by weights exp(-loss), normalized to the sum 1. */
template <int VCount>
CUDANEURO_HOST_DEVICE void
WeightsOfLosses(float * losses)
{
  float least = losses[0];
  for (int i = 1; i < VCount; ++i)
  {
    least = losses[i] < least ? losses[i] : least;
  }
  float sum = 0.0f;
  for (int i = 0; i < VCount; ++i)
  {
    losses[i] = Exp2(static_cast<float>(log2OfE) * (least - losses[i]));
    sum += losses[i];
  }
  for (int i = 0; i < VCount; ++i)
  {
    losses[i] /= sum;
  }
}

} // namespace cudaneuro

#endif
