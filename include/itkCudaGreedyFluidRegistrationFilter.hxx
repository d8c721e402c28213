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
  m_Equation.SetTo(parameters);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaGreedyFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                            Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "VelocityMethod: " << m_VelocityMethod << std::endl;
  m_Equation.Print(os, indent);
}

} // namespace itk

#endif
