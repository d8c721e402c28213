// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralSweepImageFilter_hxx
#define itkCudaBilateralSweepImageFilter_hxx

#include "itkCudaBilateralSweepImageFilter.h"

#include <algorithm>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::UpdateNumberOfOutputs()
{
  const std::size_t count = std::max<std::size_t>(1, m_Parameters.radii.size() * m_Parameters.domainSigmas.size());
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
CudaBilateralSweepImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  cudaneuro::BilateralSweepParameters parameters = m_Parameters;
  parameters.useImageSpacing = parameters.useImageSpacing && !m_AutomaticDomainSigma;
  std::vector<cudaneuro::Volume> outputs;
  for (unsigned int i = 0; i < parameters.radii.size() * parameters.domainSigmas.size(); ++i)
  {
    outputs.push_back(CudaNeuroDetail::VolumeOf(this->GetOutput(i)));
  }
  cudaneuro::BilateralSweep(
    context, parameters, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume(), outputs);
}

} // namespace itk

#endif
