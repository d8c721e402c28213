// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilterOutputs_hxx
#define itkCudaDiffeomorphicAtlasFilterOutputs_hxx

// The part of CudaDiffeomorphicAtlasFilter that makes outputs, and returns results.

#include "itkCudaDiffeomorphicAtlasFilter.h"

#include <algorithm>
#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeOutput(
  const DataObjectIdentifierType & name) -> DataObjectPointer
{
  const std::string kind = name.substr(0, name.find('_'));
  if (kind == "DisplacementField" || kind == "InverseDisplacementField")
  {
    return DisplacementFieldType::New().GetPointer();
  }
  if (kind == "LabelTemplate")
  {
    return LabelTemplateType::New().GetPointer();
  }
  if (kind == "JacobianImage" || kind == "LabelProbability")
  {
    return JacobianImageType::New().GetPointer();
  }
  return OutputImageType::New().GetPointer();
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
template <typename TImage>
TImage *
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetOutputOf(const std::string & kind,
                                                                                         unsigned int        image,
                                                                                         bool                isComputed)
{
  if (image >= this->GetNumberOfImages())
  {
    itkExceptionMacro("There is no " << kind << " of image " << image << ": there are " << this->GetNumberOfImages()
                                     << " images, from 0");
  }
  if (!isComputed)
  {
    itkExceptionMacro("There is no " << kind << " of image " << image << ": Compute" << kind << "s is Off");
  }
  const std::string name = NameOf(kind, image);
  if (!this->HasOutput(name))
  {
    this->SetOutput(name, this->MakeOutput(name));
  }
  return dynamic_cast<TImage *>(this->ProcessObject::GetOutput(name));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetInitialMean() -> OutputImageType *
{
  if (!m_ComputeInitialMean)
  {
    itkExceptionMacro("There is no initial mean: ComputeInitialMean is Off");
  }
  if (!this->HasOutput("InitialMean"))
  {
    this->SetOutput("InitialMean", this->MakeOutput(DataObjectIdentifierType("InitialMean")));
  }
  return dynamic_cast<OutputImageType *>(this->ProcessObject::GetOutput("InitialMean"));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
bool
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::HasLabels() const
{
  for (unsigned int image = 0; image < this->GetNumberOfImages(); ++image)
  {
    if (this->GetLabelImage(image) != nullptr)
    {
      return true;
    }
  }
  return false;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
template <typename TImage>
TImage *
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetLabelOutput(const std::string & name)
{
  if (!this->HasLabels())
  {
    itkExceptionMacro("There is no " << name << ": no image has a LabelImage");
  }
  if (!this->HasOutput(name))
  {
    this->SetOutput(name, this->MakeOutput(name));
  }
  return dynamic_cast<TImage *>(this->ProcessObject::GetOutput(name));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
std::vector<std::string>
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetComputedNames() const
{
  std::vector<std::string> names;
  if (m_ComputeInitialMean)
  {
    names.emplace_back("InitialMean");
  }
  for (unsigned int channel = 1; channel < this->GetNumberOfChannels(); ++channel)
  {
    names.push_back("ChannelTemplate_" + std::to_string(channel));
    if (m_ComputeInitialMean)
    {
      names.push_back("ChannelInitialMean_" + std::to_string(channel));
    }
    for (unsigned int image = 0; m_ComputeDeformedImages && image < this->GetNumberOfImages(); ++image)
    {
      names.push_back(NameOf("ChannelDeformedImage", channel, image));
    }
  }
  if (this->HasLabels())
  {
    names.insert(names.end(), { "LabelTemplate", "LabelProbability" });
  }
  for (const OutputKind & kind : this->GetOutputKinds())
  {
    for (unsigned int image = 0; kind.isComputed && image < this->GetNumberOfImages(); ++image)
    {
      names.push_back(NameOf(kind.name, image));
    }
  }
  return names;
}

/** Creates outputs that nobody has requested yet, before any pixel is computed. */
template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GenerateOutputInformation()
{
  for (const std::string & name : this->GetComputedNames())
  {
    if (!this->HasOutput(name))
    {
      this->SetOutput(name, this->MakeOutput(name));
    }
  }
  for (const auto & name : this->GetOutputNames())
  {
    this->ProcessObject::GetOutput(name)->CopyInformation(this->GetGridImage());
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::AllocateOutputs()
{
  // Outputs share the pixels of these maps, and are about to be overwritten; device images that share theirs would get
  // new ones.
  m_Maps.clear();
  std::vector<std::string> computed = this->GetComputedNames();
  computed.push_back(this->GetPrimaryOutputName());
  for (const auto & name : this->GetOutputNames())
  {
    const bool         isComputed = std::find(computed.begin(), computed.end(), name) != computed.end();
    DataObject * const output = this->ProcessObject::GetOutput(name);
    if (auto * const image = dynamic_cast<OutputImageType *>(output))
    {
      this->AllocateOrRelease(image, isComputed);
    }
    else if (auto * const field = dynamic_cast<DisplacementFieldType *>(output))
    {
      this->AllocateOrRelease(field, isComputed);
    }
    else if (auto * const jacobian = dynamic_cast<JacobianImageType *>(output))
    {
      this->AllocateOrRelease(jacobian, isComputed);
    }
    else if (auto * const labels = dynamic_cast<LabelTemplateType *>(output))
    {
      this->AllocateOrRelease(labels, isComputed);
    }
  }
}

} // namespace itk

#endif
