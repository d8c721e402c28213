// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_HistogramLaunch_cuh
#define cudaneuro_metrics_HistogramLaunch_cuh

#include "cuda/GpuContext.h"
#include "metrics/JointHistogram.cuh"

/** Shapes of the blocks that count joint histograms. */
namespace cudaneuro::gpu
{

constexpr int fewestCopies = 4;

/** A small grid's blocks have little to do, beside setting their memory to 0 and adding up its copies. */
inline bool
IsSmallGrid(const Extent & extent)
{
  return NumberOfVoxels(extent) <= std::int64_t{ 1 } << 17;
}

inline int
ChooseThreads(const Extent & extent)
{
  return IsSmallGrid(extent) ? 512 : 1024;
}

inline std::size_t
BytesOfHistogram(int bins, int copies)
{
  return static_cast<std::size_t>(HistogramElements(bins) * copies) * sizeof(unsigned int);
}

/** As many copies, at most one a lane, as leave room for two blocks on a multiprocessor. */
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
