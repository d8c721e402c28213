// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/noise/NoiseValues.h"

#include "core/ApproximateMath.h"
#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "images/ReferenceIntensityLattice.h"

#include <string>
#include <vector>

namespace cudaneuro
{
namespace
{

NoiseValues
LookAtHostNoise(Context & context, std::int64_t numberOfVoxels, const ConstVolume & noise, const unsigned char * mask)
{
  constexpr std::int64_t   blockSize = std::int64_t{ 1 } << 18;
  const std::int64_t       numberOfBlocks = DivideUp(numberOfVoxels, blockSize);
  std::vector<NoiseValues> blocks(numberOfBlocks);
  context.ParallelFor(numberOfBlocks, [&](std::int64_t block) {
    NoiseValues        values;
    const std::int64_t end = std::min(numberOfVoxels, (block + 1) * blockSize);
    for (std::int64_t voxel = block * blockSize; voxel < end; ++voxel)
    {
      if (mask != nullptr && mask[voxel] == 0)
      {
        continue;
      }
      const float value = ReadPixel(noise.data, noise.type, voxel);
      if (!IsFinite(value) || value < 0.0f)
      {
        values.firstBad = std::min(values.firstBad, voxel);
        continue;
      }
      values.largest = std::max(values.largest, value);
      values.smallest = value > 0.0f ? std::min(values.smallest, value) : values.smallest;
      values.zeros += value == 0.0f ? 1 : 0;
    }
    blocks[block] = values;
  });
  NoiseValues all;
  for (const NoiseValues & values : blocks)
  {
    all.Include(values);
  }
  return all;
}

NoiseValues
LookAtNoise(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask)
{
  if constexpr (builtWithCuda)
  {
    if (noise.space == MemorySpace::Device || (mask.data != nullptr && mask.space == MemorySpace::Device))
    {
      return gpu::LookAtNoise(context, grid, noise, mask);
    }
  }
  return LookAtHostNoise(context, grid.NumberOfVoxels(), noise, static_cast<const unsigned char *>(mask.data));
}

/** Returns the value of one voxel of a volume in any memory space. */
float
ValueAt(Context & context, const ConstVolume & volume, std::int64_t voxel)
{
  const auto * const pixel = static_cast<const char *>(volume.data) + voxel * PixelSize(volume.type);
  return ReadLattice(context, { pixel, volume.type, volume.space }, MakeLattice(Grid{ { 1, 1, 1 } }, 1)).front();
}

} // namespace

NoiseValues
RequireNoiseMap(Context & context, const Grid & grid, const ConstVolume & noise, const ConstVolume & mask)
{
  RequireVolume("NoiseMap", context, noise);
  const Context::ProgressPause pause(context);
  NoiseValues                  values = LookAtNoise(context, grid, noise, mask);
  if (values.firstBad < grid.NumberOfVoxels())
  {
    const std::int64_t row = values.firstBad / grid.size[0];
    const std::string  voxel = std::to_string(values.firstBad % grid.size[0]) + ", " +
                              std::to_string(row % grid.size[1]) + ", " + std::to_string(row / grid.size[1]);
    ThrowInvalid(
      "NoiseMap at voxel (" + voxel + ")", ValueAt(context, noise, values.firstBad), "finite, and 0 or above");
  }
  if (!(values.largest > 0.0f))
  {
    if (values.zeros > 0)
    {
      ThrowInvalid(
        "NoiseMap", mask.data == nullptr ? "0 at all voxels" : "0 at all voxels of the mask", "above 0 at some");
    }
    // The mask has no voxel, so the noise is irrelevant.
    values.largest = 1.0f;
    values.smallest = 1.0f;
  }
  return values;
}

ConstVolume
NoiseThatVaries(const ConstVolume & noise, const NoiseValues & values)
{
  const bool isOneValue = values.zeros == 0 && values.smallest == values.largest;
  return isOneValue ? ConstVolume() : noise;
}

double
WhereNoiseIsLargest(const char * name, double factor, const NoiseValues & values)
{
  const double largest = factor * double{ values.largest };
  RequireInRange(name, largest, intensityScaleRange);
  return largest;
}

MaskOfKnownNoise::MaskOfKnownNoise(const Grid & grid, const ConstVolume & mask, const float * noise)
  : m_Mask(static_cast<const unsigned char *>(mask.data))
{
  if (noise == nullptr)
  {
    return;
  }
  m_Known.resize(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < m_Known.size(); ++i)
  {
    m_Known[i] = noise[i] > 0.0f && (m_Mask == nullptr || m_Mask[i] != 0) ? 1 : 0;
  }
}

} // namespace cudaneuro
