// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDisplacementFieldJacobianDeterminantFilter_hxx
#define itkCudaDisplacementFieldJacobianDeterminantFilter_hxx

#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaDisplacementFieldJacobianDeterminantFilter<TInputImage, TOutputImage>::AllocateOutputs()
{
  if (m_ComputeMap)
  {
    Superclass::AllocateOutputs();
  }
  else
  {
    this->GetOutput()->SetBufferedRegion(typename TOutputImage::RegionType());
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaDisplacementFieldJacobianDeterminantFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  const cudaneuro::JacobianResult result = cudaneuro::DisplacementFieldJacobianDeterminant(
    context,
    CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput()),
    CudaNeuroDetail::FieldOf(this->GetInput()),
    m_ComputeMap ? CudaNeuroDetail::VolumeOf(this->GetOutput()) : cudaneuro::Volume());
  m_NumberOfFoldedVoxels = static_cast<SizeValueType>(result.numberOfFoldedVoxels);
  m_Minimum = result.minimum;
  m_Maximum = result.maximum;
  m_MeanLogarithm = result.meanLogarithm;
  m_StandardDeviationLogarithm = result.standardDeviationLogarithm;
  m_LowerPercentile = result.lowerPercentile;
  m_UpperPercentile = result.upperPercentile;
}

template <typename TInputImage, typename TOutputImage>
void
CudaDisplacementFieldJacobianDeterminantFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os,
                                                                                     Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ComputeMap: " << (m_ComputeMap ? "On" : "Off") << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_NumberOfFoldedVoxels << std::endl;
  os << indent << "Minimum: " << m_Minimum << std::endl;
  os << indent << "Maximum: " << m_Maximum << std::endl;
  os << indent << "MeanLogarithm: " << m_MeanLogarithm << std::endl;
  os << indent << "StandardDeviationLogarithm: " << m_StandardDeviationLogarithm << std::endl;
  os << indent << "LowerPercentile: " << m_LowerPercentile << std::endl;
  os << indent << "UpperPercentile: " << m_UpperPercentile << std::endl;
}

} // namespace itk

#endif
