// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilterInputs_hxx
#define itkCudaDiffeomorphicAtlasFilterInputs_hxx

// The part of CudaDiffeomorphicAtlasFilter that takes and checks the inputs of each image.

#include "itkCudaDiffeomorphicAtlasFilter.h"

#include <algorithm>
#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetInitialTransform(
  unsigned int image, const TransformType * transform)
{
  if (this->GetInitialTransform(image) == transform)
  {
    return;
  }
  m_InitialTransforms.erase(image);
  if (transform != nullptr)
  {
    m_InitialTransforms[image] = transform;
  }
  this->Modified();
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetWeights(const RealVectorType & weights)
{
  if (m_Weights != weights)
  {
    m_Weights = weights;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
ModifiedTimeType
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetMTime() const
{
  ModifiedTimeType time = Superclass::GetMTime();
  for (const auto & [image, transform] : m_InitialTransforms)
  {
    time = std::max(time, CudaNeuroDetail::LatestMTimeOf<ImageDimension>(transform.GetPointer()));
  }
  for (const auto & [place, transform] : m_ChannelTransforms)
  {
    time = std::max(time, CudaNeuroDetail::LatestMTimeOf<ImageDimension>(transform.GetPointer()));
  }
  return time;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyPreconditions() const
{
  const unsigned int count = this->GetNumberOfImages();
  for (unsigned int image = 0; image < count; ++image)
  {
    if (this->GetInput(image) == nullptr)
    {
      itkExceptionMacro("Image " << image << " of " << count << " is not set");
    }
  }
  if (count < 2)
  {
    itkExceptionMacro("The number of images is " << count << "; it must be 2 or greater");
  }
  if (!m_Weights.empty() && m_Weights.size() != count)
  {
    itkExceptionMacro("Weights has " << m_Weights.size() << " values; it must have one for each of the " << count
                                     << " images");
  }
  if (m_Resume && m_CheckpointFolder.empty())
  {
    itkExceptionMacro("Resume is On and CheckpointFolder is empty; it must name the checkpoint's folder");
  }
  this->VerifyIndices();
  this->VerifyDevices();
  Superclass::VerifyPreconditions();
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyIndices() const
{
  const unsigned int count = this->GetNumberOfImages();
  const auto         refuse = [&](const char * kind, unsigned int image) {
    itkExceptionMacro("There is " << kind << " of image " << image << ", and there are " << count << " images, from 0");
  };
  if (!m_InitialTransforms.empty() && m_InitialTransforms.rbegin()->first >= count)
  {
    refuse("an initial transform", m_InitialTransforms.rbegin()->first);
  }
  if (!m_Points.empty() && m_Points.rbegin()->first >= count)
  {
    refuse("a list of points", m_Points.rbegin()->first);
  }
  for (const auto & [place, transform] : m_ChannelTransforms)
  {
    if (transform.IsNotNull() && place.second >= count)
    {
      refuse("a transform of a further channel", place.second);
    }
  }
  if (!m_PointNumbers.empty() && m_PointNumbers.rbegin()->first >= count)
  {
    refuse("a list of numbers of points", m_PointNumbers.rbegin()->first);
  }
  const auto verify = [&](const char * kind, const std::string & name, const std::string & inputName) {
    const std::string prefix = name + "_";
    if (inputName.compare(0, prefix.size(), prefix) == 0 && this->ProcessObject::GetInput(inputName) != nullptr)
    {
      const auto image = static_cast<unsigned int>(std::stoul(inputName.substr(prefix.size())));
      if (image >= count)
      {
        refuse(kind, image);
      }
    }
  };
  for (const auto & inputName : this->GetInputNames())
  {
    verify("a mask", "MaskImage", inputName);
    verify("a label image", "LabelImage", inputName);
    for (unsigned int channel = 1; channel < cudaneuro::maximumNumberOfChannels; ++channel)
    {
      verify("an image of a further channel", "ChannelImage" + std::to_string(channel), inputName);
      verify("a mask of a further channel", "ChannelMaskImage" + std::to_string(channel), inputName);
    }
    verify("an initial displacement field", "InitialDisplacementField", inputName);
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyInputInformation() const
{
  if (this->GetReferenceImage() != nullptr)
  {
    this->VerifyNotEmpty(this->GetReferenceImage(), "reference image");
  }
  for (unsigned int image = 0; image < this->GetNumberOfImages(); ++image)
  {
    this->VerifyImage(image);
    for (unsigned int channel = 1; channel < this->GetNumberOfChannels(); ++channel)
    {
      this->VerifyChannel(channel, image);
    }
  }
  if (this->GetInitialTemplate() != nullptr)
  {
    this->VerifySameGrid("the initial template", this->GetInitialTemplate(), "the template", this->GetGridImage());
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyImage(unsigned int image) const
{
  const std::string            name = "image " + std::to_string(image);
  const InputImageType * const input = this->GetInput(image);
  this->VerifyNotEmpty(input, name.c_str());
  if (this->GetReferenceImage() == nullptr && this->GetInitialTransform(image) == nullptr)
  {
    const std::string alone = name + ", which has neither an initial transform nor a ReferenceImage,";
    this->VerifySameGrid(alone.c_str(), input, "image 0", this->GetInput(0));
  }
  if (this->GetMaskImage(image) != nullptr)
  {
    this->VerifySameGrid(("the mask of " + name).c_str(), this->GetMaskImage(image), name.c_str(), input);
  }
  this->VerifyPoints(image);
  if (this->GetLabelImage(image) != nullptr)
  {
    this->VerifyNotEmpty(this->GetLabelImage(image), ("the label image of " + name).c_str());
  }
  if (this->GetInitialDisplacementField(image) != nullptr)
  {
    this->VerifySameGrid(("the initial displacement field of " + name).c_str(),
                         this->GetInitialDisplacementField(image),
                         "the template",
                         this->GetGridImage());
  }
}

} // namespace itk

#endif
