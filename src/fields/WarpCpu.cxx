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
SampleRows(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  const WarpSource source{
    warp.inputExtent, warp.input, warp.inputMask, coefficients.GetValues(), coefficients.GetHasNotFinite()
  };
  const WarpMap map{ MakeIndexTransform(warp.mapping.indexMap), warp.mapping.field, warp.vectors };
  ParallelRows(warp.outputExtent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < warp.outputExtent.x; ++x)
    {
      const std::int64_t  index = first + x;
      const SplitPosition base = MapVoxel<std::int64_t>(map.transform, x, y, z);
      const SplitPosition position = MovedPosition(map, base, DisplacementAt(map, index), 0);
      float               value = 0.0f;
      const bool          hasValue = SampleAt<VInterpolation, VMasked, std::int64_t>(source, position, value);
      warp.output[index] = hasValue ? value : warp.defaultValue;
    }
  });
}

template <Interpolation VInterpolation>
void
SampleRows(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  if constexpr (TakesMask(VInterpolation))
  {
    if (warp.inputMask)
    {
      SampleRows<VInterpolation, true>(context, warp, coefficients);
      return;
    }
  }
  SampleRows<VInterpolation, false>(context, warp, coefficients);
}

} // namespace

void
SampleVolume(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  WithInterpolation(warp.interpolation,
                    [&](auto interpolation) { SampleRows<interpolation()>(context, warp, coefficients); });
}

} // namespace cudaneuro::cpu
