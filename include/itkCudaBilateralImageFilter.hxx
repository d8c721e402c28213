// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralImageFilter_hxx
#define itkCudaBilateralImageFilter_hxx

#include "itkCudaBilateralImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralImageFilter<TInputImage, TOutputImage>::SetDomainSigma(const ArrayType & sigma)
{
  this->SetAutomaticDomainSigma(false);
  if (CudaNeuroDetail::ChangesParameter(sigma, m_Parameters.domainSigma, "DomainSigma"))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  if (m_AutomaticDomainSigma)
  {
    m_Parameters.domainSigma = m_Parameters.useImageSpacing ? this->GetGrid().spacing : std::array{ 1.0, 1.0, 1.0 };
  }
  cudaneuro::Bilateral(context,
                       m_Parameters,
                       this->GetGrid(),
                       CudaNeuroDetail::VolumeOf(this->GetInput()),
                       this->GetMaskVolume(),
                       CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "AutomaticDomainSigma: " << (m_AutomaticDomainSigma ? "On" : "Off") << std::endl;
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
}

} // namespace itk

#endif
