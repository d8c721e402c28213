// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGradientImageFilter_hxx
#define itkCudaGradientImageFilter_hxx

#include "itkCudaGradientImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaGradientImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  cudaneuro::Geometry geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput());
  if (!m_UseImageSpacing)
  {
    geometry.grid.spacing = cudaneuro::Grid().spacing;
  }
  if (!m_UseImageDirection)
  {
    geometry.direction = cudaneuro::Geometry().direction;
  }
  cudaneuro::ImageGradient(
    context, geometry, CudaNeuroDetail::VolumeOf(this->GetInput()), CudaNeuroDetail::FieldOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaGradientImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
  os << indent << "UseImageDirection: " << (m_UseImageDirection ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
