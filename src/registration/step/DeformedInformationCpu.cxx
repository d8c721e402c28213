// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/RegistrationForceCpu.h"

#include "metrics/JointHistogramCpu.h"

namespace cudaneuro::cpu
{

namespace
{

/** Planes whose voxels one histogram counts. Adding up a histogram costs as much as some thousand voxels. */
constexpr int planesPerPart = 8;

bool
HasValues(float fixed, float deformed)
{
  // NaN is unequal to itself.
  return fixed == fixed && deformed == deformed;
}

/** Counts the voxels of a run in memory at which both images have a value. */
void
CountRun(const float * fixed, const float * deformed, int bins, std::int64_t length, WeightSums * histogram)
{
  VoxelChunk   chunk;
  std::int64_t next = 0;
  while (next < length)
  {
    chunk.count = 0;
    for (; next < length && chunk.count < VoxelChunk::length; ++next)
    {
      if (HasValues(fixed[next], deformed[next]))
      {
        chunk.fixed[chunk.count] = fixed[next];
        chunk.value[chunk.count] = deformed[next];
        ++chunk.count;
      }
    }
    const int padded = chunk.PaddedCount();
    for (int i = chunk.count; i < padded; ++i)
    {
      chunk.fixed[i] = chunk.fixed[chunk.count - 1];
      chunk.value[i] = chunk.value[chunk.count - 1];
    }
    AddToHistogram<false>(chunk, bins, histogram);
  }
}

HistogramPart
CountVolume(Context & context, int bins, const ImagePair & images, const float * deformed)
{
  const std::int64_t         plane = std::int64_t{ images.extent.x } * images.extent.y;
  const int                  count = DivideUp(images.extent.z, planesPerPart);
  std::vector<HistogramPart> parts(static_cast<std::size_t>(count));
  context.ParallelFor(count, [&](std::int64_t index) {
    const std::int64_t      begin = index * planesPerPart * plane;
    const std::int64_t      end = std::min((index + 1) * planesPerPart, std::int64_t{ images.extent.z }) * plane;
    std::vector<WeightSums> histogram(static_cast<std::size_t>(bins) * bins);
    CountRun(images.fixed + begin, deformed + begin, bins, end - begin, histogram.data());
    parts[static_cast<std::size_t>(index)] = JointHistogram(histogram);
  });
  HistogramPart total = std::move(parts.front());
  for (std::size_t index = 1; index < parts.size(); ++index)
  {
    Include(parts[index], total);
  }
  return total;
}

/** The slopes of all pairs of bins in which a voxel can be. */
std::vector<InformationSlope>
SlopesOf(const std::vector<float> & logs, int bins)
{
  std::vector<InformationSlope> slopes(logs.size());
  for (int row = histogramPadding; row < bins - histogramPadding; ++row)
  {
    for (int column = histogramPadding; column < bins - histogramPadding; ++column)
    {
      const int cell = row * bins + column;
      slopes[cell] = SlopeOf(logs.data() + cell - 1);
    }
  }
  return slopes;
}

} // namespace

double
DeformedInformation(
  Context & context, int bins, const ImagePair & images, const ConstSoAField & displacement, float * derivative)
{
  DeformImage(context, images, displacement, derivative);
  const HistogramPart histogram = CountVolume(context, bins, images, derivative);
  const double        voxels = CountOf(histogram);
  if (voxels == 0.0)
  {
    return 0.0;
  }
  InformationLogs    logs;
  const double       information = MutualInformationOf(histogram, bins, logs);
  const auto         slopes = SlopesOf(logs.ofElements, bins);
  const std::int64_t plane = std::int64_t{ images.extent.x } * images.extent.y;
  context.ParallelFor(images.extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      if (HasValues(images.fixed[i], derivative[i]))
      {
        const HistogramPlace place = PlaceOf(images.fixed[i], derivative[i], bins);
        derivative[i] = slopes[place.cell].At(place.fraction);
      }
    }
  });
  return -information * voxels;
}

} // namespace cudaneuro::cpu
