// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/HelmholtzSor.h"

#include "core/Dispatch.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "fields/VectorLengthKernel.cuh"
#include "solvers/HelmholtzSorKernel.cuh"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

namespace cudaneuro::gpu
{

namespace
{

/** The maximum number of sweeps of a pass. More are not faster: the halo of tiles grows, and fewer tiles fit. */
constexpr int mostSweeps = 4;

/** Milliseconds of a pass by its number of sweeps, and of the copy of its result, for 192^3 voxels on an H200. Only
 * their ratios matter. */
constexpr double passTimes[mostSweeps + 1] = { 0.0, 0.077, 0.090, 0.118, 0.162 };
constexpr double copyTime = 0.026;

/** Returns the fastest number of passes, which share the sweeps evenly. An odd number of passes ends in the other field
 * and takes \p timeOfOdd more. */
int
ChoosePasses(int sweeps, double timeOfOdd)
{
  int    best = sweeps;
  double leastTime = std::numeric_limits<double>::max();
  for (int passes = std::max(DivideUp(sweeps, mostSweeps), 1); passes <= sweeps; ++passes)
  {
    const int    each = sweeps / passes;
    const int    withOneMore = sweeps % passes;
    const double timeOfMore = withOneMore > 0 ? withOneMore * passTimes[each + 1] : 0.0;
    const double time = (passes - withOneMore) * passTimes[each] + timeOfMore + (passes % 2) * timeOfOdd;
    if (time < leastTime)
    {
      leastTime = time;
      best = passes;
    }
  }
  return best;
}

/** The tiles of a pass of VSweeps sweeps. The usual ones fit into the 99 KiB of shared memory of consumer devices,
 * those for little work or little memory into the 64 KiB of Turing. */
template <int VSweeps>
struct SorTiles;

template <>
struct SorTiles<1>
{
  using Usual = SorTile<1, 2, 16, 4>;
  using Small = SorTile<1, 2, 12, 2>;
};

template <>
struct SorTiles<2>
{
  using Usual = SorTile<2, 4, 12, 3>;
  using Small = SorTile<2, 2, 12, 2>;
};

template <>
struct SorTiles<3>
{
  using Usual = SorTile<3, 6, 8, 2>;
  using Small = SorTile<3, 2, 12, 2>;
};

template <>
struct SorTiles<4>
{
  using Usual = SorTile<4, 4, 8, 2>;
  using Small = SorTile<4, 4, 6, 2>;
};

/** The division of a volume among tiles. */
struct SorLayout
{
  int tilesX;
  int tilesY;
  /** The even number of planes that a block writes, which minimizes the steps of the busiest multiprocessor if each
   * runs one block at a time. */
  int planes;
  /** The rows that each thread of that multiprocessor updates, to which the time is about proportional. */
  std::int64_t rows;
};

template <typename TTile>
SorLayout
MakeLayout(const Extent & extent, int multiprocessors)
{
  SorLayout layout{};
  layout.tilesX = TTile::Count(extent.x, TTile::stepX, TTile::marginX);
  layout.tilesY = TTile::Count(extent.y, TTile::stepY, 0);
  const std::int64_t blocksPerPart = std::int64_t{ 3 } * layout.tilesX * layout.tilesY;
  layout.rows = std::numeric_limits<std::int64_t>::max();
  for (int parts = 1; parts <= (extent.z + 1) / 2 && parts <= 65535; ++parts)
  {
    const int          planes = (DivideUp(extent.z, parts) + 1) / 2 * 2;
    const std::int64_t blocks = blocksPerPart * DivideUp(extent.z, planes);
    const std::int64_t waves = DivideUp(blocks, multiprocessors);
    const std::int64_t rows = waves * (planes + (parts == 1 ? 1 : 2) * TTile::halo) * TTile::rows;
    if (rows < layout.rows)
    {
      layout.rows = rows;
      layout.planes = planes;
    }
  }
  return layout;
}

template <typename TTile>
void
LaunchTiles(const GpuContext & gpu, bool pairsAligned, const SorLayout & layout, SorArguments arguments)
{
  arguments.tilesX = layout.tilesX;
  arguments.tilesY = layout.tilesY;
  arguments.planes = layout.planes;
  const dim3 blocks(static_cast<unsigned int>(layout.tilesX * layout.tilesY),
                    static_cast<unsigned int>(DivideUp(arguments.extent.z, layout.planes)),
                    3);
  const auto kernel = pairsAligned ? SorKernel<TTile, true> : SorKernel<TTile, false>;
  AllowAllSharedMemory(kernel);
  kernel<<<blocks, TTile::threads, sizeof(typename TTile::Shared), gpu.ComputeStream()>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("SorKernel");
}

template <int VSweeps>
void
LaunchPass(const GpuContext & gpu, bool pairsAligned, const SorArguments & arguments)
{
  using Usual = typename SorTiles<VSweeps>::Usual;
  using Small = typename SorTiles<VSweeps>::Small;
  static_assert(sizeof(typename Usual::Shared) <= 99 * 1024 && sizeof(typename Small::Shared) <= 64 * 1024);
  const SorLayout usual = MakeLayout<Usual>(arguments.extent, gpu.MultiprocessorsOfShare());
  const SorLayout small = MakeLayout<Small>(arguments.extent, gpu.MultiprocessorsOfShare());
  if (usual.rows <= small.rows && sizeof(typename Usual::Shared) <= gpu.SharedBytesPerBlock())
  {
    LaunchTiles<Usual>(gpu, pairsAligned, usual, arguments);
  }
  else
  {
    LaunchTiles<Small>(gpu, pairsAligned, small, arguments);
  }
}

bool
ArePairsAligned(int extentX, std::initializer_list<const float *> volumes)
{
  return extentX % 2 == 0 && std::all_of(volumes.begin(), volumes.end(), [](const float * volume) {
           return reinterpret_cast<std::uintptr_t>(volume) % sizeof(float2) == 0;
         });
}

/** Enqueues the passes, which alternate between the fields.
 * \returns whether the result is in scratch */
bool
EnqueuePasses(const GpuContext &          gpu,
              const Extent &              extent,
              const HelmholtzParameters & parameters,
              int                         sweeps,
              int                         passes,
              const ConstSoAField &       force,
              const SoAField &            velocity,
              const SoAField &            scratch,
              const DeviceGate &          gate)
{
  SorArguments arguments{};
  arguments.extent = extent;
  arguments.coefficients = MakeSorCoefficients(extent, parameters);
  arguments.force = force;
  arguments.gate = gate;
  const bool pairsAligned = ArePairsAligned(
    extent.x, { force.x, force.y, force.z, velocity.x, velocity.y, velocity.z, scratch.x, scratch.y, scratch.z });
  SoAField from = velocity;
  SoAField to = scratch;
  for (int pass = 0, left = sweeps; pass < passes; ++pass)
  {
    const int now = DivideUp(left, passes - pass);
    arguments.from = from;
    arguments.to = to;
    WithConstant<1, 2, 3, mostSweeps>(now,
                                      [&](auto constant) { LaunchPass<constant()>(gpu, pairsAligned, arguments); });
    left -= now;
    std::swap(from, to);
  }
  return passes % 2 != 0;
}

} // namespace

void
EnqueueSor(Context &                   context,
           const Extent &              extent,
           const HelmholtzParameters & parameters,
           int                         sweeps,
           const ConstSoAField &       force,
           const SoAField &            velocity,
           const SoAField &            scratch,
           const DeviceGate &          gate)
{
  const GpuContext & gpu = GpuOf(context);
  const int          passes = ChoosePasses(sweeps, copyTime);
  const bool isInScratch = EnqueuePasses(gpu, extent, parameters, sweeps, passes, force, velocity, scratch, gate);
  if (isInScratch || gate.largestSquaredLength)
  {
    const SoAField & result = isInScratch ? scratch : velocity;
    LaunchVectorLength(gpu, NumberOfVoxels(extent), result, isInScratch ? velocity : SoAField(), gate);
  }
}

bool
EnqueueSorEitherWay(Context &                   context,
                    const Extent &              extent,
                    const HelmholtzParameters & parameters,
                    int                         sweeps,
                    const ConstSoAField &       force,
                    const SoAField &            velocity,
                    const SoAField &            scratch,
                    const DeviceGate &          gate)
{
  const GpuContext & gpu = GpuOf(context);
  const int          passes = ChoosePasses(sweeps, 0.0);
  const bool isInScratch = EnqueuePasses(gpu, extent, parameters, sweeps, passes, force, velocity, scratch, gate);
  if (gate.largestSquaredLength)
  {
    LaunchVectorLength(gpu, NumberOfVoxels(extent), isInScratch ? scratch : velocity, SoAField(), gate);
  }
  return isInScratch;
}

} // namespace cudaneuro::gpu
