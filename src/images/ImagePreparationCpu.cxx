// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImagePreparationFormulas.h"

#include "core/IntegerMath.h"

#include <algorithm>

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

} // namespace

template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation)
{
  ForParts(context, numberOfVoxels, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
    {
      operation(i);
    }
  });
}

template void
ForVoxels(Context &, std::int64_t, const RescaleOperation &);
template void
ForVoxels(Context &, std::int64_t, const FillOperation &);
template void
ForVoxels(Context &, std::int64_t, const ValidOperation &);
template void
ForVoxels(Context &, std::int64_t, const OverlapOperation &);
template void
ForVoxels(Context &, std::int64_t, const SplitOperation &);
template void
ForVoxels(Context &, std::int64_t, const JoinOperation &);
template void
ForVoxels(Context &, std::int64_t, const SharpenOperation &);

void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image)
{
  const IntensityMapView view{ map.from.data(), map.to.data(), static_cast<int>(map.from.size()) };
  ForVoxels(context, numberOfVoxels, MapOperation{ view, mask, image });
}

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume)
{
  ForVoxels(context, numberOfVoxels, [=](std::int64_t i) { volume[i] = 0.0f; });
}

std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          const HistogramBins & bins)
{
  const HistogramScale                   scale(bins);
  const auto                             parts = static_cast<std::size_t>(DivideUp(numberOfVoxels, voxelsPerPart));
  std::vector<std::vector<std::int64_t>> counts(parts);
  ForParts(context, numberOfVoxels, [&](std::int64_t part, std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> & ofPart = counts[static_cast<std::size_t>(part)];
    ofPart.assign(static_cast<std::size_t>(bins.count), 0);
    for (std::int64_t i = begin; i < end; ++i)
    {
      if (mask == nullptr || mask[i] != 0)
      {
        ++ofPart[static_cast<std::size_t>(scale.Bin(image[i]))];
      }
    }
  });
  std::vector<std::int64_t> sum(static_cast<std::size_t>(bins.count), 0);
  for (const std::vector<std::int64_t> & ofPart : counts)
  {
    std::transform(sum.begin(), sum.end(), ofPart.begin(), sum.begin(), std::plus<>());
  }
  return sum;
}

} // namespace cudaneuro::cpu
