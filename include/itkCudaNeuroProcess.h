// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroProcess_h
#define itkCudaNeuroProcess_h

#include "cudaneuro/Context.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroMacros.h"
#include "itkMultiThreaderBase.h"
#include "itkProcessObject.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace itk
{

/** \class CudaNeuroProcess
 * \brief Base of this module's process objects that take no image, and of its metric: a device, its memory,
 * and statistics.
 *
 * CudaNeuroImageFilter has the same functions. A metric is updated by its Initialize; it reports no
 * progress.
 *
 * An object serves one thread at a time; different objects may run in different threads.
 *
 * \tparam TSuperclass a process object, or a metric of images.
 *
 * \ingroup CudaNeuro
 */
template <typename TSuperclass = ProcessObject>
class ITK_TEMPLATE_EXPORT CudaNeuroProcess : public TSuperclass
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNeuroProcess);

  using Self = CudaNeuroProcess;
  using Superclass = TSuperclass;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(CudaNeuroProcess);

  /** The device to compute on. By default, the device whose memory the inputs are in, else
   * ComputeDevice::GetDefault(). */
  void
  SetComputeDevice(const ComputeDevice & device)
  {
    if (!m_IsComputeDeviceSet || device != m_ComputeDevice)
    {
      m_IsComputeDeviceSet = true;
      m_ComputeDevice = device;
      this->Modified();
    }
  }
  /** Sets the device by its name, see ComputeDevice::FromName. */
  void
  SetComputeDevice(const std::string & name)
  {
    this->SetComputeDevice(ComputeDevice::FromName(name));
  }
  /** \throws ExceptionObject when none was set and the environment variable CUDANEURO_DEVICE names a device that does
   * not exist. */
  ComputeDevice
  GetComputeDevice() const
  {
    if (m_IsComputeDeviceSet)
    {
      return m_ComputeDevice;
    }
    const ComputeDevice * const device = this->GetDeviceOfInputs();
    return device != nullptr ? *device : ComputeDevice::GetDefault();
  }

  /** Maximum memory of a CUDA device that an update may have at any time, in bytes; 0, the default, is all that is
   * free. An update that needs more fails with a CudaNeuroException that names the bytes needed and allowed. Without
   * effect where the CPU computes. */
  itkCudaNeuroSetGetMacro(MaximumDeviceMemory, SizeValueType);

  /** Statistics of the last update: bytes copied to the device and from it, and milliseconds on the device (0 on the
   * CPU). */
  itkCudaNeuroGetValueMacro(HostToDeviceBytes, SizeValueType, m_Statistics.hostToDeviceBytes);
  itkCudaNeuroGetValueMacro(DeviceToHostBytes, SizeValueType, m_Statistics.deviceToHostBytes);
  itkCudaNeuroGetValueMacro(DeviceMilliseconds, double, m_Statistics.deviceMilliseconds);

protected:
  CudaNeuroProcess() = default;
  ~CudaNeuroProcess() override = default;

  /** Returns the device whose memory the inputs are in; null where they can be copied to any. */
  virtual const ComputeDevice *
  GetDeviceOfInputs() const
  {
    return nullptr;
  }

  /** Runs the computation with a context of the device, with threads, memory limit and progress set. */
  void
  RunOnDevice(const std::function<void(cudaneuro::Context &)> & computation);

  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  static constexpr bool isProcess = std::is_base_of_v<ProcessObject, TSuperclass>;

  ThreadIdType
  GetNumberOfThreads() const
  {
    if constexpr (isProcess)
    {
      return CudaNeuroDetail::NumberOfThreadsOf(this);
    }
    else
    {
      return std::min(this->GetMaximumNumberOfWorkUnits(), MultiThreaderBase::GetGlobalMaximumNumberOfThreads());
    }
  }

  bool                                m_IsComputeDeviceSet = false;
  ComputeDevice                       m_ComputeDevice;
  SizeValueType                       m_MaximumDeviceMemory = 0;
  std::unique_ptr<cudaneuro::Context> m_Context;
  cudaneuro::Statistics               m_Statistics;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNeuroProcess.hxx"
#endif

#endif
