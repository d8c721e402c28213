// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAnisotropicDiffusionImageFilter_hxx
#define itkCudaAnisotropicDiffusionImageFilter_hxx

#include "itkCudaAnisotropicDiffusionImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
cudaneuro::Grid
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::GetGridFor(const char * what) const
{
  if (this->GetInput() == nullptr)
  {
    itkExceptionMacro(<< what << " needs the input: it depends on its size and spacing");
  }
  return this->GetGrid();
}

template <typename TInputImage, typename TOutputImage>
double
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::GetStableTimeStep() const
{
  return cudaneuro::StableTimeStep(
    m_Parameters.stencil, this->GetGridFor("GetStableTimeStep"), m_Parameters.useImageSpacing);
}

template <typename TInputImage, typename TOutputImage>
double
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::GetConductanceNoise() const
{
  return cudaneuro::ConductanceNoise(
    m_Parameters.stencil, this->GetGridFor("GetConductanceNoise"), m_Parameters.useImageSpacing);
}

template <typename TInputImage, typename TOutputImage>
void
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::SetKappaFromNoise(double standardDeviation)
{
  this->SetKappa(cudaneuro::UsualKappaFactor(m_Parameters.stencil) * standardDeviation * this->GetConductanceNoise());
}

template <typename TInputImage, typename TOutputImage>
void
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  const double stableTimeStep = this->GetStableTimeStep();
  if (m_Parameters.timeStep > stableTimeStep)
  {
    itkWarningMacro("The time step " << m_Parameters.timeStep << " is unstable: the limit for the stencil "
                                     << m_Parameters.stencil << " on this grid is " << stableTimeStep);
  }
  cudaneuro::AnisotropicDiffusion(context,
                                  m_Parameters,
                                  this->GetGrid(),
                                  CudaNeuroDetail::VolumeOf(this->GetInput()),
                                  this->GetMaskVolume(),
                                  CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
}

} // namespace itk

#endif
