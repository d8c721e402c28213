// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAnisotropicDiffusionImageFilter_hxx
#define itkCudaAnisotropicDiffusionImageFilter_hxx

#include "itkCudaAnisotropicDiffusionImageFilter.h"

#include <algorithm>
#include <limits>

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
  return cudaneuro::StableTimeStep(m_Stencil, this->GetGridFor("GetStableTimeStep"), m_UseImageSpacing);
}

template <typename TInputImage, typename TOutputImage>
double
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::GetConductanceNoise() const
{
  return cudaneuro::ConductanceNoise(m_Stencil, this->GetGridFor("GetConductanceNoise"), m_UseImageSpacing);
}

template <typename TInputImage, typename TOutputImage>
void
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::SetKappaFromNoise(double standardDeviation)
{
  this->SetKappa(cudaneuro::UsualKappaFactor(m_Stencil) * standardDeviation * this->GetConductanceNoise());
}

template <typename TInputImage, typename TOutputImage>
void
CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  const double stableTimeStep = this->GetStableTimeStep();
  if (m_TimeStep > stableTimeStep)
  {
    itkWarningMacro("The time step " << m_TimeStep << " is unstable: the limit for the stencil " << m_Stencil
                                     << " on this grid is " << stableTimeStep);
  }
  cudaneuro::AnisotropicDiffusionParameters parameters;
  parameters.stencil = m_Stencil;
  parameters.conductance = m_Conductance;
  parameters.numberOfIterations =
    static_cast<int>(std::min<unsigned int>(m_NumberOfIterations, std::numeric_limits<int>::max()));
  parameters.timeStep = m_TimeStep;
  parameters.kappa = m_Kappa;
  parameters.useSpacing = m_UseImageSpacing;
  cudaneuro::AnisotropicDiffusion(context,
                                  parameters,
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
  os << indent << "Stencil: " << m_Stencil << std::endl;
  os << indent << "Conductance: " << m_Conductance << std::endl;
  os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
  os << indent << "TimeStep: " << m_TimeStep << std::endl;
  os << indent << "Kappa: " << m_Kappa << std::endl;
  os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
