// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldCompositionFormulas.h"

#include "core/ParallelRows.h"

namespace cudaneuro::cpu
{
namespace
{

template <bool VIsSameGrid>
void
ComposeRows(Context & context, const FieldComposition & composition)
{
  ParallelRows(composition.extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t begin) {
    for (int x = 0; x < composition.extent.x; ++x)
    {
      const std::int64_t index = begin + x;
      Displacement       first{ 0.0f, 0.0f, 0.0f };
      if (composition.first.x)
      {
        first = { composition.first.x[index], composition.first.y[index], composition.first.z[index] };
      }
      SplitPosition position{ x, y, z, 0.0f, 0.0f, 0.0f };
      if constexpr (!VIsSameGrid)
      {
        position = MapVoxel<std::int64_t>(composition.transform, x, y, z);
      }
      ComposeAt<VIsSameGrid>(composition, position, first, index);
    }
  });
}

} // namespace

void
ComposeFields(Context & context, const FieldComposition & composition)
{
  if (composition.isSameGrid)
  {
    ComposeRows<true>(context, composition);
  }
  else
  {
    ComposeRows<false>(context, composition);
  }
}

} // namespace cudaneuro::cpu
