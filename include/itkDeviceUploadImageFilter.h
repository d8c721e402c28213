// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceUploadImageFilter_h
#define itkDeviceUploadImageFilter_h

#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class DeviceUploadImageFilter
 * \brief Copies an itk::Image to the memory of a device.
 *
 * The CPU device copies, too, because a host image may get other pixels, or memory, while its copy is in use.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage = DeviceImage<typename TInputImage::PixelType, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT DeviceUploadImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DeviceUploadImageFilter);

  using Self = DeviceUploadImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(DeviceUploadImageFilter);

protected:
  DeviceUploadImageFilter() = default;
  ~DeviceUploadImageFilter() override = default;

  void
  Compute(cudaneuro::Context & context) override
  {
    this->CopyInputToOutput(context);
  }
};

} // namespace itk

#endif
