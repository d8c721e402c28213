// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "cudaneuro/ImageOperations.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceVolumes.h"

#include <cmath>

/** The intensities of a share's images and templates. */
namespace cudaneuro
{

namespace
{

IntensityMap
Standardization(const ChannelScale & scale)
{
  return { { scale.offset, scale.offset + scale.scale }, { 0.0f, 1.0f } };
}

} // namespace

void
AtlasShare::Standardize()
{
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  m_Places = ChannelPlaces(m_Plan.parameters.registration, m_Plan.channelOrder);
  for (Member & member : m_Members)
  {
    const Kept kept(*this, &member);
    for (std::size_t channel = 0; channel < member.channels.size(); ++channel)
    {
      const DeviceMemory full = this->FullOf(member.channels[channel]);
      MapIntensities(m_Context, voxels, Standardization(m_Plan.scales[channel]), nullptr, Floats(full));
      if (member.isOffloaded)
      {
        CopyToHost(m_Context, full.Data(), member.channels[channel].offloadedFull.get(), BytesOf(voxels));
      }
    }
  }
  if (m_InitialTemplate.Data())
  {
    MapIntensities(m_Context, voxels, Standardization(m_Plan.scales[0]), nullptr, Floats(m_InitialTemplate));
  }
}

void
AtlasShare::ToIntensities(std::size_t channel, std::int64_t voxels, float * volume)
{
  const IntensityMap map = Standardization(m_Plan.scales[channel]);
  MapIntensities(m_Context, voxels, { map.to, map.from }, nullptr, volume);
  this->FillGaps(voxels, volume);
}

void
AtlasShare::FillGaps(std::int64_t voxels, float * volume)
{
  const DeviceMemory weights = AllocateFloats(m_Context, voxels);
  SplitWeights(m_Context, voxels, volume, Floats(weights));
}

void
AtlasShare::Sharpen(float * image)
{
  const auto amount = static_cast<float>(m_Plan.parameters.sharpening);
  if (amount == 0.0f)
  {
    return;
  }
  const std::int64_t    voxels = this->NumberOfLevelVoxels();
  const Extent          extent = this->GetExtent();
  const SoAField        scratch = m_Scratch.View();
  std::array<double, 3> sigma{ 1.0, 1.0, extent.z > 1 ? 1.0 : 0.0 };
  const MemorySpace     space = MemorySpaceOf(m_Context);
  CopyVolume(
    m_Context, m_LevelGeometry.grid, { image, PixelType::Float, space }, { scratch.x, PixelType::Float, space });
  SplitWeights(m_Context, voxels, scratch.x, scratch.y);
  for (float * const volume : { scratch.x, scratch.y })
  {
    SmoothVolume(m_Context, sigma, { extent, Boundary::Repeat, volume, scratch.z, volume });
  }
  JoinWeights(m_Context, voxels, scratch.y, 0.5f, scratch.x);
  SharpenImage(m_Context, voxels, amount, scratch.x, image);
}

double
AtlasShare::MeasureEntropy()
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  const DeviceMemory memory = m_Context.Allocate(static_cast<std::size_t>(voxels));
  auto * const       mask = static_cast<unsigned char *>(memory.Data());
  const float *      image = Floats(m_Templates[0]);
  MarkOverlap(m_Context, voxels, image, image, mask);
  const ImageStatistics statistics = VolumeStatistics(m_Context, voxels, image, mask);
  if (!(statistics.maximum > statistics.minimum))
  {
    return 0.0;
  }
  constexpr int bins = 256;
  const auto    counts = Histogram(m_Context, voxels, image, mask, { statistics.minimum, statistics.maximum, bins });
  double        entropy = 0.0;
  for (const std::int64_t count : counts)
  {
    const double share = static_cast<double>(count) / static_cast<double>(statistics.count);
    entropy -= count > 0 ? share * std::log2(share) : 0.0;
  }
  return entropy;
}

} // namespace cudaneuro
