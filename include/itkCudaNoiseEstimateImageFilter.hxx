// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNoiseEstimateImageFilter_hxx
#define itkCudaNoiseEstimateImageFilter_hxx

#include "cudaneuro/NoiseEstimate.h"
#include "itkCudaNoiseEstimateImageFilter.h"

namespace itk
{

template <typename TInputImage>
void
CudaNoiseEstimateImageFilter<TInputImage>::Compute(cudaneuro::Context & context)
{
  m_NoiseStandardDeviation = cudaneuro::EstimateNoiseSigma(
    context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
}

template <typename TInputImage>
void
CudaNoiseEstimateImageFilter<TInputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "NoiseStandardDeviation: " << m_NoiseStandardDeviation << std::endl;
}

} // namespace itk

#endif
