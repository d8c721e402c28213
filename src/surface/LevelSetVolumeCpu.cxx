// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/LevelSetVolumeFormulas.h"

#include "core/ParallelRows.h"

#include <vector>

namespace cudaneuro::cpu
{

double
EnclosedVolume(Context & context, const OffsetDistances & field)
{
  const Extent &             extent = field.extent;
  const std::int64_t         row = extent.x;
  const std::int64_t         plane = row * extent.y;
  const ParallelRows         tasks(CellsOf(extent));
  std::vector<VolumePartial> partials(static_cast<std::size_t>(tasks.Count()), VolumePartial::Empty());
  tasks.Run(context, [&](std::int64_t task, int y, int z, std::int64_t) {
    VolumePartial      partial = partials[static_cast<std::size_t>(task)];
    const std::int64_t first = z * plane + y * row;
    double             v[8] = {};
    for (int x = 0; x < extent.x; ++x)
    {
      const std::int64_t i = first + x;
      const double       next[4] = { OffsetDistance(field, i),
                                     OffsetDistance(field, i + row),
                                     OffsetDistance(field, i + plane),
                                     OffsetDistance(field, i + plane + row) };
      for (int edge = 0; edge < 4; ++edge)
      {
        v[2 * edge + 1] = next[edge];
      }
      if (x > 0)
      {
        partial.AddCell(v);
      }
      for (int edge = 0; edge < 4; ++edge)
      {
        v[2 * edge] = next[edge];
      }
    }
    partials[static_cast<std::size_t>(task)] = partial;
  });
  VolumePartial sum = VolumePartial::Empty();
  for (const VolumePartial & partial : partials)
  {
    sum.Include(partial);
  }
  return sum.Total();
}

void
AddOffset(Context & context, const OffsetDistances & field, float * distances)
{
  const ParallelRows tasks(field.extent);
  tasks.Run(context, [&](std::int64_t, int, int, std::int64_t begin) {
    for (std::int64_t i = begin; i < begin + field.extent.x; ++i)
    {
      distances[i] = static_cast<float>(OffsetDistance(field, i));
    }
  });
}

} // namespace cudaneuro::cpu
