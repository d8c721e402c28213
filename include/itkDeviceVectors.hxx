// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceVectors_hxx
#define itkDeviceVectors_hxx

#include "itkDeviceVectors.h"

#include <limits>

namespace itk
{

template <typename TComponent>
void
DeviceVectors<TComponent>::Allocate(SizeValueType numberOfVectors, unsigned int numberOfComponents)
{
  const std::size_t bytes = numberOfVectors * numberOfComponents * sizeof(TComponent);
  m_NumberOfVectors = 0;
  m_NumberOfComponents = 0;
  if (m_Memory.bytes < bytes || m_Memory.owner.use_count() > 1)
  {
    m_Memory = cudaneuro::DeviceMemory(); // released first, so that old and new memory need not fit together
    CudaNeuroDetail::Call(
      [&] { m_Memory = cudaneuro::AllocateDeviceMemory(m_ComputeDevice.GetEngineDevice(), bytes); });
  }
  m_NumberOfVectors = numberOfVectors;
  m_NumberOfComponents = numberOfComponents;
  this->Modified();
}

template <typename TComponent>
void
DeviceVectors<TComponent>::Graft(const DataObject * data)
{
  if (data == nullptr)
  {
    return;
  }
  const auto * const vectors = dynamic_cast<const Self *>(data);
  if (vectors == nullptr)
  {
    itkExceptionMacro("Graft of a " << data->GetNameOfClass() << " into a " << this->GetNameOfClass()
                                    << " of another type");
  }
  m_ComputeDevice = vectors->m_ComputeDevice;
  m_Memory = vectors->m_Memory;
  m_NumberOfVectors = vectors->m_NumberOfVectors;
  m_NumberOfComponents = vectors->m_NumberOfComponents;
  this->Modified();
}

template <typename TComponent>
cudaneuro::DeviceArray
DeviceVectors<TComponent>::GetDeviceArray() const
{
  if (m_Memory.Data() == nullptr)
  {
    itkExceptionMacro("There are no vectors: none were allocated");
  }
  cudaneuro::DeviceArray array;
  array.device = m_ComputeDevice.GetEngineDevice();
  array.isInteger = isInteger;
  array.shape = { static_cast<std::int64_t>(m_NumberOfVectors), static_cast<std::int64_t>(m_NumberOfComponents) };
  array.memory = m_Memory;
  return array;
}

template <typename TComponent>
void
DeviceVectors<TComponent>::SetDeviceArray(const cudaneuro::DeviceArray & array)
{
  if (array.isInteger != isInteger || (!isInteger && array.type != cudaneuro::PixelType::Float))
  {
    itkExceptionMacro("The array's elements are of type "
                      << (array.isInteger ? "int32" : cudaneuro::PixelTypeName(array.type))
                      << " and the vectors' components of type " << (isInteger ? "int32" : "float32"));
  }
  if (array.shape.size() != 2)
  {
    itkExceptionMacro("The array has " << array.shape.size() << " axes; vectors have 2: vectors and components");
  }
  if (array.shape.back() > std::numeric_limits<int>::max())
  {
    itkExceptionMacro("The array has vectors of " << array.shape.back() << " components; they may have "
                                                  << std::numeric_limits<int>::max());
  }
  m_ComputeDevice = ComputeDevice(array.device);
  m_Memory = array.memory;
  m_NumberOfVectors = static_cast<SizeValueType>(array.shape.front());
  m_NumberOfComponents = static_cast<unsigned int>(array.shape.back());
  this->Modified();
}

} // namespace itk

#endif
