// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/RegistrationForceCpu.h"

#include "core/ParallelRows.h"
#include "fields/CellSampler.h"
#include "metrics/correlation/LocalCorrelationCpu.h"

#include <limits>

namespace cudaneuro::cpu
{

void
DeformImage(Context & context, const ImagePair & images, const ConstSoAField & displacement, float * deformed)
{
  const Extent   extent = images.extent;
  const CellGrid grid(extent);
  ParallelRows(extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < extent.x; ++x)
    {
      const std::int64_t i = first + x;
      const float        px = static_cast<float>(x) + displacement.x[i];
      const float        py = static_cast<float>(y) + displacement.y[i];
      const float        pz = static_cast<float>(z) + displacement.z[i];
      const bool         hasValue =
        grid.Contains(px, py, pz) && (images.fixed == nullptr || images.fixed[i] == images.fixed[i]);
      deformed[i] =
        hasValue ? Cell(grid, px, py, pz).Interpolate(grid, images.moving) : std::numeric_limits<float>::quiet_NaN();
    }
  });
}

double
DeformedCorrelation(
  Context & context, int radius, const ImagePair & images, const ConstSoAField & displacement, float * derivative)
{
  const LocalCorrelation correlation(context, images.extent, radius);
  DeformImage(context, images, displacement, correlation.GetDeformed());
  const double energy = correlation.ComputeTerms(images.fixed, BoxesOf::AllVoxels).energy;
  correlation.ComputeDerivative(images.fixed, derivative);
  return energy;
}

} // namespace cudaneuro::cpu
