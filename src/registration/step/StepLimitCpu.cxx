// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/Step.h"

#include "core/VectorDispatch.h"
#include "registration/step/StepLimitFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

struct Position
{
  int x;
  int y;
  int z;
};

std::vector<Position>
FindOffenders(Context &             context,
              const Extent &        extent,
              float                 bound,
              const ConstSoAField & accepted,
              const ConstSoAField & candidate)
{
  std::vector<std::vector<Position>> ofPlanes(static_cast<std::size_t>(extent.z));
  context.ParallelFor(extent.z, [&](std::int64_t plane) {
    VectorDispatch([&] {
      const int z = static_cast<int>(plane);
      for (int y = 0; y < extent.y; ++y)
      {
        for (int x = 0; x < extent.x; ++x)
        {
          if (IsOffender<std::int64_t>(bound, accepted, candidate, extent, x, y, z))
          {
            ofPlanes[static_cast<std::size_t>(plane)].push_back({ x, y, z });
          }
        }
      }
    });
  });
  std::vector<Position> all;
  for (const std::vector<Position> & ofPlane : ofPlanes)
  {
    all.insert(all.end(), ofPlane.begin(), ofPlane.end());
  }
  return all;
}

/** Lowers the factors around an offender. */
void
Lower(const Extent & extent, const Position & at, float limit, float * factor)
{
  for (int z = std::max(0, at.z - limitRadius); z <= std::min(extent.z - 1, at.z + limitRadius); ++z)
  {
    for (int y = std::max(0, at.y - limitRadius); y <= std::min(extent.y - 1, at.y + limitRadius); ++y)
    {
      for (int x = std::max(0, at.x - limitRadius); x <= std::min(extent.x - 1, at.x + limitRadius); ++x)
      {
        const int dx = x - at.x;
        const int dy = y - at.y;
        const int dz = z - at.z;
        float &   own = factor[(std::int64_t{ z } * extent.y + y) * extent.x + x];
        own = std::min(own, LimitAround(limit, dx * dx + dy * dy + dz * dz));
      }
    }
  }
}

/** candidate <- accepted + factor (candidate - accepted) */
void
Blend(Context &             context,
      const Extent &        extent,
      const float *         factor,
      const ConstSoAField & accepted,
      const SoAField &      candidate)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      if (factor[i] < 1.0f)
      {
        candidate.x[i] = accepted.x[i] + factor[i] * (candidate.x[i] - accepted.x[i]);
        candidate.y[i] = accepted.y[i] + factor[i] * (candidate.y[i] - accepted.y[i]);
        candidate.z[i] = accepted.z[i] + factor[i] * (candidate.z[i] - accepted.z[i]);
      }
    }
  });
}

} // namespace

void
EnqueueLimit(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const StepState & state = *buffers.state;
  if (!state.isRunning)
  {
    return;
  }
  const Extent & extent = buffers.extent;
  const SoAField accepted = buffers.maps.Accepted(state);
  const SoAField candidate = buffers.maps.Candidate(state);
  const auto     bound = static_cast<float>(parameters.jacobianBound);
  float * const  factor = buffers.force.x;
  for (int round = 0; round < limitRounds; ++round)
  {
    const std::vector<Position> offenders = FindOffenders(context, extent, bound, accepted, candidate);
    if (offenders.empty())
    {
      return;
    }
    std::fill_n(factor, NumberOfVoxels(extent), 1.0f);
    for (const Position & offender : offenders)
    {
      Lower(extent, offender, LimitOfRound(round), factor);
    }
    Blend(context, extent, factor, accepted, candidate);
  }
}

} // namespace cudaneuro::cpu
