// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceImage_hxx
#define itkDeviceImage_hxx

#include "itkDeviceImage.h"

namespace itk
{

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::Allocate(bool initializePixels)
{
  if (initializePixels)
  {
    itkExceptionMacro("Allocate(true) is not offered: a DeviceImage is filled by a filter");
  }
  this->ComputeOffsetTable();
  if (m_Memory.bytes < this->GetBufferedBytes() || m_Memory.owner.use_count() > 1)
  {
    m_Memory = cudaneuro::DeviceMemory(); // released first, so that old and new memory need not fit together
    CudaNeuroDetail::Call([this] {
      m_Memory = cudaneuro::AllocateDeviceMemory(m_ComputeDevice.GetEngineDevice(), this->GetBufferedBytes());
    });
  }
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
  // This call copies the geometry. ImageBase's overload for a DataObject would call the function below, which calls
  // this one.
  Superclass::Graft(static_cast<const Superclass *>(image));
  m_ComputeDevice = image->m_ComputeDevice;
  m_Memory = image->m_Memory;
}

template <typename TPixel, unsigned int VImageDimension>
cudaneuro::DeviceArray
DeviceImage<TPixel, VImageDimension>::GetDeviceArray() const
{
  if (m_Memory.Data() == nullptr)
  {
    itkExceptionMacro("The image has no pixels: it is not allocated");
  }
  this->VerifyMemory(m_Memory);
  cudaneuro::DeviceArray array;
  array.device = m_ComputeDevice.GetEngineDevice();
  array.type = CudaNeuroDetail::ComponentTypeOf<TPixel>;
  for (unsigned int axis = VImageDimension; axis-- > 0;)
  {
    array.shape.push_back(static_cast<std::int64_t>(this->GetBufferedRegion().GetSize(axis)));
  }
  if (CudaNeuroDetail::PixelTraits<TPixel>::isVector)
  {
    array.shape.push_back(CudaNeuroDetail::PixelTraits<TPixel>::numberOfComponents);
  }
  array.memory = m_Memory;
  return array;
}

template <typename TPixel, unsigned int VImageDimension>
void
DeviceImage<TPixel, VImageDimension>::SetDeviceArray(const cudaneuro::DeviceArray & array)
{
  using TraitsType = CudaNeuroDetail::PixelTraits<TPixel>;
  if (array.type != CudaNeuroDetail::ComponentTypeOf<TPixel>)
  {
    itkExceptionMacro("The array's elements are of type "
                      << cudaneuro::PixelTypeName(array.type) << " and the image's pixels of type "
                      << cudaneuro::PixelTypeName(CudaNeuroDetail::ComponentTypeOf<TPixel>));
  }
  if (array.shape.size() != VImageDimension + (TraitsType::isVector ? 1 : 0))
  {
    itkExceptionMacro("The array has " << array.shape.size() << " axes and the image " << VImageDimension
                                       << (TraitsType::isVector ? ", and one of components" : ""));
  }
  if (TraitsType::isVector && array.shape.back() != static_cast<std::int64_t>(TraitsType::numberOfComponents))
  {
    itkExceptionMacro("The array has vectors of " << array.shape.back() << " components and the image of "
                                                  << TraitsType::numberOfComponents);
  }
  typename Superclass::SizeType size;
  for (unsigned int axis = 0; axis < VImageDimension; ++axis)
  {
    size[axis] = static_cast<SizeValueType>(array.shape[VImageDimension - 1 - axis]);
  }
  this->SetRegions(size);
  this->SetComputeDevice(ComputeDevice(array.device));
  this->SetDeviceMemory(array.memory);
}

} // namespace itk

#endif
