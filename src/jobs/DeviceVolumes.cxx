// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{
namespace
{

MemorySpace
SpaceOf(const Context & context)
{
  return context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
}

bool
IsUsable(const Context & context, PixelType type, MemorySpace space, PixelType wanted)
{
  return type == wanted && space == SpaceOf(context);
}

/** A copy of a volume on the device. */
DeviceMemory
CopyToDevice(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type)
{
  DeviceMemory memory = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(type));
  CopyVolume(context, grid, volume, { memory.Data(), type, SpaceOf(context) });
  return memory;
}

} // namespace

FloatInput::FloatInput(Context & context, const Grid & grid, const ConstVolume & volume)
  : m_Data(static_cast<const float *>(volume.data))
{
  if (!IsUsable(context, volume.type, volume.space, PixelType::Float))
  {
    m_Memory = CopyToDevice(context, grid, volume, PixelType::Float);
    m_Data = static_cast<const float *>(m_Memory.Data());
  }
}

MaskInput::MaskInput(Context & context, const Grid & grid, const ConstVolume & mask)
  : m_Data(static_cast<const unsigned char *>(mask.data))
{
  if (mask.data && !IsUsable(context, mask.type, mask.space, PixelType::UnsignedChar))
  {
    m_Memory = CopyToDevice(context, grid, mask, PixelType::UnsignedChar);
    m_Data = static_cast<const unsigned char *>(m_Memory.Data());
  }
}

FloatOutput::FloatOutput(Context & context, const Grid & grid, const Volume & volume, const void * input)
  : m_Context(context)
  , m_Grid(grid)
  , m_Volume(volume)
  , m_Data(static_cast<float *>(volume.data))
{
  if (volume.data && (volume.data == input || !IsUsable(context, volume.type, volume.space, PixelType::Float)))
  {
    m_Memory = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
    m_Data = static_cast<float *>(m_Memory.Data());
  }
}

void
FloatOutput::Finish()
{
  if (m_Memory.Data())
  {
    CopyVolume(m_Context, m_Grid, { m_Data, PixelType::Float, SpaceOf(m_Context) }, m_Volume);
  }
}

} // namespace cudaneuro
