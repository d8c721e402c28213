// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceVolumes_h
#define cudaneuro_jobs_DeviceVolumes_h

#include "cudaneuro/Context.h"

/** Whole volumes of callers in the form that operations need: float (masks: unsigned char), in memory of the context's
 * device. On a CUDA context they are used inside RunDeviceJob. All report progress. */
namespace cudaneuro
{

class DeviceInput;
class DeviceOutput;

/** Returns the memory space of the context's device. */
inline MemorySpace
MemorySpaceOf(const Context & context)
{
  return context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
}

/** Both return the planes from \p first on of a volume, which may be absent. */
ConstVolume
PlanesFrom(const ConstVolume & volume, const Grid & grid, std::int64_t first);
Volume
PlanesFrom(const Volume & volume, const Grid & grid, std::int64_t first);

/** An input volume in the type that is read. If it has that type on the device already, it is used in place.
 *
 * On a CUDA device the constructor only starts the upload, and Data() makes the compute stream wait for it: inputs that
 * are constructed in sequence are uploaded together, while the device does work that was enqueued earlier. */
class VolumeInput
{
public:
  /** \param type the type that is read: float, or the volume's own type.
   * \throws OutOfMemoryError, Aborted */
  VolumeInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type);

protected:
  /** Returns the data for work that is enqueued on the compute stream; null if the volume is absent.
   * \throws Error if the upload failed. */
  const void *
  GetData() const;

private:
  /** Null if nothing needs to be uploaded or converted on a CUDA device. */
  std::shared_ptr<DeviceInput> m_Transfer;
  /** The converted copy on the CPU. */
  DeviceMemory m_Memory;
  const void * m_Data;
};

/** An input volume that is read as float. */
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

/** A mask that is read as unsigned char; it may be absent. */
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

/** An output volume that is written as float; it may be absent. A float volume on the device is written in place,
 * unless it is also \p input. */
class FloatOutput
{
public:
  /** \throws OutOfMemoryError */
  FloatOutput(Context & context, const Grid & grid, const Volume & volume, const void * input = nullptr);

  /** Returns where the operation writes; null if the volume is absent. */
  float *
  Data() const
  {
    return m_Data;
  }

  /** Copies the result to the volume, unless it was written in place.
   * \throws Error, Aborted */
  void
  Finish();

private:
  Context &    m_Context;
  std::int64_t m_NumberOfVoxels;
  Volume       m_Volume;
  /** Null if the volume is written in place, or by the CPU. */
  std::shared_ptr<DeviceOutput> m_Transfer;
  /** The float copy on the CPU. */
  DeviceMemory m_Memory;
  float *      m_Data;
};

namespace gpu
{

/** Copies a volume if at least one of both sides is on the device. */
void
CopyVolume(Context & context, const Grid & grid, const ConstVolume & from, const Volume & to);

/** Starts the transfer of a volume to the device. */
std::shared_ptr<DeviceInput>
StartInput(Context & context, const Grid & grid, const ConstVolume & volume, PixelType type);

/** Makes the compute stream wait for the transfer.
 * \returns the data that kernels read */
const void *
FinishInput(DeviceInput & input);

/** Allocates a result on the device, and sets \p data to it. */
std::shared_ptr<DeviceOutput>
MakeOutput(Context & context, const Grid & grid, const Volume & volume, float *& data);

/** Delivers the result to the volume. */
void
FinishOutput(DeviceOutput & output);

} // namespace gpu
} // namespace cudaneuro

#endif
