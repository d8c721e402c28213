// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_HistogramLaunch_cuh
#define cudaneuro_metrics_HistogramLaunch_cuh

#include "cuda/GpuContext.h"
#include "metrics/JointHistogram.cuh"

/** The launch shapes of the kernels that count joint histograms. */
namespace cudaneuro::gpu
{

constexpr int fewestCopies = 4;

/** Returns whether a grid is so small that blocks spend most of their time on clearing and adding their copies. */
inline bool
IsSmallGrid(const Extent & extent)
{
  return NumberOfVoxels(extent) <= std::int64_t{ 1 } << 17;
}

/** With few copies, half as many threads add to each, so that no count overflows. */
inline int
ChooseThreads(const Extent & extent, int copies = lanesOfTile)
{
  constexpr int enoughCopies = 8;
  return IsSmallGrid(extent) || copies < enoughCopies ? 512 : 1024;
}

inline std::size_t
BytesOfHistogram(int bins, int copies)
{
  return static_cast<std::size_t>(HistogramElements(bins) * copies) * sizeof(unsigned int);
}

/** Returns the most copies, at most one per lane, that leave room for two blocks on a multiprocessor. */
inline int
ChooseCopies(const GpuContext & gpu, const Extent & extent, int bins)
{
  int copies = IsSmallGrid(extent) ? 8 : lanesOfTile;
  while (copies > fewestCopies && 2 * BytesOfHistogram(bins, copies) > gpu.SharedBytesPerBlock())
  {
    copies /= 2;
  }
  return copies;
}

} // namespace cudaneuro::gpu

#endif
