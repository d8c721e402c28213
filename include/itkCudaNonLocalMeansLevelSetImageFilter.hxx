// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansLevelSetImageFilter_hxx
#define itkCudaNonLocalMeansLevelSetImageFilter_hxx

#include "itkCudaNonLocalMeansLevelSetImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
cudaneuro::NonLocalMeansLevelSetParameters
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::GetParameters() const
{
  cudaneuro::NonLocalMeansLevelSetParameters parameters;
  parameters.bandWidth = m_BandWidth;
  parameters.patchSize = CudaNeuroDetail::ToInt(m_PatchSize, "PatchSize");
  parameters.numberOfNeighbors = CudaNeuroDetail::ToInt(m_NumberOfNeighbors, "NumberOfNeighbors");
  parameters.spatialScale = m_SpatialScale;
  parameters.similarityScale = m_SimilarityScale;
  parameters.numberOfIterations = CudaNeuroDetail::ToInt(m_NumberOfIterations, "NumberOfIterations");
  parameters.numberOfPasses = CudaNeuroDetail::ToInt(m_NumberOfPasses, "NumberOfPasses");
  parameters.reinitialize = m_Reinitialize;
  parameters.volumeCorrection = m_VolumeCorrection;
  return parameters;
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::SetResult(
  const cudaneuro::NonLocalMeansLevelSetResult & result)
{
  m_UsedBandWidth = result.bandWidth;
  m_UsedSpatialScale = result.spatialScale;
  m_UsedSimilarityScale = result.similarityScale;
  m_NumberOfBandVoxels = static_cast<SizeValueType>(result.bandVoxels);
  m_TimeStep = result.timeStep;
  m_LowGradientNorm = result.lowGradientNorm;
  m_HighGradientNorm = result.highGradientNorm;
  m_VolumeBefore = result.volumeBefore;
  m_VolumeAfter = result.volumeAfter;
  m_VolumeOffset = result.volumeOffset;
  // Noise and edges change the norm of a distance, too, but not as much as this for one voxel in twenty.
  if (!(m_LowGradientNorm >= 0.5 && m_HighGradientNorm <= 1.5))
  {
    itkWarningMacro("The input is not a signed distance: the norm of its gradient in the band is from "
                    << m_LowGradientNorm << " to " << m_HighGradientNorm
                    << " (5 and 95 % quantiles), and should be 1. CudaReinitializeSignedDistanceImageFilter makes a "
                       "distance of it");
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  this->SetResult(cudaneuro::NonLocalMeansLevelSet(context,
                                                   this->GetParameters(),
                                                   this->GetGrid(),
                                                   CudaNeuroDetail::VolumeOf(this->GetInput()),
                                                   this->GetMaskVolume(),
                                                   CudaNeuroDetail::VolumeOf(this->GetOutput())));
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansLevelSetImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "BandWidth: " << m_BandWidth << std::endl;
  os << indent << "PatchSize: " << m_PatchSize << std::endl;
  os << indent << "NumberOfNeighbors: " << m_NumberOfNeighbors << std::endl;
  os << indent << "SpatialScale: " << m_SpatialScale << std::endl;
  os << indent << "SimilarityScale: " << m_SimilarityScale << std::endl;
  os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
  os << indent << "NumberOfPasses: " << m_NumberOfPasses << std::endl;
  os << indent << "Reinitialize: " << (m_Reinitialize ? "On" : "Off") << std::endl;
  os << indent << "VolumeCorrection: " << (m_VolumeCorrection ? "On" : "Off") << std::endl;
  os << indent << "UsedBandWidth: " << m_UsedBandWidth << std::endl;
  os << indent << "UsedSpatialScale: " << m_UsedSpatialScale << std::endl;
  os << indent << "UsedSimilarityScale: " << m_UsedSimilarityScale << std::endl;
  os << indent << "NumberOfBandVoxels: " << m_NumberOfBandVoxels << std::endl;
  os << indent << "TimeStep: " << m_TimeStep << std::endl;
  os << indent << "LowGradientNorm: " << m_LowGradientNorm << std::endl;
  os << indent << "HighGradientNorm: " << m_HighGradientNorm << std::endl;
  os << indent << "VolumeBefore: " << m_VolumeBefore << std::endl;
  os << indent << "VolumeAfter: " << m_VolumeAfter << std::endl;
  os << indent << "VolumeOffset: " << m_VolumeOffset << std::endl;
}

} // namespace itk

#endif
