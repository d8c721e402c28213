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
 * \brief Where a filter computes: the CPU, or one CUDA device. A value, to be copied freely.
 *
 * Devices are named "cpu", "cuda:0", "cuda:1", ... and "auto", which is the first CUDA device, or the CPU where no CUDA
 * device can be used. Questions about what there is never throw.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuro_EXPORT ComputeDevice
{
public:
  /** The CPU. */
  ComputeDevice() = default;
  explicit ComputeDevice(const cudaneuro::Device & device);

  /** The device of that name. "cuda" is "cuda:0".
   * \throws ExceptionObject for an unknown name or a device that is not there; the message lists what there is. */
  static ComputeDevice
  FromName(const std::string & name);

  /** What filters use unless told otherwise: the device named by the environment variable CUDANEURO_DEVICE, "auto" if
   * it is not set.
   * \throws ExceptionObject when the variable names no device that is there. */
  static ComputeDevice
  GetDefault();

  /** Whether a CUDA device can be used: the build has CUDA, and there are a driver and a device. */
  static bool
  IsCudaAvailable() noexcept;

  /** Number of CUDA devices that can be used. */
  static unsigned int
  GetNumberOfCudaDevices() noexcept;

  /** Names of all devices that can be used, one a line, each with its description. */
  static std::string
  ListDevices();

  /** Whether it is a CUDA device. */
  bool
  IsCuda() const
  {
    return m_Device.IsCuda();
  }

  /** "cpu" or "cuda:N"; FromName takes it back. */
  std::string
  GetName() const;

  /** Name of the hardware, its memory and, of a CUDA device, its compute capability. */
  std::string
  GetDescription() const;

  /** Starts the device: what its first use in a process waits for is done when this returns. May run in a thread of its
   * own while something else is done, such as reading files. Does nothing for the CPU.
   * \throws CudaNeuroException */
  void
  Prepare() const;

  /** Bytes of device memory in all, and free now. 0 for a CPU whose system does not tell. */
  SizeValueType
  GetTotalMemory() const;
  SizeValueType
  GetFreeMemory() const;

  /** Device memory and page-locked host memory that filters have used is kept for the next ones. This returns what is
   * unused now to the system. */
  static void
  ReleaseCachedMemory();

  /** The device as the functions of the engine take it. */
  const cudaneuro::Device &
  GetEngineDevice() const
  {
    return m_Device;
  }

  /** Whether both are the same device, or not; and the name in a stream. */
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
