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

/** What process objects that are no ImageToImageFilter check of the images that they take. For the module's own classes. */
namespace itk::CudaNeuroDetail
{

/** The device that an image's pixels are on; null for itk::Image, whose pixels can go to any. */
template <typename TPixel, unsigned int VDimension>
const ComputeDevice *
DeviceOfPixels(const Image<TPixel, VDimension> *)
{
  return nullptr;
}
template <typename TPixel, unsigned int VDimension>
const ComputeDevice *
DeviceOfPixels(const DeviceImage<TPixel, VDimension> * image)
{
  return &image->GetComputeDevice();
}

/** Checks that an image has voxels. */
template <unsigned int VDimension>
void
VerifyNotEmpty(const char * name, const ImageBase<VDimension> * image)
{
  const auto & region = image->GetLargestPossibleRegion();
  if (region.GetNumberOfPixels() == 0)
  {
    itkGenericExceptionMacro("The " << name << " is empty: its size is " << region.GetSize());
  }
}

/** Checks that an image has all its pixels, in memory that the device reaches. */
template <typename TImage>
void
VerifyPixels(const ComputeDevice & device, const char * name, const TImage * image)
{
  if (VolumeOf(image).data == nullptr || image->GetBufferedRegion() != image->GetLargestPossibleRegion())
  {
    itkGenericExceptionMacro("The pixels of the " << name << " are not there: its buffered region has size "
                                                  << image->GetBufferedRegion().GetSize()
                                                  << ", its largest possible region "
                                                  << image->GetLargestPossibleRegion().GetSize());
  }
  const ComputeDevice * const deviceOfPixels = DeviceOfPixels(image);
  if (deviceOfPixels != nullptr && *deviceOfPixels != device)
  {
    itkGenericExceptionMacro("The pixels of the " << name << " are on device " << *deviceOfPixels
                                                  << " and the filter computes on " << device);
  }
}

/** Checks that a mask lies on the grid of its image, to ITK's global tolerances. */
template <unsigned int VDimension>
void
VerifyMaskGrid(const char *                  name,
               const ImageBase<VDimension> * mask,
               const char *                  nameOfImage,
               const ImageBase<VDimension> * image)
{
  const auto require = [&](bool same, const char * property, const auto & value, const auto & expected) {
    if (!same)
    {
      itkGenericExceptionMacro("Inputs differ in their grid: the " << property << " of the " << name << " is " << value
                                                                   << ", that of the " << nameOfImage << " "
                                                                   << expected);
    }
  };
  const double coordinateTolerance =
    std::abs(ImageToImageFilterCommon::GetGlobalDefaultCoordinateTolerance() * image->GetSpacing()[0]);
  const auto & region = image->GetLargestPossibleRegion();
  const auto & regionOfMask = mask->GetLargestPossibleRegion();
  require(regionOfMask.GetIndex() == region.GetIndex(), "first index", regionOfMask.GetIndex(), region.GetIndex());
  require(regionOfMask.GetSize() == region.GetSize(), "size", regionOfMask.GetSize(), region.GetSize());
  require(mask->GetOrigin().GetVnlVector().is_equal(image->GetOrigin().GetVnlVector(), coordinateTolerance),
          "origin",
          mask->GetOrigin(),
          image->GetOrigin());
  require(mask->GetSpacing().GetVnlVector().is_equal(image->GetSpacing().GetVnlVector(), coordinateTolerance),
          "spacing",
          mask->GetSpacing(),
          image->GetSpacing());
  require(mask->GetDirection().GetVnlMatrix().is_equal(image->GetDirection().GetVnlMatrix().as_matrix(),
                                                       ImageToImageFilterCommon::GetGlobalDefaultDirectionTolerance()),
          "direction",
          mask->GetDirection(),
          image->GetDirection());
}

/** The pixels of a mask, an absent volume for null. */
template <unsigned int VDimension>
cudaneuro::ConstVolume
MaskVolumeOf(const ComputeDevice & device, const char * name, const ImageBase<VDimension> * mask)
{
  if (mask == nullptr)
  {
    return {};
  }
  const auto verifiedVolume = [&](const auto * image) {
    VerifyPixels(device, name, image);
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
  itkGenericExceptionMacro("Masks must be an Image or a DeviceImage of unsigned char; the "
                           << name << " is a " << mask->GetNameOfClass() << " of another pixel type or class");
}

} // namespace itk::CudaNeuroDetail

#endif
