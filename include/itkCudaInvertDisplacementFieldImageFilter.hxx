// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaInvertDisplacementFieldImageFilter_hxx
#define itkCudaInvertDisplacementFieldImageFilter_hxx

#include "itkCudaInvertDisplacementFieldImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaInvertDisplacementFieldImageFilter<TInputImage, TOutputImage>::CudaInvertDisplacementFieldImageFilter()
{
  this->SetPrimaryInputName("DisplacementField");
}

template <typename TInputImage, typename TOutputImage>
void
CudaInvertDisplacementFieldImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  cudaneuro::InversionParameters parameters;
  parameters.maximumNumberOfIterations =
    CudaNeuroDetail::ToInt(m_MaximumNumberOfIterations, "MaximumNumberOfIterations");
  parameters.tolerance = m_MaxErrorToleranceThreshold;
  const cudaneuro::InversionResult result =
    cudaneuro::InvertDisplacementField(context,
                                       parameters,
                                       CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput()),
                                       CudaNeuroDetail::FieldOf(this->GetInput()),
                                       CudaNeuroDetail::FieldOf(this->GetOutput()));
  m_NumberOfIterations = static_cast<unsigned int>(result.numberOfIterations);
  m_MeanErrorNorm = result.meanResidual;
  m_MaxErrorNorm = result.maximumResidual;
}

template <typename TInputImage, typename TOutputImage>
void
CudaInvertDisplacementFieldImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "MaximumNumberOfIterations: " << m_MaximumNumberOfIterations << std::endl;
  os << indent << "MaxErrorToleranceThreshold: " << m_MaxErrorToleranceThreshold << std::endl;
  os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
  os << indent << "MeanErrorNorm: " << m_MeanErrorNorm << std::endl;
  os << indent << "MaxErrorNorm: " << m_MaxErrorNorm << std::endl;
}

} // namespace itk

#endif
