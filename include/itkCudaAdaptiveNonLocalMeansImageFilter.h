// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAdaptiveNonLocalMeansImageFilter_h
#define itkCudaAdaptiveNonLocalMeansImageFilter_h

#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/NoiseMap.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroNoiseMap.h"

namespace itk
{

/** \class CudaAdaptiveNonLocalMeansImageFilter
 * \brief Denoises an image without a strength to choose, by groups of similar blocks, on a CUDA device or the
 * CPU.
 *
 * Similar blocks of 4 x 4 x 4 voxels form groups. Each coefficient of their cosine transforms is shrunk according
 * to how much it varies in its group beyond what the noise explains, in two passes (Lebrun et al. 2013).
 * cudaneuro::AdaptiveNonLocalMeans describes the details. If an axis of the image has fewer than 4 voxels, blocks
 * are 4 x 4 in planes.
 *
 * The noise is estimated at each voxel of the image, by cudaneuro::EstimateNoiseMap, unless it is set as one
 * number, NoiseStandardDeviation, or as a map, NoiseMapImage. It must be independent from voxel to voxel.
 *
 * Magnitude MR images have Rician noise; RicianCorrection removes the bias that this leaves in dark regions (Koay
 * and Basser 2006). The estimate of the noise takes it into account as well.
 *
 * Voxels outside the mask, infinite or NaN keep their value, and nothing inside depends on them; so do voxels
 * where the noise map is 0. GetNumberOfVoxelsWithoutNoise() counts the latter inside the mask.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaAdaptiveNonLocalMeansImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaAdaptiveNonLocalMeansImageFilter);

  using Self = CudaAdaptiveNonLocalMeansImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaAdaptiveNonLocalMeansImageFilter);

  using Superclass::ImageDimension;
  using NoiseMapImageType = ImageBase<TInputImage::ImageDimension>;

  /** Sets all parameters at once, as the engine's struct. Its noise needs AutomaticNoiseEstimation to be off. */
  itkCudaNeuroParametersMacro(cudaneuro::AdaptiveNonLocalMeansParameters);

  /** Multiple of the noise that is removed; larger values smooth more. 0.01 to 100. Default 1. */
  itkCudaNeuroParameterMacro(SmoothingFactor, double, smoothingFactor);

  /** Remove the bias of Rician noise. Off by default. */
  itkCudaNeuroBooleanParameterMacro(RicianCorrection, ricianCorrection);

  /** Estimate the noise at each voxel of the image. On by default; SetNoiseStandardDeviation turns it off. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticNoiseEstimation);

  /** Standard deviation of the noise of all voxels, in intensity units. 1e-30 to 1e30. With AutomaticNoiseEstimation,
   * the getter returns the mean of the map that the last update estimated. */
  void
  SetNoiseStandardDeviation(double sigma)
  {
    this->SetAutomaticNoiseEstimation(false);
    if (CudaNeuroDetail::ChangesParameter(sigma, m_Parameters.noiseStandardDeviation, "NoiseStandardDeviation"))
    {
      this->Modified();
    }
  }
  double
  GetNoiseStandardDeviation() const
  {
    return m_Parameters.noiseStandardDeviation;
  }

  /** The standard deviation of the noise at each voxel, as CudaNoiseMapImageFilter computes it: an Image or a
   * DeviceImage of float, with the geometry of the input. Optional. It replaces NoiseStandardDeviation and the
   * estimate. Voxels where the map is 0 are excluded. Negative values, infinite ones and NaN are refused. */
  itkCudaNeuroSetGetInputMacro(NoiseMapImage, NoiseMapImageType);

  /** Result of the last update: voxels where the noise map, given or estimated, is 0, which were left unchanged. */
  itkGetConstMacro(NumberOfVoxelsWithoutNoise, SizeValueType);

protected:
  CudaAdaptiveNonLocalMeansImageFilter()
  {
    m_Parameters.noiseStandardDeviation = 0.0; // until it is estimated from an image
  }
  ~CudaAdaptiveNonLocalMeansImageFilter() override = default;

  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "AutomaticNoiseEstimation: " << (m_AutomaticNoiseEstimation ? "On" : "Off") << std::endl;
    os << indent << "NumberOfVoxelsWithoutNoise: " << m_NumberOfVoxelsWithoutNoise << std::endl;
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  }

private:
  /** Denoises with one standard deviation for all voxels. */
  void
  ComputeWithNumber(cudaneuro::Context & context);

  /** Denoises with the noise standard deviation of each voxel. */
  void
  ComputeWithMap(cudaneuro::Context & context, const cudaneuro::ConstVolume & noise);

  /** Estimates the noise of each voxel, writes it to a volume of float, and denoises with it. */
  void
  ComputeWithEstimatedMap(cudaneuro::Context & context, const cudaneuro::Volume & map);

  /** Does the same in memory of the device, or of the host where the device has too little. */
  void
  ComputeWithEstimatedMap(cudaneuro::Context & context);

  cudaneuro::AdaptiveNonLocalMeansParameters m_Parameters;
  bool                                       m_AutomaticNoiseEstimation = true;
  SizeValueType                              m_NumberOfVoxelsWithoutNoise = 0;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaAdaptiveNonLocalMeansImageFilter.hxx"
#endif

#endif
