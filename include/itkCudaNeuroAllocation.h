// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroAllocation_h
#define itkCudaNeuroAllocation_h

#include "itkCudaNeuroException.h"
#include "itkDeviceImage.h"
#include "itkImage.h"
#include "itkPinnedImageContainer.h"

#include <string>

/** Allocation of the pixels of outputs. For the module's own classes. */
namespace itk::CudaNeuroDetail
{

/** Allocates the buffered region of an image that a device will write: with \p pinned, page-locked memory for a CUDA
 * device.
 * \returns why ordinary memory had to be taken instead; else an empty text. */
template <typename TPixel, unsigned int VImageDimension>
std::string
AllocatePixels(const ComputeDevice & device, bool pinned, Image<TPixel, VImageDimension> * image)
{
  using ImageType = Image<TPixel, VImageDimension>;
  using ContainerType = PinnedImageContainer<TPixel>;
  std::string reason;
  if (pinned && device.IsCuda())
  {
    if (dynamic_cast<ContainerType *>(image->GetPixelContainer()) == nullptr)
    {
      image->SetPixelContainer(ContainerType::New());
    }
    static_cast<ContainerType *>(image->GetPixelContainer())->SetComputeDevice(device);
    try
    {
      image->Allocate();
      return reason;
    }
    catch (const CudaNeuroException & error)
    {
      reason = error.GetDescription();
      image->SetPixelContainer(ImageType::PixelContainer::New());
    }
  }
  image->Allocate();
  return reason;
}

template <typename TPixel, unsigned int VImageDimension>
std::string
AllocatePixels(const ComputeDevice & device, bool, DeviceImage<TPixel, VImageDimension> * image)
{
  image->SetComputeDevice(device);
  image->Allocate();
  return {};
}

/** Prepares the allocation of the largest possible region of an image: gives it pixels of its own where it shares those
 * of \p kept, which may be null, and will have another number of them. Otherwise the pixels of \p kept would be resized
 * with them. */
template <typename TPixel, unsigned int VImageDimension>
void
DetachPixels(const Image<TPixel, VImageDimension> * kept, Image<TPixel, VImageDimension> * image)
{
  using ContainerType = typename Image<TPixel, VImageDimension>::PixelContainer;
  if (kept != nullptr && image->GetPixelContainer() == kept->GetPixelContainer() &&
      image->GetLargestPossibleRegion().GetNumberOfPixels() != kept->GetBufferedRegion().GetNumberOfPixels())
  {
    image->SetPixelContainer(ContainerType::New());
  }
}

/** Does nothing: allocating a DeviceImage that shares its memory gives it other memory. */
template <typename TPixel, unsigned int VImageDimension>
void
DetachPixels(const DeviceImage<TPixel, VImageDimension> *, DeviceImage<TPixel, VImageDimension> *)
{}

} // namespace itk::CudaNeuroDetail

#endif
