// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/WarpCpu.h"

#include "core/ParallelRows.h"
#include "fields/WarpFormulas.h"

namespace cudaneuro::cpu
{
namespace
{

struct WarpTarget
{
  Extent          extent;
  float           defaultValue;
  float *         output;
  unsigned char * validity;
};

template <Interpolation VInterpolation, bool VMasked>
void
Warp(Context & context, const WarpSource & source, const IndexMapping & mapping, const WarpTarget & target)
{
  const IndexTransform transform = MakeIndexTransform(mapping.indexMap);
  ParallelRows(target.extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < target.extent.x; ++x)
    {
      const std::int64_t index = first + x;
      SplitPosition      position = MapVoxel<std::int64_t>(transform, x, y, z);
      if (mapping.field.x)
      {
        position = Moved(transform,
                         position,
                         mapping.sign * mapping.field.x[index],
                         mapping.sign * mapping.field.y[index],
                         mapping.sign * mapping.field.z[index]);
      }
      float      value = 0.0f;
      const bool isValid = SampleAt<VInterpolation, VMasked, std::int64_t>(source, position, value);
      target.output[index] = isValid ? value : target.defaultValue;
      if (target.validity)
      {
        target.validity[index] = isValid ? 1 : 0;
      }
    }
  });
}

template <Interpolation VInterpolation>
void
Dispatch(Context & context, const WarpSource & source, const IndexMapping & mapping, const WarpTarget & target)
{
  if (source.mask)
  {
    Warp<VInterpolation, true>(context, source, mapping, target);
  }
  else
  {
    Warp<VInterpolation, false>(context, source, mapping, target);
  }
}

} // namespace

void
WarpVolume(Context &             context,
           Interpolation         interpolation,
           float                 defaultValue,
           const Extent &        inputExtent,
           const float *         input,
           const unsigned char * inputMask,
           const Extent &        outputExtent,
           const IndexMapping &  mapping,
           float *               output,
           unsigned char *       validity)
{
  const WarpSource source{ inputExtent, input, inputMask };
  const WarpTarget target{ outputExtent, defaultValue, output, validity };
  if (interpolation == Interpolation::Nearest)
  {
    Dispatch<Interpolation::Nearest>(context, source, mapping, target);
  }
  else
  {
    Dispatch<Interpolation::Linear>(context, source, mapping, target);
  }
}

} // namespace cudaneuro::cpu
