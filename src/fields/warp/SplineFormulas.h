// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_SplineFormulas_h
#define cudaneuro_fields_warp_SplineFormulas_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"

/** Coefficients of the cubic B-splines that pass through the values of a line, by a causal and an anticausal recursive
 * filter: M. Unser, "Splines: a perfect fit for signal and image processing", IEEE Signal Processing Magazine 16(6),
 * 1999. For both compilers. */
namespace cudaneuro
{

constexpr float splinePole = -0.267949192f; // sqrt(3) - 2
constexpr float splineGain = 6.0f;

/** The number of voxels after which a filter no longer depends on its start: the pole to this power is 1e-8, a sixth of
 * float's precision. Parts of a line are filtered independently, each from this number of voxels outside it. */
constexpr int splineHorizon = 14;

/** Returns the voxel for a place of a line that is mirrored at its end voxels, without repeating these. */
CUDANEURO_HOST_DEVICE int
MirroredPlace(int place, int length)
{
  if (place >= 0 && place < length)
  {
    return place;
  }
  if (length == 1)
  {
    return 0;
  }
  const int period = 2 * (length - 1);
  const int inside = (place % period + period) % period;
  return inside < length ? inside : period - inside;
}

/** Returns the value of a voxel or, if it is not finite, of the nearest finite voxel before it in its row, else after
 * it; 0 if the row has none. */
CUDANEURO_HOST_DEVICE float
FiniteValue(const float * row, int x, int length)
{
  for (int i = x; i >= 0; --i)
  {
    if (IsFinite(row[i]))
    {
      return row[i];
    }
  }
  for (int i = x + 1; i < length; ++i)
  {
    if (IsFinite(row[i]))
    {
      return row[i];
    }
  }
  return 0.0f;
}

/** Filters \p count voxels of a line, starting at \p first.
 * \param causal receives count + splineHorizon values of the first filter
 * \param load returns the value at a place of the line, also outside its ends
 * \param store receives the coefficient of a voxel; called after the last load */
template <typename TValue, typename TCausal, typename TLoad, typename TStore>
CUDANEURO_HOST_DEVICE void
FilterSpline(int first, int count, TCausal & causal, const TLoad & load, const TStore & store)
{
  // Both filters start as if the line were constant before their first value.
  TValue state = (1.0f / (1.0f - splinePole)) * load(first - splineHorizon);
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int i = 1 - splineHorizon; i < 0; ++i)
  {
    state = load(first + i) + splinePole * state;
  }
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int i = 0; i < count + splineHorizon; ++i)
  {
    state = load(first + i) + splinePole * state;
    causal[i] = state;
  }
  state = (splinePole / (splinePole - 1.0f)) * state;
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int i = count + splineHorizon - 2; i >= 0; --i)
  {
    state = splinePole * (state - causal[i]);
    if (i < count)
    {
      store(first + i, splineGain * state);
    }
  }
}

} // namespace cudaneuro

#endif
