// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkDeviceUploadImageFilter_hxx
#define itkDeviceUploadImageFilter_hxx

#include "itkDeviceUploadImageFilter.h"

#include <type_traits>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
bool
DeviceUploadImageFilter<TInputImage, TOutputImage>::SharesPixels() const
{
  return std::is_same_v<typename TInputImage::PixelType, typename TOutputImage::PixelType> &&
         !this->GetComputeDevice().IsCuda();
}

template <typename TInputImage, typename TOutputImage>
void
DeviceUploadImageFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  if (!this->SharesPixels())
  {
    Superclass::AllocateOutputs();
    return;
  }
  // Inputs are const in a pipeline; whoever reads the output as a filter's input keeps to that.
  auto * const         input = const_cast<TInputImage *>(this->GetInput());
  TOutputImage * const output = this->GetOutput();
  output->SetComputeDevice(this->GetComputeDevice());
  output->SetBufferedRegion(output->GetRequestedRegion());
  const typename TInputImage::PixelContainer::Pointer container = input->GetPixelContainer();
  const std::shared_ptr<void>                         owner(container->GetBufferPointer(), [container](void *) {});
  output->SetDeviceMemory({ owner, container->Size() * sizeof(typename TInputImage::PixelType) });
}

template <typename TInputImage, typename TOutputImage>
void
DeviceUploadImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  if (!this->SharesPixels())
  {
    this->CopyInputToOutput(context);
  }
}

} // namespace itk

#endif
