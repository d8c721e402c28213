// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceVolumes.h"

#include "core/Dispatch.h"
#include "jobs/ConvertCpu.h"


namespace cudaneuro
{
namespace
{

/** Returns the number of bytes of the planes before plane \p plane. */
std::size_t
BytesBefore(const Grid & grid, PixelType type, std::int64_t plane)
{
  return static_cast<std::size_t>(plane * grid.VoxelsPerPlane()) * PixelSize(type);
}

} // namespace

ConstVolume
PlanesFrom(const ConstVolume & volume, const Grid & grid, std::int64_t first)
{
  const auto * const begin = static_cast<const char *>(volume.data);
  return { begin ? begin + BytesBefore(grid, volume.type, first) : nullptr, volume.type, volume.space };
}

Volume
PlanesFrom(const Volume & volume, const Grid & grid, std::int64_t first)
{
  return { static_cast<char *>(volume.data) + BytesBefore(grid, volume.type, first), volume.type, volume.space };
}
namespace
{

/** Returns whether an operation on the context's device can use a volume of this type and memory space in place. */
bool
IsUsable(const Context & context, PixelType type, MemorySpace space, PixelType wanted)
{
  return type == wanted && space == MemorySpaceOf(context);
}

} // namespace

void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to)
{
  if constexpr (builtWithCuda)
  {
    if (from.space == MemorySpace::Device || to.space == MemorySpace::Device)
    {
      gpu::CopyVolume(context, grid, from, to);
      return;
    }
  }
  cpu::Convert(context, grid.NumberOfVoxels(), from.data, from.type, to.data, to.type);
}

VolumeInput::VolumeInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type)
  : m_Data(volume.data)
{
  if (!volume.data || IsUsable(context, volume.type, volume.space, type))
  {
    return;
  }
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      m_Transfer = gpu::StartInput(context, grid, volume, type);
      context.ReportProgress(1.0);
      return;
    }
  }
  const std::int64_t count = grid.NumberOfVoxels();
  m_Memory = context.Allocate(static_cast<std::size_t>(count) * PixelSize(type));
  m_Data = m_Memory.Data();
  cpu::Convert(context, count, volume.data, volume.type, m_Memory.Data(), type);
}

const void *
VolumeInput::GetData() const
{
  if constexpr (builtWithCuda)
  {
    if (m_Transfer)
    {
      return gpu::FinishInput(*m_Transfer);
    }
  }
  return m_Data;
}

FloatOutput::FloatOutput(Context & context, const Grid & grid, const Volume & volume, const void * input)
  : m_Context(context)
  , m_NumberOfVoxels(grid.NumberOfVoxels())
  , m_Volume(volume)
  , m_Data(static_cast<float *>(volume.data))
{
  if (!volume.data || (volume.data != input && IsUsable(context, volume.type, volume.space, PixelType::Float)))
  {
    return;
  }
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      m_Transfer = gpu::MakeOutput(context, grid, volume, m_Data);
      return;
    }
  }
  m_Memory = context.Allocate(static_cast<std::size_t>(m_NumberOfVoxels) * sizeof(float));
  m_Data = static_cast<float *>(m_Memory.Data());
}

void
FloatOutput::Finish()
{
  if constexpr (builtWithCuda)
  {
    if (m_Transfer)
    {
      gpu::FinishOutput(*m_Transfer);
      m_Context.ReportProgress(1.0);
    }
  }
  if (m_Memory.Data())
  {
    cpu::Convert(m_Context, m_NumberOfVoxels, m_Data, PixelType::Float, m_Volume.data, m_Volume.type);
  }
}

} // namespace cudaneuro
