// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralImageFilter_hxx
#define itkCudaBilateralImageFilter_hxx

#include "itkCudaBilateralImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaBilateralImageFilter<TInputImage, TOutputImage>::CudaBilateralImageFilter()
{
  m_DomainSigma.Fill(1.0);
  m_Radius.Fill(2);
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralImageFilter<TInputImage, TOutputImage>::SetDomainSigma(const ArrayType & sigma)
{
  this->SetAutomaticDomainSigma(false);
  if (m_DomainSigma != sigma)
  {
    m_DomainSigma = sigma;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaBilateralImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  if (m_AutomaticDomainSigma)
  {
    m_DomainSigma.Fill(1.0);
    for (unsigned int axis = 0; m_UseImageSpacing && axis < ImageDimension; ++axis)
    {
      m_DomainSigma[axis] = this->GetInput()->GetSpacing()[axis];
    }
  }
  cudaneuro::BilateralParameters parameters;
  parameters.domainSigma = CudaNeuroDetail::ThreeAxes(m_DomainSigma, ImageDimension, 1.0);
  parameters.rangeSigma = m_RangeSigma;
  parameters.radius = CudaNeuroDetail::ThreeAxes(m_Radius, ImageDimension, 1, "Radius");
  parameters.useSpacing = m_UseImageSpacing;
  cudaneuro::Bilateral(context,
                       parameters,
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
  os << indent << "DomainSigma: " << m_DomainSigma << std::endl;
  os << indent << "RangeSigma: " << m_RangeSigma << std::endl;
  os << indent << "Radius: " << m_Radius << std::endl;
  os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
