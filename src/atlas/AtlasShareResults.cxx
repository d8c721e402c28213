// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasShare.h"

#include "atlas/SourceImage.h"
#include "fields/FieldVolumes.h"
#include "fields/Jacobian.h"
#include "fields/warp/Warp.h"
#include "jobs/DeviceVolumes.h"
#include "registration/MapRepair.h"
#include "registration/labels/PrepareLabels.h"

#include <cstring>
#include <limits>

/** The results of a share in the images' intensities and in mm, and the state for checkpoints. */
namespace cudaneuro
{

void
AtlasShare::WriteInitialMean(std::size_t channel, const Volume & output)
{
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  SumOfVolumes       sum;
  sum.extent = ExtentOf(m_Plan.geometry.grid);
  sum.box = VoxelBox::Whole(sum.extent);
  const DeviceMemory sums = m_Context.Allocate(SumValues(sum.box) * sizeof(std::int64_t));
  sum.sums = static_cast<std::int64_t *>(sums.Data());
  sum.sumsOfWeights = WeightsBehind(sum.sums, sum.box);
  TemplateSum adder(m_Context, m_Plan, channel, *m_MeanClock, sum);
  const Kept  all(*this, nullptr); // the adder refers to their volumes
  for (const Member & member : m_Members)
  {
    const DeviceMemory full = this->FullOf(member.channels[channel]);
    adder.Add(member.image, Floats(full));
    if (member.isOffloaded)
    {
      adder.Finish(); // before its volume is freed
    }
  }
  adder.Finish();
  m_Group.Sum(m_Device, sum.sums, SumValues(sum.box));
  const DeviceMemory volume = AllocateFloats(m_Context, voxels);
  MeanOfSums         mean;
  mean.extent = sum.extent;
  mean.box = sum.box;
  mean.sums = sum.sums;
  mean.sumsOfWeights = sum.sumsOfWeights;
  mean.inverseScale = 1.0 / m_Plan.scales[channel].sumScale;
  mean.mean = Floats(volume);
  DivideSums(m_Context, mean);
  if (output.data != nullptr)
  {
    this->ToIntensities(channel, voxels, Floats(volume));
    CopyVolume(m_Context, m_Plan.geometry.grid, { volume.Data(), PixelType::Float, MemorySpaceOf(m_Context) }, output);
  }
}

void
AtlasShare::WriteTemplate(std::size_t channel, const Volume & output)
{
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  const DeviceMemory volume = AllocateFloats(m_Context, voxels);
  const MemorySpace  space = MemorySpaceOf(m_Context);
  CopyVolume(m_Context,
             m_Plan.geometry.grid,
             { m_Templates[channel].Data(), PixelType::Float, space },
             { volume.Data(), PixelType::Float, space });
  this->ToIntensities(channel, voxels, Floats(volume));
  CopyVolume(m_Context, m_Plan.geometry.grid, { volume.Data(), PixelType::Float, space }, output);
}

AtlasImageResult
AtlasShare::WriteImage(Member & member, const AtlasImageOutputs & outputs, const AtlasImage * source)
{
  RequireAtlasImageOutputs(m_Context, m_Plan, outputs);
  const Kept         kept(*this, &member);
  const Geometry &   geometry = m_Plan.geometry;
  const Extent       extent = ExtentOf(geometry.grid);
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  SoAFieldMemory     offloaded;
  const SoAField     map = this->FullMapOf(member, offloaded);
  AtlasImageResult   result;
  result.isDamped = member.isDamped;
  result.numberOfOutliers = member.numberOfOutliers;
  if (outputs.displacement.data != nullptr)
  {
    WriteField(m_Context, geometry, map, outputs.displacement);
  }
  if (outputs.inverse.data != nullptr)
  {
    const SoAFieldMemory inverse(m_Context, voxels);
    result.inversion = InvertMap(m_Context, m_Plan.parameters.registration.inversion, extent, map, inverse.View());
    WriteField(m_Context, geometry, inverse.View(), outputs.inverse);
  }
  {
    FloatOutput jacobian(m_Context, geometry.grid, outputs.jacobian);
    result.jacobian = JacobianDeterminant(m_Context, extent, map, jacobian.Data());
    jacobian.Finish();
  }
  if (source != nullptr)
  {
    RequireAtlasImage(m_Context, m_Plan, *source);
  }
  this->WriteDeformed(member, 0, map, source, outputs.deformed);
  for (std::size_t further = 0; further < outputs.deformedChannels.size(); ++further)
  {
    this->WriteDeformed(member, further + 1, map, source, outputs.deformedChannels[further]);
  }
  return result;
}

void
AtlasShare::WriteDeformed(
  const Member & member, std::size_t channel, const SoAField & map, const AtlasImage * source, const Volume & output)
{
  if (output.data == nullptr)
  {
    return;
  }
  const std::int64_t voxels = m_Plan.NumberOfVoxels();
  const DeviceMemory deformed = AllocateFloats(m_Context, voxels);
  const AtlasImage   ofChannel = source != nullptr ? ChannelOf(*source, channel) : AtlasImage();
  if (source == nullptr || !NeedsResampling(m_Plan, ofChannel))
  {
    this->DeformResampled(member.channels[channel], map, Floats(deformed));
    this->ToIntensities(channel, voxels, Floats(deformed));
  }
  else
  {
    SourceImage(m_Context, m_Plan, ofChannel).Sample(map, Floats(deformed));
    this->FillGaps(voxels, Floats(deformed));
  }
  CopyVolume(m_Context, m_Plan.geometry.grid, { deformed.Data(), PixelType::Float, MemorySpaceOf(m_Context) }, output);
}

SoAField
AtlasShare::FullMapOf(const Member & member, SoAFieldMemory & memory)
{
  this->FinishSlots();
  if (!member.isOffloaded)
  {
    return member.map.View();
  }
  memory = SoAFieldMemory(m_Context, m_Plan.NumberOfVoxels());
  CopyToDevice(m_Context, m_Plan.NumberOfVoxels(), member.offloadedMap.get(), memory.View());
  return memory.View();
}

void
AtlasShare::TakeLabels(Member & member, const AtlasLabels & labels)
{
  RequireAtlasLabels(m_Context, m_Plan, labels);
  const Kept          kept(*this, &member);
  const std::string   name = "labels '" + labels.name + "'";
  const LabelInput    input(m_Context, labels.geometry.grid, labels.labels);
  SoAFieldMemory      offloaded;
  const SoAField      map = this->FullMapOf(member, offloaded);
  const SourceMapping mapping(
    m_Context, m_Plan.geometry, name, labels.geometry, labels.transform, labels.transformField, map);
  const DeviceMemory codes = TakeLabelsToGrid(
    m_Context, { name, labels.geometry, labels.labels.type, input.Data() }, m_Plan.geometry.grid, mapping.Get());
  auto onHost = std::make_shared<std::vector<std::uint16_t>>(static_cast<std::size_t>(m_Plan.NumberOfVoxels()));
  CopyToHost(m_Context, codes.Data(), onHost->data(), onHost->size() * sizeof(std::uint16_t));
  member.labels = std::move(onHost);
}

void
AtlasShare::DeformResampled(const MemberChannel & channel, const SoAField & map, float * output)
{
  const Extent       extent = ExtentOf(m_Plan.geometry.grid);
  const DeviceMemory full = this->FullOf(channel);
  IndexMapping       mapping;
  mapping.field = map;
  constexpr float noValue = std::numeric_limits<float>::quiet_NaN();
  WarpVolume(m_Context, { extent, Floats(full), nullptr, extent, mapping, Interpolation::Linear, noValue, output });
}

void
AtlasShare::ReadFields(Member & member, float * map, float * velocity)
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  this->FinishSlots();
  if (member.isOffloaded)
  {
    std::memcpy(map, member.offloadedMap.get(), 3 * BytesOf(voxels));
    std::memcpy(velocity, member.offloadedVelocity.get(), 3 * BytesOf(voxels));
    return;
  }
  CopyToHost(m_Context, voxels, member.map.View(), map);
  CopyToHost(m_Context, voxels, member.velocity.View(), velocity);
}

void
AtlasShare::WriteFields(Member & member, const float * map, const float * velocity)
{
  const std::int64_t voxels = this->NumberOfLevelVoxels();
  this->FinishSlots();
  if (member.isOffloaded)
  {
    std::memcpy(member.offloadedMap.get(), map, 3 * BytesOf(voxels));
    std::memcpy(member.offloadedVelocity.get(), velocity, 3 * BytesOf(voxels));
    return;
  }
  CopyToDevice(m_Context, voxels, map, member.map.View());
  CopyToDevice(m_Context, voxels, velocity, member.velocity.View());
}

void
AtlasShare::ReadFull(Member & member, std::size_t channel, float * image)
{
  const std::size_t bytes = BytesOf(m_Plan.NumberOfVoxels());
  if (member.isOffloaded)
  {
    std::memcpy(image, member.channels[channel].offloadedFull.get(), bytes);
    return;
  }
  CopyToHost(m_Context, member.channels[channel].full.Data(), image, bytes);
}

} // namespace cudaneuro
