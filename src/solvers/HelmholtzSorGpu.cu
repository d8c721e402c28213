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

/** Most sweeps of one pass. More are not faster: the halo of tiles grows, and fewer tiles fit. */
constexpr int mostSweeps = 3;

/** Even number of planes that a block writes: the one with the fewest steps of the busiest multiprocessor, if each runs
 * one block at a time. */
int
ChoosePlanes(int extentZ, int halo, std::int64_t blocksPerPart, int multiprocessors)
{
  int          best = extentZ + extentZ % 2;
  std::int64_t leastSteps = std::numeric_limits<std::int64_t>::max();
  for (int parts = 1; parts <= (extentZ + 1) / 2 && parts <= 65535; ++parts)
  {
    const int          planes = (DivideUp(extentZ, parts) + 1) / 2 * 2;
    const std::int64_t blocks = blocksPerPart * DivideUp(extentZ, planes);
    const std::int64_t waves = DivideUp(blocks, multiprocessors);
    const std::int64_t steps = waves * (planes + (parts == 1 ? halo : 2 * halo));
    if (steps < leastSteps)
    {
      leastSteps = steps;
      best = planes;
    }
  }
  return best;
}

template <int VSweeps, int VRows, int VWarps, int VPlanes>
void
LaunchTiles(const GpuContext & gpu, bool pairsAligned, SorArguments arguments)
{
  using Tile = SorTile<VSweeps, VRows, VWarps, VPlanes>;
  const Extent & extent = arguments.extent;
  arguments.tilesX = Tile::Count(extent.x, Tile::stepX, Tile::marginX);
  arguments.tilesY = Tile::Count(extent.y, Tile::stepY, 0);
  const std::int64_t tiles = std::int64_t{ arguments.tilesX } * arguments.tilesY;
  arguments.planes = ChoosePlanes(extent.z, Tile::halo, tiles * 3, gpu.NumberOfMultiprocessors());
  const dim3 blocks(
    static_cast<unsigned int>(tiles), static_cast<unsigned int>(DivideUp(extent.z, arguments.planes)), 3);
  const auto kernel =
    pairsAligned ? SorKernel<VSweeps, VRows, VWarps, VPlanes, true> : SorKernel<VSweeps, VRows, VWarps, VPlanes, false>;
  AllowAllSharedMemory(kernel);
  kernel<<<blocks, Tile::threads, sizeof(typename Tile::Shared), gpu.ComputeStream()>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("SorKernel");
}

std::size_t
MostSharedMemory()
{
  int device = 0;
  int bytes = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

template <int VSweeps>
void
LaunchPass(const GpuContext & gpu, bool pairsAligned, const SorArguments & arguments)
{
  if (sizeof(typename SorTile<VSweeps, 4, 12, 4>::Shared) <= MostSharedMemory())
  {
    LaunchTiles<VSweeps, 4, 12, 4>(gpu, pairsAligned, arguments);
  }
  else
  {
    // Some devices before Hopper have too little; this fits into the 64 KiB of Turing.
    static_assert(sizeof(typename SorTile<VSweeps, 4, 8, 2>::Shared) <= 64 * 1024);
    LaunchTiles<VSweeps, 4, 8, 2>(gpu, pairsAligned, arguments);
  }
}

bool
ArePairsAligned(int extentX, std::initializer_list<const float *> volumes)
{
  return extentX % 2 == 0 && std::all_of(volumes.begin(), volumes.end(), [](const float * volume) {
           return reinterpret_cast<std::uintptr_t>(volume) % sizeof(float2) == 0;
         });
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
  SorArguments       arguments{};
  arguments.extent = extent;
  arguments.coefficients = MakeSorCoefficients(extent, parameters);
  arguments.force = force;
  arguments.gate = gate;
  const bool pairsAligned = ArePairsAligned(
    extent.x, { force.x, force.y, force.z, velocity.x, velocity.y, velocity.z, scratch.x, scratch.y, scratch.z });
  // Passes alternate between the two fields: an even number of them ends in the velocity.
  int passes = DivideUp(sweeps, mostSweeps);
  passes += sweeps > 1 ? passes % 2 : 0;
  SoAField from = velocity;
  SoAField to = scratch;
  for (int left = sweeps; passes > 0; --passes)
  {
    const int now = DivideUp(left, passes);
    arguments.from = from;
    arguments.to = to;
    WithConstant<1, 2, mostSweeps>(now, [&](auto constant) { LaunchPass<constant()>(gpu, pairsAligned, arguments); });
    left -= now;
    std::swap(from, to);
  }
  if (sweeps == 1 || gate.largestSquaredLength)
  {
    LaunchVectorLength(gpu, NumberOfVoxels(extent), from, sweeps == 1 ? velocity : SoAField(), gate);
  }
}

} // namespace cudaneuro::gpu
