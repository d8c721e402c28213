// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParallelRanges.h"
#include "core/ParallelRows.h"
#include "registration/labels/LabelCodesFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** Sets each voxel of the output to labelOf(x, y, z, index in memory). */
template <typename TLabelOf>
void
FillLabels(Context & context, const Extent & extent, std::uint16_t * output, const TLabelOf & labelOf)
{
  ParallelRows(extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < extent.x; ++x)
    {
      output[first + x] = labelOf(x, y, z, first + x);
    }
  });
}

template <typename TLabel>
void
ResampleLabelsOf(Context & context, const LabelResampling & resampling)
{
  const LabelSource<TLabel> source(resampling);
  FillLabels(context, resampling.outputExtent, resampling.output, [&](int x, int y, int z, std::int64_t i) {
    return source.LabelOf(x, y, z, i);
  });
}

} // namespace

void
ResampleLabels(Context & context, const LabelResampling & resampling)
{
  if (resampling.isWide)
  {
    ResampleLabelsOf<std::uint16_t>(context, resampling);
  }
  else
  {
    ResampleLabelsOf<std::uint8_t>(context, resampling);
  }
}

void
ShrinkLabels(Context & context, const LabelShrinking & shrinking)
{
  FillLabels(context, shrinking.outputExtent, shrinking.output, [&](int x, int y, int z, std::int64_t) {
    return LabelBlock(shrinking, x, y, z).MostFrequent();
  });
}

int
LargestLabel(Context & context, std::int64_t numberOfVoxels, const std::uint16_t * labels)
{
  constexpr std::int64_t     length = 65536;
  std::vector<std::uint16_t> ofRanges(static_cast<std::size_t>(DivideUp(numberOfVoxels, length)), 0);
  ForEachRange(context, numberOfVoxels, length, [&](std::int64_t begin, std::int64_t end) {
    ofRanges[static_cast<std::size_t>(begin / length)] = *std::max_element(labels + begin, labels + end);
  });
  return *std::max_element(ofRanges.begin(), ofRanges.end());
}

} // namespace cudaneuro::cpu
