// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDevicePointSet_hxx
#define itkDevicePointSet_hxx

#include "itkDevicePointSet.h"

namespace itk
{

template <typename TCoordRep, unsigned int VDimension>
void
DevicePointSet<TCoordRep, VDimension>::SetComputeDevice(const ComputeDevice & device)
{
  if (device != m_ComputeDevice)
  {
    m_ComputeDevice = device;
    m_Memory = cudaneuro::DeviceMemory();
    m_NumberOfPoints = 0;
    this->Modified();
  }
}

template <typename TCoordRep, unsigned int VDimension>
void
DevicePointSet<TCoordRep, VDimension>::Allocate(SizeValueType numberOfPoints)
{
  const std::size_t bytes = numberOfPoints * VDimension * sizeof(TCoordRep);
  m_NumberOfPoints = 0;
  if (m_Memory.bytes < bytes || m_Memory.owner.use_count() > 1)
  {
    m_Memory = cudaneuro::DeviceMemory(); // released first, so that old and new memory need not fit together
    CudaNeuroDetail::Call(
      [&] { m_Memory = cudaneuro::AllocateDeviceMemory(m_ComputeDevice.GetEngineDevice(), bytes); });
  }
  m_NumberOfPoints = numberOfPoints;
  this->Modified();
}

template <typename TCoordRep, unsigned int VDimension>
void
DevicePointSet<TCoordRep, VDimension>::Graft(const DataObject * data)
{
  if (data == nullptr)
  {
    return;
  }
  const auto * const points = dynamic_cast<const Self *>(data);
  if (points == nullptr)
  {
    itkExceptionMacro("Graft of a " << data->GetNameOfClass() << " into a " << this->GetNameOfClass()
                                    << " of another type");
  }
  m_ComputeDevice = points->m_ComputeDevice;
  m_Memory = points->m_Memory;
  m_NumberOfPoints = points->m_NumberOfPoints;
  this->Modified();
}

template <typename TCoordRep, unsigned int VDimension>
cudaneuro::DeviceArray
DevicePointSet<TCoordRep, VDimension>::GetDeviceArray() const
{
  if (m_Memory.Data() == nullptr)
  {
    itkExceptionMacro("There are no points: none were allocated");
  }
  cudaneuro::DeviceArray array;
  array.device = m_ComputeDevice.GetEngineDevice();
  array.type = cudaneuro::PixelTypeOf<TCoordRep>::value;
  array.shape = { static_cast<std::int64_t>(m_NumberOfPoints), VDimension };
  array.memory = m_Memory;
  return array;
}

template <typename TCoordRep, unsigned int VDimension>
void
DevicePointSet<TCoordRep, VDimension>::SetDeviceArray(const cudaneuro::DeviceArray & array)
{
  constexpr cudaneuro::PixelType type = cudaneuro::PixelTypeOf<TCoordRep>::value;
  if (array.type != type)
  {
    itkExceptionMacro("The array's elements are of type " << cudaneuro::PixelTypeName(array.type)
                                                          << " and the points' coordinates of type "
                                                          << cudaneuro::PixelTypeName(type));
  }
  if (array.shape.size() != 2)
  {
    itkExceptionMacro("The array has " << array.shape.size() << " axes; points have 2: points and coordinates");
  }
  if (array.shape.back() != static_cast<std::int64_t>(VDimension))
  {
    itkExceptionMacro("The array has points of " << array.shape.back() << " coordinates and the point set of "
                                                 << VDimension);
  }
  m_ComputeDevice = ComputeDevice(array.device);
  m_Memory = array.memory;
  m_NumberOfPoints = static_cast<SizeValueType>(array.shape.front());
  this->Modified();
}

} // namespace itk

#endif
