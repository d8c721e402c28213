// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Warp.h"

#include "core/ParallelRows.h"
#include "fields/WarpFormulas.h"

namespace cudaneuro::cpu
{
namespace
{

template <Interpolation VInterpolation, bool VMasked>
void
WarpRows(Context & context, const VolumeWarp & warp)
{
  const WarpSource     source{ warp.inputExtent, warp.input, warp.inputMask };
  const IndexMapping & mapping = warp.mapping;
  const IndexTransform transform = MakeIndexTransform(mapping.indexMap);
  ParallelRows(warp.outputExtent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < warp.outputExtent.x; ++x)
    {
      const std::int64_t index = first + x;
      SplitPosition      position = MapVoxel<std::int64_t>(transform, x, y, z);
      if (mapping.field.x)
      {
        position = Moved(transform, position, mapping.field.x[index], mapping.field.y[index], mapping.field.z[index]);
      }
      float      value = 0.0f;
      const bool hasValue = SampleAt<VInterpolation, VMasked, std::int64_t>(source, position, value);
      warp.output[index] = hasValue ? value : warp.defaultValue;
    }
  });
}

template <Interpolation VInterpolation>
void
WarpRows(Context & context, const VolumeWarp & warp)
{
  if (warp.inputMask)
  {
    WarpRows<VInterpolation, true>(context, warp);
  }
  else
  {
    WarpRows<VInterpolation, false>(context, warp);
  }
}

} // namespace

void
WarpVolume(Context & context, const VolumeWarp & warp)
{
  if (warp.interpolation == Interpolation::Nearest)
  {
    WarpRows<Interpolation::Nearest>(context, warp);
  }
  else
  {
    WarpRows<Interpolation::Linear>(context, warp);
  }
}

} // namespace cudaneuro::cpu
