// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparationFormulas_h
#define cudaneuro_images_ImagePreparationFormulas_h

#include "core/HostDevice.h"

#include <cmath>

/** What ImagePreparation does to a voxel. */
namespace cudaneuro
{

/** An IntensityMap in memory of the device. */
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

/** NaN alone is unequal to itself. */
CUDANEURO_HOST_DEVICE bool
HasValue(float value)
{
  return value == value;
}

/** The bin of a value in [minimum, maximum]. */
CUDANEURO_HOST_DEVICE int
HistogramBin(float value, float minimum, float binsPerUnit, int bins)
{
  const int bin = static_cast<int>((value - minimum) * binsPerUnit);
  return bin < 0 ? 0 : (bin < bins ? bin : bins - 1);
}

} // namespace cudaneuro

#endif
