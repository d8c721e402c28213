// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ImageOperations.h"

#include "core/ParallelRows.h"

namespace cudaneuro::cpu
{
namespace
{

template <int VComponents>
void
GradientOfRows(Context & context, const VolumeGradient & gradient)
{
  const Extent & extent = gradient.extent;
  ParallelRows(extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t begin) {
    for (int x = 0; x < extent.x; ++x)
    {
      const std::int64_t i = begin + x;
      float * const      output = gradient.output + i * VComponents;
      WriteGradient<VComponents>(gradient.matrix, extent, gradient.input + i, x, y, z, output);
    }
  });
}

} // namespace

void
ComputeGradient(Context & context, const VolumeGradient & gradient)
{
  if (gradient.components == 2)
  {
    GradientOfRows<2>(context, gradient);
  }
  else
  {
    GradientOfRows<3>(context, gradient);
  }
}

void
ShrinkVolume(Context & context, const Shrinking & shrinking, const float * input, float * output)
{
  ParallelRows(shrinking.to).Run(context, [&](std::int64_t, int y, int z, std::int64_t begin) {
    for (int x = 0; x < shrinking.to.x; ++x)
    {
      output[begin + x] = shrinking.ValueAt(input, x, y, z);
    }
  });
}

} // namespace cudaneuro::cpu
