// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceVolumes_h
#define cudaneuro_jobs_DeviceVolumes_h

#include "cudaneuro/Context.h"

/** A caller's whole volumes as operations take them: float (masks: unsigned char), in the memory of the context's
 * device. On a CUDA context these are used inside RunDeviceJob. All report progress. */
namespace cudaneuro
{

class DeviceInput;
class DeviceOutput;

/** Where memory of the context's device is. */
inline MemorySpace
MemorySpaceOf(const Context & context)
{
  return context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
}

/** The planes of a volume, which may be absent, from one on. */
ConstVolume
PlanesFrom(const ConstVolume & volume, const Grid & grid, std::int64_t first);
Volume
PlanesFrom(const Volume & volume, const Grid & grid, std::int64_t first);

/** A volume that is read, in the type that is read. Where it has that type on the device, it is used where it is.
 *
 * On a CUDA device the constructor only starts the upload, and Data() makes the compute stream wait for it: inputs that
 * are constructed together travel together, while the device does what was enqueued before. */
class VolumeInput
{
public:
  /** \param type float, or the volume's own type.
   * \throws OutOfMemoryError, Aborted */
  VolumeInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type);

protected:
  /** What the operation reads, for work that is enqueued on the compute stream; null where the volume is absent.
   * \throws Error when the upload failed. */
  const void *
  GetData() const;

private:
  /** Null where nothing is to be uploaded or converted on a CUDA device. */
  std::shared_ptr<DeviceInput> m_Transfer;
  /** The copy of the CPU. */
  DeviceMemory m_Memory;
  const void * m_Data;
};

/** A volume that is read as float. */
class FloatInput : public VolumeInput
{
public:
  FloatInput(Context & context, const Grid & grid, const ConstVolume & volume)
    : VolumeInput(context, grid, volume, PixelType::Float)
  {}

  const float *
  Data() const
  {
    return static_cast<const float *>(this->GetData());
  }
};

/** A mask that is read; it may be absent. */
class MaskInput : public VolumeInput
{
public:
  MaskInput(Context & context, const Grid & grid, const ConstVolume & mask)
    : VolumeInput(context, grid, mask, PixelType::UnsignedChar)
  {}

  const unsigned char *
  Data() const
  {
    return static_cast<const unsigned char *>(this->GetData());
  }
};

/** A volume of labels that is read in its own type. */
class LabelInput : public VolumeInput
{
public:
  LabelInput(Context & context, const Grid & grid, const ConstVolume & labels)
    : VolumeInput(context, grid, labels, labels.type)
  {}

  const void *
  Data() const
  {
    return this->GetData();
  }
};

/** A volume that is written as float; it may be absent. Float on the device is written where it is, unless it is also
 * \p input. */
class FloatOutput
{
public:
  /** \throws OutOfMemoryError */
  FloatOutput(Context & context, const Grid & grid, const Volume & volume, const void * input = nullptr);

  /** Where the operation writes; null where the volume is absent. */
  float *
  Data() const
  {
    return m_Data;
  }

  /** Takes to the volume what was written.
   * \throws Error, Aborted */
  void
  Finish();

private:
  Context &    m_Context;
  std::int64_t m_NumberOfVoxels;
  Volume       m_Volume;
  /** Null where the volume is written in place, or by the CPU. */
  std::shared_ptr<DeviceOutput> m_Transfer;
  /** The copy of the CPU. */
  DeviceMemory m_Memory;
  float *      m_Data;
};

namespace gpu
{

/** Copies a volume where at least one side is on the device. */
void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to);

/** Starts the transfer of a volume to the device. */
std::shared_ptr<DeviceInput>
StartInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type);

/** Makes the compute stream wait for the transfer.
 * \returns what kernels read */
const void *
FinishInput(DeviceInput & input);

/** Allocates a result on the device, and sets \p data to it. */
std::shared_ptr<DeviceOutput>
MakeOutput(Context & context, const Grid & grid, const Volume & volume, float *& data);

/** Takes the result to the volume. */
void
FinishOutput(DeviceOutput & output);

} // namespace gpu
} // namespace cudaneuro

#endif
