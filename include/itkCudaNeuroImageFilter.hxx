// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroImageFilter_hxx
#define itkCudaNeuroImageFilter_hxx

#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroAllocation.h"
#include "itkCudaNeuroException.h"

#include <cmath>
#include <string>

namespace itk
{

namespace CudaNeuroDetail
{

/** The device that an image's pixels are on; null for itk::Image, whose pixels can go to any. */
template <typename TPixel, unsigned int VImageDimension>
const ComputeDevice *
DeviceOf(const Image<TPixel, VImageDimension> *)
{
  return nullptr;
}

template <typename TPixel, unsigned int VImageDimension>
const ComputeDevice *
DeviceOf(const DeviceImage<TPixel, VImageDimension> * image)
{
  return &image->GetComputeDevice();
}

/** Where an image's pixels of any type begin; null when there are none. */
template <typename TPixel, unsigned int VImageDimension>
const void *
AddressOf(const Image<TPixel, VImageDimension> * image)
{
  return image->GetBufferPointer();
}

template <typename TPixel, unsigned int VImageDimension>
const void *
AddressOf(const DeviceImage<TPixel, VImageDimension> * image)
{
  return image->GetDevicePointer();
}

} // namespace CudaNeuroDetail

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
  const auto & region = image->GetLargestPossibleRegion();
  if (region.GetNumberOfPixels() == 0)
  {
    itkExceptionMacro("The " << name << " is empty: its size is " << region.GetSize());
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNeuroImageFilter<TInputImage, TOutputImage>::VerifySameGrid(const char *                      name,
                                                                const ImageBase<ImageDimension> * image,
                                                                const char *                      nameOfReference,
                                                                const ImageBase<ImageDimension> * reference) const
{
  const auto require = [&](bool same, const char * property, const auto & value, const auto & expected) {
    if (!same)
    {
      itkExceptionMacro("Inputs differ in their grid: the " << property << " of " << name << " is " << value
                                                            << ", that of " << nameOfReference << " " << expected);
    }
  };
  const double coordinateTolerance = std::abs(this->GetCoordinateTolerance() * reference->GetSpacing()[0]);
  const auto & region = reference->GetLargestPossibleRegion();
  const auto & otherRegion = image->GetLargestPossibleRegion();
  require(otherRegion.GetIndex() == region.GetIndex(), "first index", otherRegion.GetIndex(), region.GetIndex());
  require(otherRegion.GetSize() == region.GetSize(), "size", otherRegion.GetSize(), region.GetSize());
  require(image->GetOrigin().GetVnlVector().is_equal(reference->GetOrigin().GetVnlVector(), coordinateTolerance),
          "origin",
          image->GetOrigin(),
          reference->GetOrigin());
  require(image->GetSpacing().GetVnlVector().is_equal(reference->GetSpacing().GetVnlVector(), coordinateTolerance),
          "spacing",
          image->GetSpacing(),
          reference->GetSpacing());
  const auto & direction = reference->GetDirection().GetVnlMatrix();
  require(image->GetDirection().GetVnlMatrix().is_equal(direction, this->GetDirectionTolerance()),
          "direction",
          image->GetDirection(),
          reference->GetDirection());
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
  if (CudaNeuroDetail::AddressOf(image) == nullptr || image->GetBufferedRegion() != image->GetLargestPossibleRegion())
  {
    itkExceptionMacro("The pixels of " << name << " are not there: its buffered region has size "
                                       << image->GetBufferedRegion().GetSize() << ", its largest possible region "
                                       << image->GetLargestPossibleRegion().GetSize());
  }
  const ComputeDevice * const device = CudaNeuroDetail::DeviceOf(image);
  if (device != nullptr && *device != this->GetComputeDevice())
  {
    itkExceptionMacro("The pixels of " << name << " are on device " << *device << " and the filter computes on "
                                       << this->GetComputeDevice());
  }
}

template <typename TInputImage, typename TOutputImage>
cudaneuro::ConstVolume
CudaNeuroImageFilter<TInputImage, TOutputImage>::MaskVolumeOf(const char * name, const MaskImageType * mask) const
{
  if (mask == nullptr)
  {
    return {};
  }
  const auto verifiedVolume = [&](const auto * image) {
    this->VerifyPixels(image, name);
    return CudaNeuroDetail::VolumeOf(image);
  };
  if (const auto * const image = dynamic_cast<const Image<unsigned char, ImageDimension> *>(mask))
  {
    return verifiedVolume(image);
  }
  if (const auto * const image = dynamic_cast<const DeviceImage<unsigned char, ImageDimension> *>(mask))
  {
    return verifiedVolume(image);
  }
  itkExceptionMacro("Masks must be an Image or a DeviceImage of unsigned char; "
                    << name << " is a " << mask->GetNameOfClass() << " of another pixel type or class");
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
    CudaNeuroDetail::PrepareContext(m_Context, this->GetComputeDevice(), this->GetNumberOfWorkUnits());
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
