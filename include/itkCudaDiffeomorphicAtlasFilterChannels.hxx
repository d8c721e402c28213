// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilterChannels_hxx
#define itkCudaDiffeomorphicAtlasFilterChannels_hxx

// The part of CudaDiffeomorphicAtlasFilter that takes and checks the images of further channels.

#include "itkCudaDiffeomorphicAtlasFilter.h"

#include <algorithm>
#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelImage(
  unsigned int channel, unsigned int image, const InputImageType * input)
{
  if (channel == 0)
  {
    this->SetInput(image, input);
    return;
  }
  this->ProcessObject::SetInput(NameOf("ChannelImage", channel, image), const_cast<InputImageType *>(input));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelImage(unsigned int channel,
                                                                                             unsigned int image) const
  -> const InputImageType *
{
  return channel == 0 ? this->GetInput(image)
                      : dynamic_cast<const InputImageType *>(
                          this->ProcessObject::GetInput(NameOf("ChannelImage", channel, image)));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelMaskImage(
  unsigned int channel, unsigned int image, const MaskImageType * mask)
{
  if (channel == 0)
  {
    this->SetMaskImage(image, mask);
    return;
  }
  this->ProcessObject::SetInput(NameOf("ChannelMaskImage", channel, image), const_cast<MaskImageType *>(mask));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelMaskImage(
  unsigned int channel, unsigned int image) const -> const MaskImageType *
{
  return channel == 0 ? this->GetMaskImage(image)
                      : dynamic_cast<const MaskImageType *>(
                          this->ProcessObject::GetInput(NameOf("ChannelMaskImage", channel, image)));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelTransform(
  unsigned int channel, unsigned int image, const TransformType * transform)
{
  CudaNeuroDetail::RequireChannel(channel);
  if (this->GetChannelTransform(channel, image) == transform)
  {
    return;
  }
  if (channel == 0)
  {
    itkExceptionMacro(
      "The transform of channel 0 leads from its image to itself; there are transforms of channels from 1 on");
  }
  m_ChannelTransforms[{ channel, image }] = transform;
  this->Modified();
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelTransform(
  unsigned int channel, unsigned int image) const -> const TransformType *
{
  const auto found = m_ChannelTransforms.find({ channel, image });
  return found == m_ChannelTransforms.end() ? nullptr : found->second.GetPointer();
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
unsigned int
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetNumberOfChannels() const
{
  auto number = 1 + static_cast<unsigned int>(this->m_Parameters.registration.furtherChannels.size());
  for (unsigned int channel = number; channel < cudaneuro::maximumNumberOfChannels; ++channel)
  {
    for (unsigned int image = 0; image < this->GetNumberOfImages(); ++image)
    {
      const bool isThere = this->GetChannelImage(channel, image) != nullptr ||
                           this->ProcessObject::GetInput(NameOf("ChannelMaskImage", channel, image)) != nullptr ||
                           this->GetChannelTransform(channel, image) != nullptr;
      number = isThere ? channel + 1 : number;
    }
  }
  return number;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyChannel(unsigned int channel,
                                                                                           unsigned int image) const
{
  const std::string            name = "image " + std::to_string(image) + " of channel " + std::to_string(channel);
  const InputImageType * const input = this->GetChannelImage(channel, image);
  if (input == nullptr)
  {
    itkExceptionMacro("The " << name << " is not set");
  }
  this->VerifyNotEmpty(input, name.c_str());
  if (this->GetChannelMaskImage(channel, image) != nullptr)
  {
    this->VerifySameGrid(
      ("the mask of " + name).c_str(), this->GetChannelMaskImage(channel, image), name.c_str(), input);
  }
  CudaNeuroDetail::ChannelMapOf<ImageDimension>(
    this, "transform of " + name, this->GetChannelTransform(channel, image));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasChannel
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeChannel(unsigned int channel,
                                                                                         unsigned int image) const
{
  const std::string       name = "image " + std::to_string(image) + " of channel " + std::to_string(channel);
  cudaneuro::AtlasChannel result;
  this->VerifyPixels(this->GetChannelImage(channel, image), name.c_str());
  result.geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetChannelImage(channel, image));
  result.image = CudaNeuroDetail::VolumeOf(this->GetChannelImage(channel, image));
  result.mask = this->MaskVolumeOf(("the mask of " + name).c_str(), this->GetChannelMaskImage(channel, image));
  result.transform = CudaNeuroDetail::ChannelMapOf<ImageDimension>(
    this, "transform of " + name, this->GetChannelTransform(channel, image));
  return result;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelTemplate(unsigned int channel)
  -> OutputImageType *
{
  return channel == 0 ? this->GetOutput()
                      : this->GetOutputOfChannel("template", channel, "ChannelTemplate_" + std::to_string(channel));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelInitialMean(unsigned int channel)
  -> OutputImageType *
{
  // GetInitialMean is called first, because it checks whether the mean is computed.
  OutputImageType * const mean = this->GetInitialMean();
  return channel == 0
           ? mean
           : this->GetOutputOfChannel("initial mean", channel, "ChannelInitialMean_" + std::to_string(channel));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelDeformedImage(
  unsigned int channel, unsigned int image) -> OutputImageType *
{
  OutputImageType * const deformed = this->GetDeformedImage(image);
  return channel == 0
           ? deformed
           : this->GetOutputOfChannel("deformed image", channel, NameOf("ChannelDeformedImage", channel, image));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetOutputOfChannel(
  const char * kind, unsigned int channel, const std::string & name) -> OutputImageType *
{
  if (channel >= this->GetNumberOfChannels())
  {
    itkExceptionMacro("There is no " << kind << " of channel " << channel << ": there are "
                                     << this->GetNumberOfChannels() << " channels, from 0");
  }
  if (!this->HasOutput(name))
  {
    this->SetOutput(name, this->MakeOutput(name));
  }
  return dynamic_cast<OutputImageType *>(this->ProcessObject::GetOutput(name));
}

} // namespace itk

#endif
