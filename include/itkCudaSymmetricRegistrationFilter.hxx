// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaSymmetricRegistrationFilter_hxx
#define itkCudaSymmetricRegistrationFilter_hxx

#include "itkCudaSymmetricRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
auto
CudaSymmetricRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::GetGridOfLevels() const
  -> const ImageBase<ImageDimension> *
{
  const TFixedImage * const  fixed = this->GetFixedImage();
  const TMovingImage * const moving = this->GetMovingImage();
  if (fixed == nullptr || moving == nullptr)
  {
    return fixed;
  }
  const bool isFixed = cudaneuro::HasMiddleVoxels(CudaNeuroDetail::GeometryOf<ImageDimension>(fixed),
                                                  CudaNeuroDetail::GeometryOf<ImageDimension>(moving));
  if (isFixed)
  {
    return fixed;
  }
  return moving;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaSymmetricRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::SetMethod(
  cudaneuro::RegistrationParameters & parameters) const
{
  // Of an axis that the image does not have.
  constexpr double none = 0.01;
  parameters.isSymmetric = true;
  parameters.useDeformedGradient = false;
  parameters.unbiasedWeight = m_UnbiasedWeight;
  parameters.solver = m_VelocityMethod;
  m_UpdateSmoothing.SetTo(parameters, none);
  m_Equation.SetTo(parameters);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaSymmetricRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                          Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "UnbiasedWeight: " << m_UnbiasedWeight << std::endl;
  os << indent << "VelocityMethod: " << m_VelocityMethod << std::endl;
  m_UpdateSmoothing.Print(os, indent);
  m_Equation.Print(os, indent);
}

} // namespace itk

#endif
