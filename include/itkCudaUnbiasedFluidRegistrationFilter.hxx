// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaUnbiasedFluidRegistrationFilter_hxx
#define itkCudaUnbiasedFluidRegistrationFilter_hxx

#include "itkCudaUnbiasedFluidRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaUnbiasedFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::CompleteParameters(
  cudaneuro::RegistrationParameters & parameters) const
{
  // A Gaussian this narrow has no weight beyond its center.
  constexpr double identity = 0.01;
  parameters.updateFieldStandardDeviations = { identity, identity, identity };
  if (m_SmoothUpdateField)
  {
    m_UpdateSmoothing.SetTo(parameters, identity);
  }
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaUnbiasedFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                              Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  m_UpdateSmoothing.Print(os, indent);
  os << indent << "SmoothUpdateField: " << (m_SmoothUpdateField ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
