// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAdaptiveNonLocalMeansImageFilter_hxx
#define itkCudaAdaptiveNonLocalMeansImageFilter_hxx

#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
void
CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>::ComputeWithNumber(cudaneuro::Context & context)
{
  cudaneuro::AdaptiveNonLocalMeans(context,
                                   m_Parameters,
                                   this->GetGrid(),
                                   CudaNeuroDetail::VolumeOf(this->GetInput()),
                                   this->GetMaskVolume(),
                                   CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>::ComputeWithMap(cudaneuro::Context &           context,
                                                                                const cudaneuro::ConstVolume & noise)
{
  cudaneuro::AdaptiveNonLocalMeansParameters multiples = m_Parameters;
  multiples.noiseStandardDeviation = 1.0;
  const std::int64_t zeros = cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(context,
                                                                          multiples,
                                                                          this->GetGrid(),
                                                                          CudaNeuroDetail::VolumeOf(this->GetInput()),
                                                                          this->GetMaskVolume(),
                                                                          noise,
                                                                          CudaNeuroDetail::VolumeOf(this->GetOutput()));
  m_NumberOfVoxelsWithoutNoise = static_cast<SizeValueType>(zeros);
}

template <typename TInputImage, typename TOutputImage>
void
CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>::ComputeWithEstimatedMap(cudaneuro::Context & context,
                                                                                         const cudaneuro::Volume & map)
{
  cudaneuro::Context::ProgressSteps progress(context);
  progress.UpTo(0.05);
  cudaneuro::NoiseMapParameters parameters;
  parameters.ricianCorrection = m_Parameters.ricianCorrection;
  const cudaneuro::NoiseMapResult noise = cudaneuro::EstimateNoiseMap(
    context, parameters, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume(), map);
  if (noise.numberOfVoxels == 0)
  {
    itkExceptionMacro(
      "No voxel of the image tells of the noise: the image is constant, has fewer than two axes, or no voxels inside "
      "the mask that are neighbors along all axes; set NoiseStandardDeviation or NoiseMapImage");
  }
  m_Parameters.noiseStandardDeviation = noise.mean;
  progress.UpTo(1.0);
  this->ComputeWithMap(context, { map.data, map.type, map.space });
}

template <typename TInputImage, typename TOutputImage>
void
CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>::ComputeWithEstimatedMap(cudaneuro::Context & context)
{
  using cudaneuro::MemorySpace;
  using cudaneuro::PixelType;
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(this->GetGrid().NumberOfVoxels());
  if (context.GetDevice().IsCuda())
  {
    try
    {
      const cudaneuro::DeviceMemory memory = context.Allocate(bytes);
      this->ComputeWithEstimatedMap(context, { memory.Data(), PixelType::Float, MemorySpace::Device });
      return;
    }
    catch (const cudaneuro::OutOfMemoryError &)
    {
      // A map in host memory is uploaded in slabs, as the image is.
    }
  }
  const std::shared_ptr<void> memory = cudaneuro::AllocatePinned(context.GetDevice(), bytes);
  this->ComputeWithEstimatedMap(context, { memory.get(), PixelType::Float, MemorySpace::Host });
}

template <typename TInputImage, typename TOutputImage>
void
CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  m_NumberOfVoxelsWithoutNoise = 0;
  if (this->GetNoiseMapImage() != nullptr)
  {
    this->ComputeWithMap(
      context,
      CudaNeuroDetail::NoiseVolumeOf<ImageDimension>(this, this->GetNoiseMapImage(), this->GetComputeDevice()));
  }
  else if (m_AutomaticNoiseEstimation)
  {
    this->ComputeWithEstimatedMap(context);
  }
  else
  {
    this->ComputeWithNumber(context);
  }
}

} // namespace itk

#endif
