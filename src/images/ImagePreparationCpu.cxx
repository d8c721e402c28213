// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImagePreparationCpu.h"
#include "core/IntegerMath.h"

#include "images/ImagePreparationFormulas.h"

#include <algorithm>
#include <limits>

namespace cudaneuro::cpu
{

namespace
{

constexpr std::int64_t voxelsPerPart = 1 << 16;

/** Calls body(part, begin, end) for parts of the volume. */
template <typename TBody>
void
ForParts(Context & context, std::int64_t numberOfVoxels, const TBody & body)
{
  context.ParallelFor(DivideUp(numberOfVoxels, voxelsPerPart), [&](std::int64_t part) {
    body(part, part * voxelsPerPart, std::min(numberOfVoxels, (part + 1) * voxelsPerPart));
  });
}

/** Calls body(i) for each voxel. */
template <typename TBody>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TBody & body)
{
  ForParts(context, numberOfVoxels, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      body(i);
    }
  });
}

constexpr float noValue = std::numeric_limits<float>::quiet_NaN();

} // namespace

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image)
{
  const IntensityMapView view{ map.from.data(), map.to.data(), static_cast<int>(map.from.size()) };
  ForVoxels(context, numberOfVoxels, [&](std::int64_t i) {
    const bool isInside = mask == nullptr || mask[i] != 0;
    image[i] = isInside && HasValue(image[i]) ? MappedIntensity(view, image[i]) : noValue;
  });
}

void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask)
{
  ForVoxels(context, numberOfVoxels, [&](std::int64_t i) { mask[i] = HasValue(a[i]) && HasValue(b[i]) ? 1 : 0; });
}

void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight)
{
  ForVoxels(context, numberOfVoxels, [&](std::int64_t i) {
    weight[i] = HasValue(image[i]) ? 1.0f : 0.0f;
    image[i] = HasValue(image[i]) ? image[i] : 0.0f;
  });
}

void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float * image)
{
  ForVoxels(
    context, numberOfVoxels, [&](std::int64_t i) { image[i] = weight[i] >= 0.5f ? image[i] / weight[i] : noValue; });
}

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume)
{
  ForVoxels(context, numberOfVoxels, [&](std::int64_t i) { volume[i] = 0.0f; });
}

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          float                 minimum,
          float                 binsPerUnit,
          int                   bins)
{
  const auto                             parts = static_cast<std::size_t>(DivideUp(numberOfVoxels, voxelsPerPart));
  std::vector<std::vector<std::int64_t>> counts(parts);
  ForParts(context, numberOfVoxels, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> & ofPart = counts[static_cast<std::size_t>(part)];
    ofPart.assign(static_cast<std::size_t>(bins), 0);
    for (std::int64_t i = begin; i < end; ++i)
    {
      if (mask[i] != 0)
      {
        ++ofPart[static_cast<std::size_t>(HistogramBin(image[i], minimum, binsPerUnit, bins))];
      }
    }
  });
  std::vector<std::int64_t> sum(static_cast<std::size_t>(bins), 0);
  for (const std::vector<std::int64_t> & ofPart : counts)
  {
    std::transform(sum.begin(), sum.end(), ofPart.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

} // namespace cudaneuro::cpu
