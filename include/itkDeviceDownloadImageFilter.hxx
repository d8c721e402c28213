// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceDownloadImageFilter_hxx
#define itkDeviceDownloadImageFilter_hxx

#include "itkDeviceDownloadImageFilter.h"

#include <type_traits>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
bool
DeviceDownloadImageFilter<TInputImage, TOutputImage>::SharesPixels() const
{
  return std::is_same_v<typename TInputImage::PixelType, typename TOutputImage::PixelType> &&
         !this->GetComputeDevice().IsCuda();
}

template <typename TInputImage, typename TOutputImage>
void
DeviceDownloadImageFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  if (!this->SharesPixels())
  {
    Superclass::AllocateOutputs();
    return;
  }
  using PixelType = typename TOutputImage::PixelType;
  const auto           container = PinnedImageContainer<PixelType>::New();
  TOutputImage * const output = this->GetOutput();
  output->SetBufferedRegion(output->GetRequestedRegion());
  container->ShareMemory(this->GetInput()->GetDeviceMemory().owner, output->GetBufferedRegion().GetNumberOfPixels());
  output->SetPixelContainer(container);
}

template <typename TInputImage, typename TOutputImage>
void
DeviceDownloadImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  if (!this->SharesPixels())
  {
    this->CopyInputToOutput(context);
  }
}

} // namespace itk

#endif
