// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansImageFilter_hxx
#define itkCudaNonLocalMeansImageFilter_hxx

#include "itkCudaNonLocalMeansImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::DeriveFromNoise(cudaneuro::Context & context)
{
  if (m_AutomaticNoiseEstimation && (m_AutomaticSmoothing || m_Parameters.ricianCorrection))
  {
    m_Parameters.noiseStandardDeviation = cudaneuro::EstimateNoiseSigma(
      context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
  }
  if (!m_AutomaticSmoothing)
  {
    if (m_AutomaticNoiseEstimation && m_Parameters.ricianCorrection && !(m_Parameters.noiseStandardDeviation > 0.0))
    {
      itkExceptionMacro("The noise is estimated to be 0, from which no Rician correction follows; set "
                        "NoiseStandardDeviation");
    }
    return;
  }
  if (!(m_Parameters.noiseStandardDeviation > 0.0))
  {
    itkExceptionMacro("No smoothing parameter can be derived from a noise standard deviation of "
                      << m_Parameters.noiseStandardDeviation << "; set SmoothingParameter");
  }
  m_Parameters.smoothingParameter = this->UsedSmoothingFactor() * m_Parameters.noiseStandardDeviation;
}

template <typename TInputImage, typename TOutputImage>
double
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::UsedSmoothingFactor() const
{
  return CudaNeuroDetail::UsedNoiseFactor(
    this, "SmoothingFactor", m_SmoothingFactor, cudaneuro::RecommendedSmoothingFactor(m_Parameters.weighting));
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::ComputeWithMap(cudaneuro::Context & context)
{
  CudaNeuroDetail::RequireAutomaticBesideMap(this, m_AutomaticSmoothing, "SmoothingParameter", "SmoothingFactor");
  cudaneuro::NonLocalMeansParameters multiples = m_Parameters;
  multiples.smoothingParameter = this->UsedSmoothingFactor();
  multiples.noiseStandardDeviation = 1.0;
  const std::int64_t zeros = cudaneuro::NonLocalMeansWithNoiseMap(
    context,
    multiples,
    this->GetGrid(),
    CudaNeuroDetail::VolumeOf(this->GetInput()),
    this->GetMaskVolume(),
    CudaNeuroDetail::NoiseVolumeOf<ImageDimension>(this, this->GetNoiseMapImage(), this->GetComputeDevice()),
    CudaNeuroDetail::VolumeOf(this->GetOutput()));
  m_NumberOfVoxelsWithoutNoise = static_cast<SizeValueType>(zeros);
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  m_NumberOfVoxelsWithoutNoise = 0;
  if (this->GetNoiseMapImage() != nullptr)
  {
    this->ComputeWithMap(context);
    return;
  }
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, 0.05);
    this->DeriveFromNoise(context);
  }
  const cudaneuro::Context::ProgressRange progress(context, 0.05, 1.0);
  cudaneuro::NonLocalMeans(context,
                           m_Parameters,
                           this->GetGrid(),
                           CudaNeuroDetail::VolumeOf(this->GetInput()),
                           this->GetMaskVolume(),
                           CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

} // namespace itk

#endif
