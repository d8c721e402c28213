// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansLevelSetImageFilter_hxx
#define itkCudaNonLocalMeansLevelSetImageFilter_hxx

#include "itkCudaNonLocalMeansLevelSetImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  m_Result = cudaneuro::NonLocalMeansLevelSet(context,
                                              m_Parameters,
                                              this->GetGrid(),
                                              CudaNeuroDetail::VolumeOf(this->GetInput()),
                                              this->GetMaskVolume(),
                                              CudaNeuroDetail::VolumeOf(this->GetOutput()));
  // Noise and edges change the norm of a distance's gradient, too, but not as much as this for one voxel in twenty.
  if (!(m_Result.lowGradientNorm >= 0.5 && m_Result.highGradientNorm <= 1.5))
  {
    itkWarningMacro("The input is not a signed distance: the norm of its gradient in the band is from "
                    << m_Result.lowGradientNorm << " to " << m_Result.highGradientNorm
                    << " (5 and 95 % quantiles), and should be 1. CudaReinitializeSignedDistanceImageFilter makes a "
                       "distance of it");
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  os << indent << "UsedBandWidth: " << m_Result.bandWidth << std::endl;
  os << indent << "UsedSpatialScale: " << m_Result.spatialScale << std::endl;
  os << indent << "UsedSimilarityScale: " << m_Result.similarityScale << std::endl;
  os << indent << "NumberOfBandVoxels: " << m_Result.bandVoxels << std::endl;
  os << indent << "TimeStep: " << m_Result.timeStep << std::endl;
  os << indent << "LowGradientNorm: " << m_Result.lowGradientNorm << std::endl;
  os << indent << "HighGradientNorm: " << m_Result.highGradientNorm << std::endl;
  os << indent << "VolumeBefore: " << m_Result.volumeBefore << std::endl;
  os << indent << "VolumeAfter: " << m_Result.volumeAfter << std::endl;
  os << indent << "VolumeOffset: " << m_Result.volumeOffset << std::endl;
}

} // namespace itk

#endif
