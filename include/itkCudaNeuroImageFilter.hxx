// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroImageFilter_hxx
#define itkCudaNeuroImageFilter_hxx

#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroAllocation.h"
#include "itkCudaNeuroException.h"
#include "itkCudaNeuroImageChecks.h"

#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::SetComputeDevice(const ComputeDevice & device)
{
  if (!m_IsComputeDeviceSet || device != m_ComputeDevice)
  {
    m_IsComputeDeviceSet = true;
    m_ComputeDevice = device;
    this->Modified();
  }
}

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
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifyPreconditions() const
{
  Superclass::VerifyPreconditions();
  if (this->GetMaskImage() != nullptr && !this->UsesMask())
  {
    itkExceptionMacro("There is a mask image, which this filter has no use for: it computes all voxels");
  }
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
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifyNotEmpty(const ImageBase<ImageDimension> * image,
                                                                const char *                      name) const
{
  CudaNeuroDetail::VerifyNotEmpty<ImageDimension>(this, name, image);
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifySameGrid(const char *                      name,
                                                                const ImageBase<ImageDimension> * image,
                                                                const char *                      nameOfReference,
                                                                const ImageBase<ImageDimension> * reference) const
{
  CudaNeuroDetail::VerifySameGrid<ImageDimension>(
    this, name, image, nameOfReference, reference, this->GetCoordinateTolerance(), this->GetDirectionTolerance());
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
CudaNeuroImageFilter<TInputImage, TOutputImage>::EnlargeOutputRequestedRegion(DataObject * output)
{
  output->SetRequestedRegionToLargestPossibleRegion();
}

template <typename TInputImage, typename TOutputImage>
template <typename TImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifyPixels(const TImage * image, const char * name) const
{
  CudaNeuroDetail::VerifyPixels(this, name, image, this->GetComputeDevice());
}

template <typename TInputImage, typename TOutputImage>
cudaneuro::ConstVolume
CudaNeuroImageFilter<TInputImage, TOutputImage>::MaskVolumeOf(const char * name, const MaskImageType * mask) const
{
  return CudaNeuroDetail::MaskVolumeOf<ImageDimension>(this, name, mask, this->GetComputeDevice());
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
template <typename TPixel>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::AllocateOutput(Image<TPixel, ImageDimension> * output)
{
  const std::string reason = CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), m_UsePinnedOutput, output);
  if (!reason.empty())
  {
    itkWarningMacro("The output gets ordinary memory, which is slower to copy to: " << reason);
  }
}

template <typename TInputImage, typename TOutputImage>
template <typename TPixel>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::AllocateOutput(DeviceImage<TPixel, ImageDimension> * output)
{
  CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), m_UsePinnedOutput, output);
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  OutputImageType * const output = this->GetOutput();
  output->SetBufferedRegion(output->GetRequestedRegion());
  this->AllocateOutput(output);
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::GenerateData()
{
  this->VerifyPixels(this->GetInput(), "the input image");
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
SizeValueType
CudaNeuroImageFilter<TInputImage, TOutputImage>::GetHostToDeviceBytes() const
{
  return m_Statistics.hostToDeviceBytes;
}

template <typename TInputImage, typename TOutputImage>
SizeValueType
CudaNeuroImageFilter<TInputImage, TOutputImage>::GetDeviceToHostBytes() const
{
  return m_Statistics.deviceToHostBytes;
}

template <typename TInputImage, typename TOutputImage>
double
CudaNeuroImageFilter<TInputImage, TOutputImage>::GetDeviceMilliseconds() const
{
  return m_Statistics.deviceMilliseconds;
}

template <typename TInputImage, typename TOutputImage>
unsigned int
CudaNeuroImageFilter<TInputImage, TOutputImage>::GetNumberOfSlabs() const
{
  return m_Statistics.numberOfSlabs;
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
