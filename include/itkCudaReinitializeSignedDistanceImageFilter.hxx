// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaReinitializeSignedDistanceImageFilter_hxx
#define itkCudaReinitializeSignedDistanceImageFilter_hxx

#include "itkCudaReinitializeSignedDistanceImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaReinitializeSignedDistanceImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  m_UsedReach = CudaNeuroDetail::UsedReach(m_Parameters.reach, this->GetGrid());
  const cudaneuro::SignedDistanceParameters parameters{ m_UsedReach };
  cudaneuro::ReinitializeSignedDistance(context,
                                        parameters,
                                        this->GetGrid(),
                                        CudaNeuroDetail::VolumeOf(this->GetInput()),
                                        CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaReinitializeSignedDistanceImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, 3);
  os << indent << "UsedReach: " << m_UsedReach << std::endl;
}

} // namespace itk

#endif
