// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroProcess_hxx
#define itkCudaNeuroProcess_hxx

#include "itkCudaNeuroProcess.h"

namespace itk
{

template <typename TSuperclass>
void
CudaNeuroProcess<TSuperclass>::RunOnDevice(const std::function<void(cudaneuro::Context &)> & computation)
{
  CudaNeuroDetail::Call([&] {
    CudaNeuroDetail::PrepareContext(m_Context, this->GetComputeDevice(), this->GetNumberOfThreads());
    m_Context->SetMemoryLimit(m_MaximumDeviceMemory);
    if constexpr (isProcess)
    {
      m_Context->SetProgressFunction([this](float progress) {
        this->UpdateProgress(progress);
        return !this->GetAbortGenerateData();
      });
    }
    computation(*m_Context);
    m_Statistics = m_Context->GetStatistics();
  });
}

template <typename TSuperclass>
void
CudaNeuroProcess<TSuperclass>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ComputeDevice: ";
  if (m_IsComputeDeviceSet)
  {
    os << m_ComputeDevice << std::endl;
  }
  else
  {
    os << "(default)" << std::endl;
  }
  os << indent << "MaximumDeviceMemory: " << m_MaximumDeviceMemory << std::endl;
  os << indent << "HostToDeviceBytes: " << m_Statistics.hostToDeviceBytes << std::endl;
  os << indent << "DeviceToHostBytes: " << m_Statistics.deviceToHostBytes << std::endl;
  os << indent << "DeviceMilliseconds: " << m_Statistics.deviceMilliseconds << std::endl;
}

} // namespace itk

#endif
