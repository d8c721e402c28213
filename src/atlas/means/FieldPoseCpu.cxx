// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/FieldPose.h"
#include "core/ParallelRows.h"

namespace cudaneuro::cpu
{

void
ForAllVoxels(Context & context, const Extent & extent, const AffineOperation & operation)
{
  ParallelRows(extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < extent.x; ++x)
    {
      operation(x, y, z, first + x);
    }
  });
}

} // namespace cudaneuro::cpu
