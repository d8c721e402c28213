// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparationFormulas_h
#define cudaneuro_images_ImagePreparationFormulas_h

#include "core/ApproximateMath.h"
#include "core/HostDevice.h"
#include "core/VoxelNeighbors.h"
#include "images/ImagePreparation.h"

#include <cmath>
#include <limits>

/** Preparation of one voxel, for both compilers. */
namespace cudaneuro
{

/** An IntensityMap in memory of the context's device. */
struct IntensityMapView
{
  const float * from;
  const float * to;
  int           count;
};

CUDANEURO_HOST_DEVICE float
MappedIntensity(const IntensityMapView & map, float value)
{
  int piece = 0;
  while (piece < map.count - 2 && value >= map.from[piece + 1])
  {
    ++piece;
  }
  const float fraction = (value - map.from[piece]) / (map.from[piece + 1] - map.from[piece]);
  return std::fma(fraction, map.to[piece + 1] - map.to[piece], map.to[piece]);
}

/** Returns whether a value is not NaN, which alone is unequal to itself. */
CUDANEURO_HOST_DEVICE bool
HasValue(float value)
{
  return value == value;
}

CUDANEURO_HOST_DEVICE float
NoValue()
{
#if defined(__CUDA_ARCH__)
  return __int_as_float(0x7fffffff);
#else
  return std::numeric_limits<float>::quiet_NaN();
#endif
}

/** The computation of the bin in which a value inside a histogram's range is counted. */
struct HistogramScale
{
  float minimum;
  float binsPerUnit;
  int   count;

  explicit HistogramScale(const HistogramBins & bins)
    : minimum(static_cast<float>(bins.minimum))
    , binsPerUnit(static_cast<float>(bins.count / (bins.maximum - bins.minimum)))
    , count(bins.count)
  {}

  CUDANEURO_HOST_DEVICE int
  Bin(float value) const
  {
    const int bin = static_cast<int>((value - minimum) * binsPerUnit);
    return bin < 0 ? 0 : (bin < count ? bin : count - 1);
  }
};

/** MapIntensities at one voxel. */
struct MapOperation
{
  IntensityMapView      map;
  const unsigned char * mask;
  float *               image;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    const bool isInside = mask == nullptr || mask[i] != 0;
    image[i] = isInside && HasValue(image[i]) ? MappedIntensity(map, image[i]) : NoValue();
  }
};

/** RescaleIntensities at one voxel, in double precision, so that large intensities with a small difference stay
 * different. */
struct RescaleOperation
{
  IntensityRescaling rescaling;
  float *            image = nullptr;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    const auto   value = static_cast<double>(image[i]);
    const double atLeast = value > rescaling.least ? value : rescaling.least;
    const double bounded = atLeast < rescaling.largest ? atLeast : rescaling.largest;
    image[i] = static_cast<float>((bounded - rescaling.origin) * rescaling.scale + rescaling.target);
  }
};

/** FillOutsideMask at one voxel. */
struct FillOperation
{
  Extent                extent;
  const unsigned char * mask = nullptr;
  float                 beyond = 0.0f;
  float *               image = nullptr;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    if (mask[i] != 0)
    {
      return;
    }
    double sum = 0.0;
    int    count = 0;
    ForNeighbors(extent, i, [&](std::int64_t neighbor) {
      if (mask[neighbor] != 0)
      {
        sum += static_cast<double>(image[neighbor]);
        ++count;
      }
    });
    image[i] = count > 0 ? static_cast<float>(sum / count) : beyond;
  }
};

/** MarkValid at one voxel. */
struct ValidOperation
{
  const float *         image = nullptr;
  const unsigned char * mask = nullptr;
  IntensityLimits       limits;
  unsigned char *       valid = nullptr;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    const bool isInMask = mask == nullptr || mask[i] != 0;
    valid[i] = isInMask && IsFinite(image[i]) && image[i] >= limits.least && image[i] <= limits.largest ? 1 : 0;
  }
};

/** MarkOverlap at one voxel. */
struct OverlapOperation
{
  const float *   a;
  const float *   b;
  unsigned char * mask;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    mask[i] = HasValue(a[i]) && HasValue(b[i]) ? 1 : 0;
  }
};

/** SplitWeights at one voxel. */
struct SplitOperation
{
  float * image;
  float * weight;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    const float value = image[i];
    weight[i] = HasValue(value) ? 1.0f : 0.0f;
    image[i] = HasValue(value) ? value : 0.0f;
  }
};

/** JoinWeights at one voxel. */
struct JoinOperation
{
  const float * weight;
  float         least;
  float *       image;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    image[i] = weight[i] >= least ? image[i] / weight[i] : NoValue();
  }
};

/** SharpenImage at one voxel. */
struct SharpenOperation
{
  float         amount;
  const float * smoothed;
  float *       image;

  CUDANEURO_HOST_DEVICE void
  operator()(std::int64_t i) const
  {
    const float difference = image[i] - smoothed[i];
    image[i] += HasValue(difference) ? amount * difference : 0.0f;
  }
};

} // namespace cudaneuro

#endif
