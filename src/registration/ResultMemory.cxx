// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "registration/RegistrationRun.h"

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{

namespace
{

/** Addresses [begin, end) of a caller's memory. */
struct Bytes
{
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

Bytes
BytesOf(const void * data, PixelType type, std::int64_t values)
{
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  return { begin, data != nullptr ? begin + PixelSize(type) * static_cast<std::uintptr_t>(values) : begin };
}

bool
Overlap(const Bytes & a, const Bytes & b)
{
  return a.begin < b.end && b.begin < a.end;
}

/** The memory of all inputs, which are read at any time. */
std::vector<Bytes>
BytesOfInputs(const RegistrationImages & images)
{
  const std::int64_t fixed = images.fixedGeometry.grid.NumberOfVoxels();
  const auto         ofField = [fixed](const ConstField & field) {
    return BytesOf(field.data, PixelType::Float, fixed * field.components);
  };
  std::vector<Bytes> inputs{ ofField(images.transformField), ofField(images.initialField) };
  const auto         add = [&inputs](const ConstVolume & volume, std::int64_t voxels) {
    inputs.push_back(BytesOf(volume.data, volume.type, voxels));
  };
  const auto addPair = [&add](const auto & pair) {
    const std::int64_t ofFixed = pair.fixedGeometry.grid.NumberOfVoxels();
    const std::int64_t ofMoving = pair.movingGeometry.grid.NumberOfVoxels();
    add(pair.fixedImage, ofFixed);
    add(pair.fixedMask, ofFixed);
    add(pair.movingImage, ofMoving);
    add(pair.movingMask, ofMoving);
  };
  addPair(images);
  for (const ChannelImages & channel : images.furtherChannels)
  {
    addPair(channel);
  }
  add(images.labels.fixed, images.labels.fixedGeometry.grid.NumberOfVoxels());
  add(images.labels.moving, images.labels.movingGeometry.grid.NumberOfVoxels());
  return inputs;
}

/** The memory of the results that are in memory of the context's device. */
std::vector<Bytes>
BytesOfResults(const RegistrationRun & run)
{
  const MemorySpace  space = MemorySpaceOf(run.context);
  const std::int64_t voxels = run.NumberOfVoxels();
  std::vector<Bytes> results;
  for (const Field & field : { run.outputs.displacement, run.outputs.inverse })
  {
    if (field.space == space)
    {
      results.push_back(BytesOf(field.data, PixelType::Float, voxels * field.components));
    }
  }
  for (const Volume & volume : { run.outputs.warped, run.outputs.jacobian })
  {
    if (volume.space == space)
    {
      results.push_back(BytesOf(volume.data, volume.type, voxels));
    }
  }
  return results;
}

} // namespace

std::vector<float *>
LendResults(const RegistrationRun & run)
{
  constexpr std::uintptr_t alignment = 256; // that of context memory, which kernels read in quads
  const auto               bytes = static_cast<std::uintptr_t>(run.NumberOfVoxels()) * sizeof(float);
  std::vector<Bytes>       taken = BytesOfInputs(run.images);
  std::vector<float *>     borrowed;
  for (const Bytes & result : BytesOfResults(run))
  {
    const bool isFree =
      std::none_of(taken.begin(), taken.end(), [&](const Bytes & other) { return Overlap(result, other); });
    std::uintptr_t volume = RoundUp(result.begin, alignment);
    for (; isFree && volume + bytes <= result.end; volume = RoundUp(volume + bytes, alignment))
    {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address inside the result.
      borrowed.push_back(reinterpret_cast<float *>(volume));
    }
    taken.push_back(result);
  }
  return borrowed;
}

} // namespace cudaneuro
