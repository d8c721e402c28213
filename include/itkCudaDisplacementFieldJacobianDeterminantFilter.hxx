// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDisplacementFieldJacobianDeterminantFilter_hxx
#define itkCudaDisplacementFieldJacobianDeterminantFilter_hxx

#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaDisplacementFieldJacobianDeterminantFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os,
                                                                                     Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "ComputeMap: " << (m_ComputeMap ? "On" : "Off") << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_Result.numberOfFoldedVoxels << std::endl;
  os << indent << "Minimum: " << m_Result.minimum << std::endl;
  os << indent << "Maximum: " << m_Result.maximum << std::endl;
  os << indent << "MeanLogarithm: " << m_Result.meanLogarithm << std::endl;
  os << indent << "StandardDeviationLogarithm: " << m_Result.standardDeviationLogarithm << std::endl;
  os << indent << "LowerPercentile: " << m_Result.lowerPercentile << std::endl;
  os << indent << "UpperPercentile: " << m_Result.upperPercentile << std::endl;
}

} // namespace itk

#endif
