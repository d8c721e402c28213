// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/Warp.h"

#include "core/ParallelRows.h"
#include "fields/warp/CellRowCpu.h"

namespace cudaneuro::cpu
{
namespace
{

/** Samples voxels of a row from (x, y, z) on; \p index is the index of the first voxel. */
template <Interpolation VInterpolation>
CUDANEURO_ALWAYS_INLINE void
SamplePiece(CellRow &          cells,
            const WarpSource & source,
            const WarpMap &    map,
            const VolumeWarp & warp,
            int                x,
            int                y,
            int                z,
            std::int64_t       index)
{
  float * const output = warp.output + index;
  cells.FindPositions(map, x, y, z, std::min(CellRow::length, warp.outputExtent.x - x), index);
  cells.FindCells();
  if constexpr (VInterpolation == Interpolation::Nearest)
  {
    cells.TakeNearest(source.volume, warp.defaultValue, output);
  }
  else
  {
    cells.Load(source.volume);
    if constexpr (VInterpolation == Interpolation::Label)
    {
      cells.TakeLabels(warp.defaultValue, output);
    }
    else
    {
      cells.Interpolate(warp.defaultValue, output);
    }
  }
}

/** Returns whether CellRow implements an interpolation. */
constexpr bool
IsOfCells(Interpolation interpolation)
{
  return interpolation == Interpolation::Linear || interpolation == Interpolation::Nearest ||
         interpolation == Interpolation::Label;
}

template <Interpolation VInterpolation, bool VMasked>
void
SampleRows(Context & context, const VolumeWarp & warp, const SplineCoefficients & coefficients)
{
  const WarpSource source{
    warp.inputExtent, warp.input, warp.inputMask, coefficients.GetValues(), coefficients.GetHasNotFinite()
  };
  const WarpMap      map{ MakeIndexTransform(warp.mapping.indexMap), warp.mapping.field, warp.vectors };
  const ParallelRows rows(warp.outputExtent);
  if constexpr (IsOfCells(VInterpolation) && !VMasked)
  {
    if (CellRow::Suits(warp.inputExtent))
    {
      rows.Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
        CellRow cells(warp.inputExtent);
        for (int x = 0; x < warp.outputExtent.x; x += CellRow::length)
        {
          SamplePiece<VInterpolation>(cells, source, map, warp, x, y, z, first + x);
        }
      });
      return;
    }
  }
  rows.Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
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
