// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceImage_h
#define itkDeviceImage_h

#include "cudaneuro/ArrayExchange.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkImageBase.h"

namespace itk
{

/** \class DeviceImage
 * \brief An image whose pixels are in the memory of a ComputeDevice.
 *
 * It has an image's geometry and a device buffer, and no access to pixels from the host, so that no host copy can go
 * stale. DeviceUploadImageFilter and DeviceDownloadImageFilter copy pixels, and so do filters one of whose images is an
 * itk::Image. Between filters pixels stay on the device.
 *
 * On the CPU device the buffer is host memory. Pixels are contiguous, x fastest.
 *
 * \tparam TPixel unsigned char, short, unsigned short, float or double; or a Vector or CovariantVector of these, whose
 * components are adjacent in memory, as in a displacement field.
 *
 * \ingroup CudaNeuro
 */
template <typename TPixel, unsigned int VImageDimension = 3>
class ITK_TEMPLATE_EXPORT DeviceImage : public ImageBase<VImageDimension>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DeviceImage);

  using Self = DeviceImage;
  using Superclass = ImageBase<VImageDimension>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(DeviceImage);

  using PixelType = TPixel;
  using ValueType = TPixel;
  using InternalPixelType = TPixel;
  using IOPixelType = TPixel;
  using typename Superclass::RegionType;

  /** The device of the pixels, and of the next Allocate. Setting another device releases the pixels. */
  void
  SetComputeDevice(const ComputeDevice & device)
  {
    if (device != m_ComputeDevice)
    {
      m_ComputeDevice = device;
      m_Memory = cudaneuro::DeviceMemory();
      this->Modified();
    }
  }
  void
  SetComputeDevice(const std::string & name)
  {
    this->SetComputeDevice(ComputeDevice::FromName(name));
  }
  const ComputeDevice &
  GetComputeDevice() const
  {
    return m_ComputeDevice;
  }

  /** Allocates the buffered region; sufficient memory is kept, unless it is shared. Pixels are
   * uninitialized.
   * \throws CudaNeuroException when the device has too little memory; the message names how much it has.
   * \throws ExceptionObject for \p initializePixels, which is not supported. */
  void
  Allocate(bool initializePixels = false) override;

  /** The number of components of a vector pixel, otherwise 1. */
  unsigned int
  GetNumberOfComponentsPerPixel() const override
  {
    return CudaNeuroDetail::PixelTraits<TPixel>::numberOfComponents;
  }

  /** Releases the pixels. */
  void
  Initialize() override
  {
    Superclass::Initialize();
    m_Memory = cudaneuro::DeviceMemory();
  }

  /** Shares the geometry and the pixels of another DeviceImage of the same type. Does nothing for a null pointer.
   * \throws ExceptionObject for an object of another type. */
  void
  Graft(const DataObject * data) override;
  void
  Graft(const Superclass * image) override
  {
    this->Graft(static_cast<const DataObject *>(image));
  }

  /** Address of the first pixel, in device memory; null before Allocate. Not to be dereferenced on the host, unless
   * the device is the CPU. All work that wrote the pixels is complete when a filter's Update has returned. */
  TPixel *
  GetDevicePointer()
  {
    return static_cast<TPixel *>(m_Memory.Data());
  }
  const TPixel *
  GetDevicePointer() const
  {
    return static_cast<const TPixel *>(m_Memory.Data());
  }

  /** The memory of the pixels, shared. SetDeviceMemory takes memory of GetComputeDevice that holds at least the
   * buffered region; the image keeps its owner until the pixels are released.
   * \throws ExceptionObject when it is too small. */
  const cudaneuro::DeviceMemory &
  GetDeviceMemory() const
  {
    return m_Memory;
  }
  void
  SetDeviceMemory(const cudaneuro::DeviceMemory & memory)
  {
    this->VerifyMemory(memory);
    this->ComputeOffsetTable();
    m_Memory = memory;
    this->Modified();
  }

  /** Returns the pixels as an array for other libraries, shared; its axes are in the opposite order of ITK's, and
   * vectors add a last axis for their components.
   * \throws ExceptionObject when there are no pixels. */
  cudaneuro::DeviceArray
  GetDeviceArray() const;

  /** Makes an array the pixels, shared, and its shape the size. Spacing, origin and direction stay.
   * \throws ExceptionObject for another type of pixel or number of axes. */
  void
  SetDeviceArray(const cudaneuro::DeviceArray & array);

protected:
  DeviceImage() = default;
  ~DeviceImage() override = default;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "ComputeDevice: " << m_ComputeDevice << std::endl;
    os << indent << "DevicePointer: " << m_Memory.Data() << std::endl;
    os << indent << "Bytes: " << m_Memory.bytes << std::endl;
  }

private:
  std::size_t
  GetBufferedBytes() const
  {
    return this->GetBufferedRegion().GetNumberOfPixels() * sizeof(TPixel);
  }

  /** \throws ExceptionObject when memory is too small for the buffered region. */
  void
  VerifyMemory(const cudaneuro::DeviceMemory & memory) const
  {
    if (memory.bytes < this->GetBufferedBytes())
    {
      itkExceptionMacro("The memory has " << memory.bytes << " bytes and the buffered region "
                                          << this->GetBufferedRegion().GetSize() << " needs "
                                          << this->GetBufferedBytes());
    }
  }

  ComputeDevice           m_ComputeDevice;
  cudaneuro::DeviceMemory m_Memory;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkDeviceImage.hxx"
#endif

#endif
