// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceDownloadImageFilter_h
#define itkDeviceDownloadImageFilter_h

#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class DeviceDownloadImageFilter
 * \brief Copies a DeviceImage to an itk::Image.
 *
 * On the CPU device, when pixel types agree, the output shares the input's pixels; nothing is copied.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage = Image<typename TInputImage::PixelType, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT DeviceDownloadImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(DeviceDownloadImageFilter);

  using Self = DeviceDownloadImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(DeviceDownloadImageFilter);

protected:
  DeviceDownloadImageFilter() = default;
  ~DeviceDownloadImageFilter() override = default;

  void
  AllocateOutputs() override;
  void
  Compute(cudaneuro::Context & context) override;

private:
  bool
  SharesPixels() const;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkDeviceDownloadImageFilter.hxx"
#endif

#endif
