// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansImageFilter_hxx
#define itkCudaNonLocalMeansImageFilter_hxx

#include "itkCudaNonLocalMeansImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::CudaNonLocalMeansImageFilter()
{
  const cudaneuro::NonLocalMeansParameters defaults;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    m_WindowRadius[axis] = defaults.windowRadius[axis];
    m_PatchRadius[axis] = defaults.patchRadius[axis];
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::SetSmoothingParameter(double h)
{
  this->SetAutomaticSmoothing(false);
  if (m_SmoothingParameter != h)
  {
    m_SmoothingParameter = h;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::SetNoiseStandardDeviation(double sigma)
{
  this->SetAutomaticNoiseEstimation(false);
  if (m_NoiseStandardDeviation != sigma)
  {
    m_NoiseStandardDeviation = sigma;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::DeriveFromNoise(cudaneuro::Context & context)
{
  if (m_AutomaticNoiseEstimation && (m_AutomaticSmoothing || m_RicianCorrection))
  {
    m_NoiseStandardDeviation = cudaneuro::EstimateNoiseSigma(
      context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
  }
  if (!m_AutomaticSmoothing)
  {
    return;
  }
  if (!(m_NoiseStandardDeviation > 0.0))
  {
    itkExceptionMacro("No smoothing parameter can be derived from a noise standard deviation of "
                      << m_NoiseStandardDeviation << "; set SmoothingParameter");
  }
  if (!(m_SmoothingFactor >= 0.0))
  {
    itkExceptionMacro("SmoothingFactor must not be negative; it is " << m_SmoothingFactor);
  }
  const double factor =
    m_SmoothingFactor > 0.0 ? m_SmoothingFactor : cudaneuro::RecommendedSmoothingFactor(m_Weighting);
  m_SmoothingParameter = factor * m_NoiseStandardDeviation;
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, 0.05);
    this->DeriveFromNoise(context);
  }
  cudaneuro::NonLocalMeansParameters parameters;
  parameters.weighting = m_Weighting;
  parameters.centerWeight = m_CenterWeight;
  parameters.windowRadius = CudaNeuroDetail::ThreeAxes(m_WindowRadius, ImageDimension, 1, "WindowRadius");
  parameters.patchRadius = CudaNeuroDetail::ThreeAxes(m_PatchRadius, ImageDimension, 0, "PatchRadius");
  parameters.smoothing = m_SmoothingParameter;
  parameters.ricianCorrection = m_RicianCorrection;
  parameters.noiseSigma = m_NoiseStandardDeviation;
  const cudaneuro::Context::ProgressRange progress(context, 0.05, 1.0);
  cudaneuro::NonLocalMeans(context,
                           parameters,
                           this->GetGrid(),
                           CudaNeuroDetail::VolumeOf(this->GetInput()),
                           this->GetMaskVolume(),
                           CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Weighting: " << m_Weighting << std::endl;
  os << indent << "CenterWeight: " << m_CenterWeight << std::endl;
  os << indent << "WindowRadius: " << m_WindowRadius << std::endl;
  os << indent << "PatchRadius: " << m_PatchRadius << std::endl;
  os << indent << "AutomaticSmoothing: " << (m_AutomaticSmoothing ? "On" : "Off") << std::endl;
  os << indent << "SmoothingParameter: " << m_SmoothingParameter << std::endl;
  os << indent << "SmoothingFactor: " << m_SmoothingFactor << std::endl;
  os << indent << "AutomaticNoiseEstimation: " << (m_AutomaticNoiseEstimation ? "On" : "Off") << std::endl;
  os << indent << "NoiseStandardDeviation: " << m_NoiseStandardDeviation << std::endl;
  os << indent << "RicianCorrection: " << (m_RicianCorrection ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
