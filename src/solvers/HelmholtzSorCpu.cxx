// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/HelmholtzSor.h"

#include "core/ParallelRows.h"
#include "solvers/HelmholtzFormulas.h"

#include <vector>

namespace cudaneuro::cpu
{
namespace
{

/** Updates every other voxel of a row, starting at \p first. Neighboring rows outside the grid are zeros. Only these
 * voxels and their neighbors are read, because other threads write the other voxels of the neighboring rows. */
CUDANEURO_ALWAYS_INLINE void
UpdateRow(const SorCoefficients & c,
          int                     length,
          int                     first,
          const float *           force,
          float *                 row,
          const float *           back,
          const float *           front,
          const float *           below,
          const float *           above)
{
  const auto update = [&](int x, float left, float right) {
    const float sum = SorSumOfFive(left, right, back[x], front[x], below[x]);
    return SorWithAbove(c.neighbor, SorWithoutAbove(c.keep, c.neighbor, row[x], c.force * force[x], sum), above[x]);
  };
  if (first == 0)
  {
    row[0] = update(0, 0.0f, length > 1 ? row[1] : 0.0f);
  }
  const int begin = 2 - first;
  const int count = (length - begin) / 2; // voxels before the last one of the row
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (int i = 0; i < count; ++i)
  {
    const int x = begin + 2 * i;
    row[x] = update(x, row[x - 1], row[x + 1]);
  }
  if (length > 1 && (length - 1 - first) % 2 == 0)
  {
    row[length - 1] = update(length - 1, row[length - 2], 0.0f);
  }
}

} // namespace

void
RunSor(Context &                   context,
       const Extent &              extent,
       const HelmholtzParameters & parameters,
       int                         sweeps,
       const ConstSoAField &       force,
       const SoAField &            velocity)
{
  const SorCoefficients    coefficients = MakeSorCoefficients(extent, parameters);
  const ParallelRows       tasks(extent);
  const std::int64_t       planeStride = std::int64_t{ extent.x } * extent.y;
  const std::vector<float> zeros(static_cast<std::size_t>(extent.x), 0.0f);
  const float * const      forces[3] = { force.x, force.y, force.z };
  float * const            velocities[3] = { velocity.x, velocity.y, velocity.z };
  for (int halfSweep = 0; halfSweep < 2 * sweeps; ++halfSweep)
  {
    tasks.Run(context, [&](std::int64_t, int y, int z, std::int64_t begin) {
      for (int component = 0; component < 3; ++component)
      {
        float * const row = velocities[component] + begin;
        UpdateRow(coefficients,
                  extent.x,
                  (y + z + halfSweep) & 1,
                  forces[component] + begin,
                  row,
                  y > 0 ? row - extent.x : zeros.data(),
                  y < extent.y - 1 ? row + extent.x : zeros.data(),
                  z > 0 ? row - planeStride : zeros.data(),
                  z < extent.z - 1 ? row + planeStride : zeros.data());
      }
    });
  }
}

} // namespace cudaneuro::cpu
