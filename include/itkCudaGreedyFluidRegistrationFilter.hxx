// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGreedyFluidRegistrationFilter_hxx
#define itkCudaGreedyFluidRegistrationFilter_hxx

#include "itkCudaGreedyFluidRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaGreedyFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::CompleteParameters(
  cudaneuro::RegistrationParameters & parameters) const
{
  if (parameters.velocityMethod == VelocityMethodEnum::Gaussian)
  {
    itkExceptionMacro("VelocityMethod is Gaussian; it must be SuccessiveOverRelaxation or FourierTransform");
  }
}

} // namespace itk

#endif
