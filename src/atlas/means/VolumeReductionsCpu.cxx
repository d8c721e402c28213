// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/VolumeReductions.h"
#include "core/ParallelRows.h"

#include <vector>

namespace cudaneuro::cpu
{

template <typename TOperation>
typename TOperation::Partial
ReduceVoxels(Context & context, const Extent & extent, const TOperation & operation)
{
  using Partial = typename TOperation::Partial;
  const ParallelRows   rows(extent);
  std::vector<Partial> partials(static_cast<std::size_t>(rows.Count()), Partial::Empty());
  rows.Run(context, [&](std::int64_t task, int y, int z, std::int64_t first) {
    for (int x = 0; x < extent.x; ++x)
    {
      operation(x, y, z, first + x, partials[static_cast<std::size_t>(task)]);
    }
  });
  Partial result = Partial::Empty();
  for (const Partial & partial : partials)
  {
    result.Include(partial);
  }
  return result;
}

template MomentsPartial
ReduceVoxels(Context &, const Extent &, const MomentsOperation &);
template BoxPartial
ReduceVoxels(Context &, const Extent &, const BoxOperation &);

} // namespace cudaneuro::cpu
