// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroImageChecks_h
#define itkCudaNeuroImageChecks_h

#include "itkCudaNeuroDetail.h"
#include "itkDeviceImage.h"
#include "itkImage.h"
#include "itkImageToImageFilterCommon.h"

#include <cmath>
#include <sstream>

/** Checks of images that are the inputs of filters and of the metric. Errors are those of \p object, as
 * itkExceptionMacro makes them. Names of images have an article where they stand within a sentence. For the module's
 * own classes. */
namespace itk::CudaNeuroDetail
{

/** Throws an exception of an object, whose text joins all parts. */
template <typename... TParts>
[[noreturn]] void
Reject(const LightObject * object, const TParts &... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  itkGenericExceptionMacro("" << object->GetNameOfClass() << '(' << object << "): " << text.str());
}

/** Returns the device that an image's pixels are on; null for itk::Image, whose pixels can be copied to any. */
template <typename TPixel, unsigned int VDimension>
const ComputeDevice *
DeviceOf(const Image<TPixel, VDimension> *)
{
  return nullptr;
}
template <typename TPixel, unsigned int VDimension>
const ComputeDevice *
DeviceOf(const DeviceImage<TPixel, VDimension> * image)
{
  return &image->GetComputeDevice();
}

/** Whether an image has memory for its buffered region, which may have grown since the memory was allocated. */
template <typename TPixel, unsigned int VDimension>
bool
IsAllocated(const Image<TPixel, VDimension> * image)
{
  const auto * const pixels = image->GetPixelContainer();
  return pixels != nullptr && pixels->Size() >= image->GetBufferedRegion().GetNumberOfPixels();
}
template <typename TPixel, unsigned int VDimension>
bool
IsAllocated(const DeviceImage<TPixel, VDimension> * image)
{
  return image->GetDeviceMemory().bytes >= image->GetBufferedRegion().GetNumberOfPixels() * sizeof(TPixel);
}

/** Checks that an image has voxels. */
template <unsigned int VDimension>
void
VerifyNotEmpty(const LightObject * object, const char * nameWithoutArticle, const ImageBase<VDimension> * image)
{
  const auto & region = image->GetLargestPossibleRegion();
  if (region.GetNumberOfPixels() == 0)
  {
    Reject(object, "The ", nameWithoutArticle, " is empty: its size is ", region.GetSize());
  }
}

/** Checks that an image has all its pixels. */
template <typename TImage>
void
VerifyPixels(const LightObject * object, const char * name, const TImage * image)
{
  if (!IsAllocated(image))
  {
    Reject(object,
           "The pixels of ",
           name,
           " are not there: its memory is smaller than its buffered region of size ",
           image->GetBufferedRegion().GetSize());
  }
  if (image->GetBufferedRegion() != image->GetLargestPossibleRegion())
  {
    Reject(object,
           "The pixels of ",
           name,
           " are not there: its buffered region has size ",
           image->GetBufferedRegion().GetSize(),
           ", its largest possible region ",
           image->GetLargestPossibleRegion().GetSize());
  }
}

/** Checks that an image has all its pixels, in memory that the device of the computation reaches. */
template <typename TImage>
void
VerifyPixels(const LightObject * object, const char * name, const TImage * image, const ComputeDevice & device)
{
  VerifyPixels(object, name, image);
  const ComputeDevice * const deviceOfPixels = DeviceOf(image);
  if (deviceOfPixels != nullptr && *deviceOfPixels != device)
  {
    Reject(object, "The pixels of ", name, " are on device ", *deviceOfPixels, " and the filter computes on ", device);
  }
}

/** Checks that an image lies on the grid of a reference. The tolerance of coordinates is a fraction of the spacing. */
template <unsigned int VDimension>
void
VerifySameGrid(const LightObject *           object,
               const char *                  name,
               const ImageBase<VDimension> * image,
               const char *                  nameOfReference,
               const ImageBase<VDimension> * reference,
               double coordinateTolerance = ImageToImageFilterCommon::GetGlobalDefaultCoordinateTolerance(),
               double directionTolerance = ImageToImageFilterCommon::GetGlobalDefaultDirectionTolerance())
{
  const auto require = [&](bool same, const char * property, const auto & value, const auto & expected) {
    if (!same)
    {
      Reject(object,
             "Inputs differ in their grid: the ",
             property,
             " of ",
             name,
             " is ",
             value,
             ", that of ",
             nameOfReference,
             ' ',
             expected);
    }
  };
  const double distance = std::abs(coordinateTolerance * reference->GetSpacing()[0]);
  const auto & region = reference->GetLargestPossibleRegion();
  const auto & otherRegion = image->GetLargestPossibleRegion();
  require(otherRegion.GetIndex() == region.GetIndex(), "first index", otherRegion.GetIndex(), region.GetIndex());
  require(otherRegion.GetSize() == region.GetSize(), "size", otherRegion.GetSize(), region.GetSize());
  require(image->GetOrigin().GetVnlVector().is_equal(reference->GetOrigin().GetVnlVector(), distance),
          "origin",
          image->GetOrigin(),
          reference->GetOrigin());
  require(image->GetSpacing().GetVnlVector().is_equal(reference->GetSpacing().GetVnlVector(), distance),
          "spacing",
          image->GetSpacing(),
          reference->GetSpacing());
  const auto & direction = reference->GetDirection().GetVnlMatrix();
  require(image->GetDirection().GetVnlMatrix().is_equal(direction, directionTolerance),
          "direction",
          image->GetDirection(),
          reference->GetDirection());
}

/** The pixels of a mask, an absent volume for null. */
template <unsigned int VDimension>
cudaneuro::ConstVolume
MaskVolumeOf(const LightObject *           object,
             const char *                  name,
             const ImageBase<VDimension> * mask,
             const ComputeDevice &         device)
{
  if (mask == nullptr)
  {
    return {};
  }
  const auto verifiedVolume = [&](const auto * image) {
    VerifyPixels(object, name, image, device);
    return VolumeOf(image);
  };
  if (const auto * const image = dynamic_cast<const Image<unsigned char, VDimension> *>(mask))
  {
    return verifiedVolume(image);
  }
  if (const auto * const image = dynamic_cast<const DeviceImage<unsigned char, VDimension> *>(mask))
  {
    return verifiedVolume(image);
  }
  Reject(object,
         "Masks must be an Image or a DeviceImage of unsigned char; ",
         name,
         " is a ",
         mask->GetNameOfClass(),
         " of another pixel type or class");
}

} // namespace itk::CudaNeuroDetail

#endif
