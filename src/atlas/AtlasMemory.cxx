// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasMemory.h"

#include "atlas/means/ImageSums.h"
#include "atlas/members/Member.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"
#include "jobs/AvailableMemory.h"
#include "jobs/DeviceJob.h"
#include "registration/step/EnergyShares.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** Memory of allocations and libraries other than volumes, in bytes. */
constexpr std::size_t rest = std::size_t{ 256 } << 20;

/** Up to 1/32 of the free memory may be in pieces too small for a volume. */
constexpr std::size_t partOfPieces = 32;

std::size_t
UsableBytes(std::size_t available, bool isLimit)
{
  return isLimit ? available : available - available / partOfPieces;
}

std::size_t
AvailableBytes(const Device & device, std::size_t limit)
{
  std::size_t bytes = 0;
  if constexpr (builtWithCuda)
  {
    Context context(device);
    context.SetMemoryLimit(limit);
    RunDeviceJob(context, [&] { bytes = gpu::AvailableBytes(context, 1); });
  }
  return bytes;
}

} // namespace

ShareMemory::ShareMemory(const AtlasPlan & plan, std::size_t members)
  : bytesOfVolume(static_cast<std::size_t>(plan.NumberOfVoxels()) * sizeof(float))
{
  const RegistrationParameters & registration = plan.parameters.registration;
  const std::size_t              channels = plan.NumberOfChannels();
  constexpr std::size_t          fields = 9;          // spare map, force and scratch
  const std::size_t              sums = 4 * channels; // includes the templates
  constexpr std::size_t          passing = 12;        // temporary: shape updates, pyramids, exchanges
  // The deformed image, and sums over boxes, of which large volumes need fewer.
  std::size_t ofCorrelation = 0;
  for (std::size_t channel = 0; channel < channels; ++channel)
  {
    const RegistrationMetric metric = DescriptionOfChannel(registration, static_cast<int>(channel)).metric;
    ofCorrelation += metric == RegistrationMetric::LocalCorrelation ? 7 : 0;
  }
  const std::size_t ofTransforms = registration.velocityMethod == VelocityMethod::FourierTransform ? 8 : 0;
  const std::size_t deformed = plan.IsRobust() ? members : std::min<std::size_t>(members, mostAddends);
  ofShare = fields + sums + passing + ofCorrelation + ofTransforms + channels * deformed;
  ofMember = 6 + channels;
}

std::size_t
ShareMemory::Bytes(std::size_t residents, bool offloadsOthers) const
{
  constexpr std::size_t slots = 2;
  const std::size_t     onDevice = residents + (offloadsOthers ? slots : 0);
  return (ofMember * onDevice + ofShare) * bytesOfVolume + rest;
}

std::size_t
ResidentMembers(const AtlasPlan & plan, std::size_t members, std::size_t available, bool isLimit)
{
  const std::size_t usable = UsableBytes(available, isLimit);
  const ShareMemory memory(plan, members);
  if (memory.Bytes(members, false) <= usable)
  {
    return members;
  }
  const std::size_t least = memory.Bytes(0, true);
  if (least > available)
  {
    throw OutOfMemoryError(
      "The atlas", least, available, isLimit ? OutOfMemoryError::Bound::Limit : OutOfMemoryError::Bound::FreeMemory);
  }
  // The memory reserved for pieces may still hold the last volumes, which only an attempt can show.
  return least > usable ? 0 : std::min(members, (usable - least) / (memory.ofMember * memory.bytesOfVolume));
}

std::vector<Device>
ContextsOf(const AtlasPlan & plan, const AtlasDevices & devices)
{
  constexpr std::size_t mostContexts = 4;
  constexpr std::size_t imagesOfContext = 4; // with fewer, contexts wait for each other
  const int             processes = devices.communicator ? devices.communicator->GetSize() : 1;
  const std::size_t     shares = std::max<std::size_t>(1, devices.devices.size() * static_cast<std::size_t>(processes));
  const std::size_t     images = plan.weights.size() / shares;
  std::vector<Device>   contexts;
  for (const Device & device : devices.devices)
  {
    std::size_t count = std::clamp<std::size_t>(images / imagesOfContext, 1, mostContexts);
    if (!device.IsCuda() || std::count(devices.devices.begin(), devices.devices.end(), device) > 1)
    {
      count = 1;
    }
    const std::size_t available = count > 1 ? AvailableBytes(device, devices.maximumDeviceMemory) : 0;
    const std::size_t usable = UsableBytes(available, available == devices.maximumDeviceMemory);
    const auto        fits = [&](std::size_t n) {
      const std::size_t members = (images + n) / n; // rounded up, plus one for uneven shares
      return n * ShareMemory(plan, members).Bytes(members, false) <= usable;
    };
    while (count > 1 && !fits(count))
    {
      --count;
    }
    contexts.insert(contexts.end(), count, device);
  }
  return contexts;
}

} // namespace cudaneuro
