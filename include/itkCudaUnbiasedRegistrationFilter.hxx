// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaUnbiasedRegistrationFilter_hxx
#define itkCudaUnbiasedRegistrationFilter_hxx

#include "itkCudaUnbiasedRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaUnbiasedRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetUpdateFieldStandardDeviations(
  double value)
{
  StandardDeviationsType values;
  values.Fill(value);
  this->SetUpdateFieldStandardDeviations(values);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaUnbiasedRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetMethod(
  cudaneuro::RegistrationParameters & parameters) const
{
  // A Gaussian this narrow has no weight beyond its centre.
  constexpr double identity = 0.01;
  parameters.solver = cudaneuro::VelocitySolver::Gaussian;
  parameters.useDeformedGradient = false;
  parameters.unbiasedWeight = m_UnbiasedWeight;
  parameters.sigma = { identity, identity, identity };
  if (m_SmoothUpdateField)
  {
    parameters.sigma = CudaNeuroEngine::ThreeAxes<double>(m_UpdateFieldStandardDeviations, ImageDimension, identity);
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaUnbiasedRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                         Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "UnbiasedWeight: " << m_UnbiasedWeight << std::endl;
  os << indent << "UpdateFieldStandardDeviations: " << m_UpdateFieldStandardDeviations << std::endl;
  os << indent << "SmoothUpdateField: " << (m_SmoothUpdateField ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
