// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelPilotCpu.h"

#include "core/ParallelRanges.h"
#include "core/VectorDispatch.h"
#include "labels/levels/LabelPilot.h"
#include "meshes/VersionArray.h"

#include <cstdint>

namespace cudaneuro::cpu
{
namespace
{

/** Weighted sums over labels inside, and over all labels. */
struct PilotSums
{
  VersionNumbers inside;
  VersionNumbers all;
};

CUDANEURO_ALWAYS_INLINE void
Add(float weight, const PilotSums & from, PilotSums & into)
{
  StoreLanes(LanesAt(into.inside.values) + weight * LanesAt(from.inside.values), into.inside.values);
  StoreLanes(LanesAt(into.all.values) + weight * LanesAt(from.all.values), into.all.values);
}

/** Adds labels of the background beyond the box. */
CUDANEURO_ALWAYS_INLINE void
AddBackground(float weight, PilotSums & into)
{
  for (int v = 0; v < versions; ++v)
  {
    into.all.values[v] += weight * UsedShare(v);
  }
}

PilotSums
SumsOf(unsigned int code)
{
  PilotSums sums{};
  for (int v = 0; v < versions; ++v)
  {
    sums.all.values[v] = IsUsed(code, v) ? 1.0f : 0.0f;
    sums.inside.values[v] = (code & isInsideBit) != 0 ? sums.all.values[v] : 0.0f;
  }
  return sums;
}

/** The Gaussian along an axis at place i of \p size; from(j) returns the sums at place j.
 * \param background the fraction of voxels beyond the box that have a label */
template <typename TFrom>
CUDANEURO_ALWAYS_INLINE PilotSums
SmoothedAt(const PilotAxis & axis, int i, int size, float background, const TFrom & from)
{
  PilotSums sums{};
  float     beyond = 1.0f;
  const int first = std::max(i - axis.Radius(), 0);
  const int last = std::min(i + axis.Radius(), size - 1);
  for (int j = first; j <= last; ++j)
  {
    const float weight = axis.weights[static_cast<std::size_t>(std::abs(j - i))];
    beyond -= weight;
    Add(weight, from(j), sums);
  }
  AddBackground(std::max(beyond, 0.0f) * background, sums);
  return sums;
}

} // namespace

void
MakePilot(Context & context, const LabelGrid & grid, const LabelBand & band, double sigma, float * levels)
{
  const Extent           extent = grid.extent;
  const PilotAxis        axisX = MakePilotAxis(grid, 0, sigma);
  const PilotAxis        axisY = MakePilotAxis(grid, 1, sigma);
  const PilotAxis        axisZ = MakePilotAxis(grid, 2, sigma);
  const float            shareX = 1.0f / static_cast<float>(grid.division[0]);
  const float            shareXY = shareX / static_cast<float>(grid.division[1]);
  const float            shareXYZ = shareXY / static_cast<float>(grid.division[2]);
  std::vector<PilotSums> smoothed(grid.codes.size());
  std::vector<PilotSums> ofCodes(4 * numberOfParts);
  for (std::size_t code = 0; code < ofCodes.size(); ++code)
  {
    ofCodes[code] = SumsOf(static_cast<unsigned int>(code));
  }
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    VectorDispatch([&] {
      std::vector<PilotSums> plane(static_cast<std::size_t>(extent.x) * static_cast<std::size_t>(extent.y));
      const bool             isPlaneKnown = z % grid.division[2] == grid.division[2] / 2;
      for (int y = 0; y < extent.y; ++y)
      {
        const std::uint8_t * const codes = grid.codes.data() + grid.Offset(0, y, static_cast<int>(z));
        const bool                 isKnown = isPlaneKnown && y % grid.division[1] == grid.division[1] / 2;
        for (int x = 0; x < extent.x; ++x)
        {
          plane[static_cast<std::size_t>(y) * extent.x + x] = SmoothedAt(
            axisX, x, extent.x, isKnown ? shareX : 0.0f, [&](int j) -> const PilotSums & { return ofCodes[codes[j]]; });
        }
      }
      for (int y = 0; y < extent.y; ++y)
      {
        for (int x = 0; x < extent.x; ++x)
        {
          smoothed[static_cast<std::size_t>(grid.Offset(x, y, static_cast<int>(z)))] =
            SmoothedAt(axisY, y, extent.y, isPlaneKnown ? shareXY : 0.0f, [&](int j) -> const PilotSums & {
              return plane[static_cast<std::size_t>(j) * extent.x + x];
            });
        }
      }
    });
  });
  constexpr std::int64_t perTask = 1024;
  const std::int64_t     planeSize = std::int64_t{ extent.x } * extent.y;
  ForEachRange(context, band.count, perTask, [&](std::int64_t begin, std::int64_t end) {
    VectorDispatch([&] {
      for (std::int64_t i = begin; i < end; ++i)
      {
        const std::int64_t voxel = band.voxels[static_cast<std::size_t>(i)];
        const int          z = static_cast<int>(voxel / planeSize);
        const PilotSums    sums = SmoothedAt(axisZ, z, extent.z, shareXYZ, [&](int j) -> const PilotSums & {
          return smoothed[static_cast<std::size_t>(voxel + (j - z) * planeSize)];
        });
        for (int v = 0; v < versions; ++v)
        {
          const float fraction = sums.all.values[v] > 0.0f ? sums.inside.values[v] / sums.all.values[v] : 0.5f;
          levels[versions * i + v] = DistanceOfFraction(fraction, static_cast<float>(sigma));
        }
      }
    });
  });
}

} // namespace cudaneuro::cpu
