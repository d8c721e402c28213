// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/SlabPlan.h"

#include "core/IntegerMath.h"
#include "cuda/DeviceMemoryPool.h"

#include <algorithm>

namespace cudaneuro
{
namespace
{

/** The approximate number of pieces in which host volumes are transferred, within these sizes: small, so that little
 * time passes before the first kernel and after the last, and large enough to fill the device. */
constexpr double chunksOfVolume = 16.0;
constexpr double smallestChunk = 8.0 * 1024 * 1024;
constexpr double largestChunk = 24.0 * 1024 * 1024;

/** Jobs on device memory are divided into pieces of about this many operations, some 20 ms of an H200 and 0.1 s of a
 * small device, between which progress is reported. */
constexpr double chunkOperations = 2e11;

/** The memory that drivers and the granularity of allocations need besides the buffers. */
constexpr std::size_t reservedBytes = std::size_t{ 64 } << 20;

/** Returns the device memory that transfers and the stage need for each plane of a slab. The output of a whole volume
 * is written in place if it is float on the device. */
std::size_t
BytesPerPlane(const PlaneJob & job, bool isWhole)
{
  std::size_t bytesPerVoxel = 0;
  for (const ConstVolume & input : job.inputs)
  {
    bytesPerVoxel += input.space == MemorySpace::Host ? PixelSize(input.type) : 0;
    bytesPerVoxel += input.type != PixelType::Float ? sizeof(float) : 0;
  }
  bytesPerVoxel += job.mask.data != nullptr && job.mask.space == MemorySpace::Host ? 1 : 0;
  const Volume & output = job.output;
  if (output.data != nullptr && !(isWhole && IsFloatOnDevice(output)))
  {
    const bool isConverted = output.space == MemorySpace::Host && output.type != PixelType::Float;
    bytesPerVoxel += sizeof(float) + (isConverted ? PixelSize(output.type) : 0);
  }
  return bytesPerVoxel * job.grid.VoxelsPerPlane() + job.scratchBytesPerPlane;
}

} // namespace

bool
IsFloatOnDevice(const Volume & volume)
{
  return volume.space == MemorySpace::Device && volume.type == PixelType::Float;
}

std::int64_t
KeptByThinnerSlab(const PlaneJob & job, const SlabRange & slab)
{
  return RoundDown((slab.keepEnd - slab.keepBegin) / 2, job.planeAlignment);
}

std::string
DescribeSlab(const PlaneJob & job, const SlabRange & slab)
{
  const std::int64_t planes = slab.end - slab.begin;
  const std::size_t  bytes = BytesPerPlane(job, planes == job.grid.size[2]) * static_cast<std::size_t>(planes);
  return std::to_string(planes) + " of " + std::to_string(job.grid.size[2]) + " planes, which take " +
         std::to_string(bytes) + " bytes together";
}

std::vector<SlabRange>
DivideIntoSlabs(const GpuContext & gpu, const PlaneJob & job, std::int64_t first, std::int64_t mostKept)
{
  const std::int64_t planes = job.grid.size[2];
  const std::size_t  remaining = gpu.GetBudget().GetRemaining();
  const std::size_t  bytesOfWhole = BytesPerPlane(job, true) * planes;
  const auto &       pool = DeviceMemoryPool::OfDevice(gpu.GetDevice());
  // The driver is asked for its free memory last: that takes longer than the kernels of a small volume.
  const bool fitsSurely =
    bytesOfWhole == 0 || (bytesOfWhole <= remaining && bytesOfWhole + reservedBytes <= pool.CachedBytes());
  if (planes <= mostKept && fitsSurely)
  {
    return { { 0, planes, 0, planes } };
  }
  const std::size_t free = gpu.AvailableBytes();
  const std::size_t usable = free > reservedBytes ? free - reservedBytes : 0;
  const std::size_t available = std::min(usable, remaining);
  if (planes <= mostKept && bytesOfWhole <= available)
  {
    return { { 0, planes, 0, planes } };
  }
  const std::size_t  bytesPerPlane = BytesPerPlane(job, false);
  const std::int64_t halo = RoundUp(job.halo, job.planeAlignment);
  const auto         fitting = static_cast<std::int64_t>(available / std::max<std::size_t>(bytesPerPlane, 1));
  const std::int64_t kept = std::min(RoundDown(fitting - 2 * halo, job.planeAlignment), mostKept);
  if (kept < 1)
  {
    const std::string call = "Division of a volume into slabs";
    const std::size_t needed = bytesPerPlane * std::min(planes, job.planeAlignment + 2 * halo);
    if (remaining < usable)
    {
      const MemoryBudget & budget = gpu.GetBudget();
      throw OutOfMemoryError(call, budget.GetUsed() + needed, budget.GetLimit(), OutOfMemoryError::Bound::Limit);
    }
    throw OutOfMemoryError(call, needed, usable);
  }
  std::vector<SlabRange> slabs;
  for (std::int64_t z = first; z < planes; z += kept)
  {
    const std::int64_t keepEnd = std::min(planes, z + kept);
    slabs.push_back({ std::max<std::int64_t>(0, z - halo), std::min(planes, keepEnd + halo), z, keepEnd });
  }
  return slabs;
}

std::int64_t
PlanesPerChunk(const PlaneJob & job, const Grid & slab, bool anyOnHost)
{
  const auto   planeVoxels = static_cast<double>(slab.VoxelsPerPlane());
  const double byOperations = chunkOperations / (std::max(1.0, job.operationsPerVoxel) * planeVoxels);
  const double planeBytes = sizeof(float) * planeVoxels;
  const double part = planeBytes * static_cast<double>(slab.size[2]) / chunksOfVolume;
  const double byBytes = std::clamp(part, smallestChunk, largestChunk) / planeBytes;
  const double planes = anyOnHost ? std::min(byBytes, byOperations) : byOperations;
  if (planes >= static_cast<double>(slab.size[2]))
  {
    return slab.size[2];
  }
  return std::max(job.planeAlignment, RoundDown(static_cast<std::int64_t>(planes), job.planeAlignment));
}

} // namespace cudaneuro
