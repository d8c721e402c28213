// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceImage_hxx
#define itkDeviceImage_hxx

#include "itkDeviceImage.h"
#include "itkCudaNeuroEngine.h"

namespace itk
{

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::SetComputeDevice(const ComputeDevice & device)
{
  if (device != m_ComputeDevice)
  {
    m_ComputeDevice = device;
    m_Memory = cudaneuro::DeviceMemory();
    this->Modified();
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::Allocate(bool initializePixels)
{
  if (initializePixels)
  {
    itkExceptionMacro("Allocate(true) is not offered: a DeviceImage is filled by a filter");
  }
  this->ComputeOffsetTable();
  if (m_Memory.bytes < this->GetBufferedBytes())
  {
    m_Memory = cudaneuro::DeviceMemory(); // first, so that old and new need not fit together
    CudaNeuroEngine::Call([this] {
      cudaneuro::Context context(m_ComputeDevice.GetEngineDevice());
      m_Memory = context.Allocate(this->GetBufferedBytes());
    });
  }
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::Initialize()
{
  Superclass::Initialize();
  m_Memory = cudaneuro::DeviceMemory();
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::Graft(const DataObject * data)
{
  if (data == nullptr)
  {
    return;
  }
  const auto * image = dynamic_cast<const Self *>(data);
  if (image == nullptr)
  {
    itkExceptionMacro("Graft of a " << data->GetNameOfClass() << " into a " << this->GetNameOfClass()
                                    << " of another type");
  }
  Superclass::Graft(data);
  m_ComputeDevice = image->m_ComputeDevice;
  m_Memory = image->m_Memory;
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::SetDeviceMemory(const cudaneuro::DeviceMemory & memory)
{
  if (memory.bytes < this->GetBufferedBytes())
  {
    itkExceptionMacro("The memory has " << memory.bytes << " bytes and the buffered region "
                                        << this->GetBufferedRegion().GetSize() << " needs "
                                        << this->GetBufferedBytes());
  }
  this->ComputeOffsetTable();
  m_Memory = memory;
  this->Modified();
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ComputeDevice: " << m_ComputeDevice << std::endl;
  os << indent << "DevicePointer: " << m_Memory.Data() << std::endl;
  os << indent << "Bytes: " << m_Memory.bytes << std::endl;
}

} // namespace itk

#endif
