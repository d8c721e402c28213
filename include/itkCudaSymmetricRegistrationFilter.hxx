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
CudaSymmetricRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::CompleteParameters(
  cudaneuro::RegistrationParameters & parameters) const
{
  // The standard deviation along an axis that the image does not have.
  constexpr double none = 0.01;
  m_UpdateSmoothing.SetTo(parameters, none);
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaSymmetricRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                          Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  m_UpdateSmoothing.Print(os, indent);
}

} // namespace itk

#endif
