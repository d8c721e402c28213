// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceDownloadImageFilter_h
#define itkDeviceDownloadImageFilter_h

#include "itkCudaNeuroImageFilter.h"
#include "itkPinnedImageContainer.h"

#include <type_traits>

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
  AllocateOutputs() override
  {
    if (!this->SharesPixels())
    {
      if (m_HasShared) // memory of an earlier input, which is not to be written
      {
        this->GetOutput()->SetPixelContainer(TOutputImage::PixelContainer::New());
        m_HasShared = false;
      }
      Superclass::AllocateOutputs();
      return;
    }
    m_HasShared = true;
    using PixelType = typename TOutputImage::PixelType;
    const auto           container = PinnedImageContainer<PixelType>::New();
    TOutputImage * const output = this->GetOutput();
    output->SetBufferedRegion(output->GetRequestedRegion());
    container->ShareMemory(this->GetInput()->GetDeviceMemory().owner, output->GetBufferedRegion().GetNumberOfPixels());
    output->SetPixelContainer(container);
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    if (!this->SharesPixels())
    {
      this->CopyInputToOutput(context);
    }
  }

private:
  bool
  SharesPixels() const
  {
    return std::is_same_v<typename TInputImage::PixelType, typename TOutputImage::PixelType> &&
           !this->GetComputeDevice().IsCuda();
  }

  /** Whether the output has memory of an input. */
  bool m_HasShared = false;
};

} // namespace itk

#endif
