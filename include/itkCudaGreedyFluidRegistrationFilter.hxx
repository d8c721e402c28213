// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGreedyFluidRegistrationFilter_hxx
#define itkCudaGreedyFluidRegistrationFilter_hxx

#include "itkCudaGreedyFluidRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaGreedyFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetMethod(
  cudaneuro::RegistrationParameters & parameters) const
{
  if (m_VelocityMethod == VelocityMethodEnum::Gaussian)
  {
    itkExceptionMacro("VelocityMethod is Gaussian; it must be SuccessiveOverRelaxation or FourierTransform");
  }
  parameters.solver = m_VelocityMethod;
  parameters.useDeformedGradient = true;
  parameters.unbiasedWeight = 0.0;
  parameters.alpha = m_Alpha;
  parameters.beta = m_Beta;
  parameters.gamma = m_Gamma;
  const std::array<unsigned int, 3> sweeps{ m_FirstSweeps, m_Sweeps, 0 };
  const std::array<int, 3>          engineSweeps = CudaNeuroDetail::ThreeAxes<int>(sweeps, 2, 0);
  parameters.firstSweeps = engineSweeps[0];
  parameters.sweeps = engineSweeps[1];
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaGreedyFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                            Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "VelocityMethod: " << m_VelocityMethod << std::endl;
  os << indent << "Alpha: " << m_Alpha << std::endl;
  os << indent << "Beta: " << m_Beta << std::endl;
  os << indent << "Gamma: " << m_Gamma << std::endl;
  os << indent << "FirstSweeps: " << m_FirstSweeps << std::endl;
  os << indent << "Sweeps: " << m_Sweeps << std::endl;
}

} // namespace itk

#endif
