// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralSweepImageFilter_hxx
#define itkCudaBilateralSweepImageFilter_hxx

#include "itkCudaBilateralSweepImageFilter.h"

#include <algorithm>
#include <limits>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::SetRadii(const std::vector<unsigned int> & radii)
{
  if (m_Radii != radii)
  {
    m_Radii = radii;
    this->UpdateNumberOfOutputs();
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::SetDomainSigmas(const std::vector<double> & sigmas)
{
  if (m_AutomaticDomainSigma || m_DomainSigmas != sigmas)
  {
    m_AutomaticDomainSigma = false;
    m_DomainSigmas = sigmas;
    this->UpdateNumberOfOutputs();
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::UpdateNumberOfOutputs()
{
  const std::size_t count = std::max<std::size_t>(1, m_Radii.size() * m_DomainSigmas.size());
  const std::size_t before = this->GetNumberOfIndexedOutputs();
  this->SetNumberOfRequiredOutputs(count);
  this->SetNumberOfIndexedOutputs(count);
  for (std::size_t i = before; i < count; ++i)
  {
    this->SetNthOutput(i, this->MakeOutput(i));
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  for (unsigned int i = 0; i < this->GetNumberOfIndexedOutputs(); ++i)
  {
    TOutputImage * const output = this->GetOutput(i);
    output->SetBufferedRegion(output->GetRequestedRegion());
    this->AllocateOutput(output);
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  cudaneuro::BilateralSweepParameters parameters;
  parameters.rangeSigma = m_RangeSigma;
  parameters.radii.clear();
  for (const unsigned int radius : m_Radii)
  {
    constexpr unsigned int largest = std::numeric_limits<int>::max();
    parameters.radii.push_back(static_cast<int>(std::min(radius, largest)));
  }
  parameters.domainSigmas = m_DomainSigmas;
  parameters.useSpacing = m_UseImageSpacing && !m_AutomaticDomainSigma;
  std::vector<cudaneuro::Volume> outputs;
  for (unsigned int i = 0; i < m_Radii.size() * m_DomainSigmas.size(); ++i)
  {
    outputs.push_back(CudaNeuroDetail::VolumeOf(this->GetOutput(i)));
  }
  cudaneuro::BilateralSweep(
    context, parameters, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume(), outputs);
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto printList = [&](const char * name, const auto & values) {
    os << indent << name << ": [";
    const char * separator = "";
    for (const auto value : values)
    {
      os << separator << value;
      separator = ", ";
    }
    os << "]" << std::endl;
  };
  os << indent << "RangeSigma: " << m_RangeSigma << std::endl;
  printList("Radii", m_Radii);
  printList("DomainSigmas", m_DomainSigmas);
  os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
