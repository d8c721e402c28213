// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroImageFilter_hxx
#define itkCudaNeuroImageFilter_hxx

#include "itkCudaNeuroImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
ComputeDevice
CudaNeuroImageFilter<TInputImage, TOutputImage>::GetComputeDevice() const
{
  if (m_IsComputeDeviceSet)
  {
    return m_ComputeDevice;
  }
  const TInputImage * const   input = this->GetInput();
  const ComputeDevice * const inputDevice = input != nullptr ? CudaNeuroDetail::DeviceOf(input) : nullptr;
  return inputDevice != nullptr ? *inputDevice : ComputeDevice::GetDefault();
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifyInputInformation() const
{
  const auto * const first = this->GetInput();
  this->VerifyNotEmpty(first, "input image");
  // The superclass compares positions, too, but its message does not always name the input that differs.
  for (const auto & name : this->GetInputNames())
  {
    const auto * const other = dynamic_cast<const ImageBase<ImageDimension> *>(this->ProcessObject::GetInput(name));
    if (other != nullptr && other != first)
    {
      this->VerifySameGrid(name.c_str(), other, "the first input", first);
    }
  }
  Superclass::VerifyInputInformation();
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::GenerateInputRequestedRegion()
{
  Superclass::GenerateInputRequestedRegion();
  for (const auto & name : this->GetInputNames())
  {
    if (auto * const input = this->ProcessObject::GetInput(name))
    {
      input->SetRequestedRegionToLargestPossibleRegion();
    }
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::CopyInputToOutput(cudaneuro::Context & context)
{
  constexpr unsigned int components = CudaNeuroDetail::PixelTraits<typename TInputImage::PixelType>::numberOfComponents;
  static_assert(CudaNeuroDetail::PixelTraits<typename TOutputImage::PixelType>::numberOfComponents == components,
                "Pixels of input and output have the same number of components.");
  cudaneuro::Grid numbers = this->GetGrid();
  numbers.size[0] *= components;
  cudaneuro::CopyVolume(context,
                        numbers,
                        CudaNeuroDetail::ComponentsOf(this->GetInput()),
                        CudaNeuroDetail::ComponentsOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  if (this->UsesInputPixels())
  {
    this->VerifyPixels(this->GetInput(), "the input image");
  }
  this->AllocateOutputs();
  CudaNeuroDetail::Call([this] {
    CudaNeuroDetail::PrepareContext(m_Context, this->GetComputeDevice(), CudaNeuroDetail::NumberOfThreadsOf(this));
    m_Context->SetMemoryLimit(m_MaximumDeviceMemory);
    m_Context->SetProgressFunction([this](float progress) {
      this->UpdateProgress(progress);
      return !this->GetAbortGenerateData();
    });
    this->Compute(*m_Context);
    m_Statistics = m_Context->GetStatistics();
  });
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ComputeDevice: ";
  if (m_IsComputeDeviceSet)
  {
    os << m_ComputeDevice << std::endl;
  }
  else
  {
    os << "(default)" << std::endl;
  }
  os << indent << "MaximumDeviceMemory: " << m_MaximumDeviceMemory << std::endl;
  os << indent << "UsePinnedOutput: " << (m_UsePinnedOutput ? "On" : "Off") << std::endl;
  os << indent << "HostToDeviceBytes: " << m_Statistics.hostToDeviceBytes << std::endl;
  os << indent << "DeviceToHostBytes: " << m_Statistics.deviceToHostBytes << std::endl;
  os << indent << "DeviceMilliseconds: " << m_Statistics.deviceMilliseconds << std::endl;
  os << indent << "NumberOfSlabs: " << m_Statistics.numberOfSlabs << std::endl;
}

} // namespace itk

#endif
