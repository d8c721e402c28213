// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkComputeDevice_h
#define itkComputeDevice_h

#include "CudaNeuroExport.h"
#include "cudaneuro/Device.h"
#include "itkIntTypes.h"

#include <ostream>
#include <string>

namespace itk
{

/** \class ComputeDevice
 * \brief The device on which a filter computes: the CPU, or one CUDA device. It is a small value, copied freely.
 *
 * Devices are named "cpu", "cuda:0", "cuda:1", ... and "auto", which is the first CUDA device, or the CPU where no CUDA
 * device can be used. Functions that ask which devices exist never throw.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuro_EXPORT ComputeDevice
{
public:
  /** The CPU. */
  ComputeDevice() = default;
  explicit ComputeDevice(const cudaneuro::Device & device);

  /** Returns the device of that name. "cuda" is "cuda:0".
   * \throws ExceptionObject for an unknown name or a missing device; the message lists the devices that exist. */
  static ComputeDevice
  FromName(const std::string & name);

  /** Returns the default of all filters: the device named by the environment variable CUDANEURO_DEVICE, or "auto" if it
   * is not set.
   * \throws ExceptionObject when the variable names a device that does not exist. */
  static ComputeDevice
  GetDefault();

  /** Whether a CUDA device can be used: the build has CUDA, and there are a driver and a device. */
  static bool
  IsCudaAvailable() noexcept;

  /** The number of usable CUDA devices. */
  static unsigned int
  GetNumberOfCudaDevices() noexcept;

  /** Names of all usable devices, one a line, each with its description. */
  static std::string
  ListDevices();

  /** Whether it is a CUDA device. */
  bool
  IsCuda() const
  {
    return m_Device.IsCuda();
  }

  /** "cpu" or "cuda:N", a name that FromName accepts. */
  std::string
  GetName() const;

  /** Name of the hardware, its memory and, for a CUDA device, its compute capability. */
  std::string
  GetDescription() const;

  /** Initializes the device, so that the first filter in a process need not wait for it. It may run in a thread of its
   * own while other work is done, such as reading files. Does nothing for the CPU.
   * \throws CudaNeuroException */
  void
  Prepare() const;

  /** Bytes of device memory in total, and free now. 0 for a CPU whose system does not report them. */
  SizeValueType
  GetTotalMemory() const;
  SizeValueType
  GetFreeMemory() const;

  /** Returns unused device memory and page-locked host memory to the system, which are otherwise kept for the next
   * filters. */
  static void
  ReleaseCachedMemory();

  /** The device as an argument for the engine's functions. */
  const cudaneuro::Device &
  GetEngineDevice() const
  {
    return m_Device;
  }

  /** Equality of two devices, and output of the name to a stream. */
  friend bool
  operator==(const ComputeDevice & a, const ComputeDevice & b)
  {
    return a.m_Device == b.m_Device;
  }
  friend bool
  operator!=(const ComputeDevice & a, const ComputeDevice & b)
  {
    return !(a == b);
  }
  friend std::ostream &
  operator<<(std::ostream & os, const ComputeDevice & device)
  {
    return os << device.GetName();
  }

private:
  cudaneuro::Device m_Device;
};

} // namespace itk

#endif
