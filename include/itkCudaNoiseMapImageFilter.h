// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNoiseMapImageFilter_h
#define itkCudaNoiseMapImageFilter_h

#include "cudaneuro/NoiseMap.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

namespace itk
{

/** \class CudaNoiseMapImageFilter
 * \brief Estimates the standard deviation of the noise at each voxel of an image, on a CUDA device or the CPU.
 *
 * It is for noise that is independent from voxel to voxel, and whose strength varies smoothly: coils in parallel and
 * the correction of a bias field make it two to four times as strong in the middle of a head as at its edge.
 * cudaneuro::EstimateNoiseMap describes the method. In the head the error is 2 to 5 % on average where the noise is 1
 * to 15 % of the brightest tissue.
 *
 * Voxels outside the mask, infinite or NaN are excluded: the map is 0 there. It is also 0 where nothing nearby shows
 * the noise, because the image is constant; GetNumberOfExcludedVoxels() counts these. Images need two axes longer than
 * one voxel.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = Image<float, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaNoiseMapImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNoiseMapImageFilter);

  using Self = CudaNoiseMapImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaNoiseMapImageFilter);

  /** Sets all parameters at once, as the engine's struct. */
  itkCudaNeuroParametersMacro(cudaneuro::NoiseMapParameters);

  /** Standard deviation of the Gaussian over which the noise is averaged, in voxels. 4 to 1000, or 0, the default, for
   * 8 voxels, and 16 in planes. */
  itkCudaNeuroParameterMacro(SmoothingSigma, double, smoothingSigma);

  /** Correct for Rician noise, which magnitude MR images have: the map is the standard deviation of the noise in the
   * real and the imaginary part. Without the correction, it is that of the magnitudes, which is smaller where there is
   * little signal. Off by default. */
  itkCudaNeuroBooleanParameterMacro(RicianCorrection, ricianCorrection);

  /** Results of the last update: mean and range of the map where it is above 0; NaN if it is 0 everywhere. */
  itkCudaNeuroGetResultMacro(MeanNoise, double, mean);
  itkCudaNeuroGetResultMacro(MinimumNoise, double, minimum);
  itkCudaNeuroGetResultMacro(MaximumNoise, double, maximum);

  /** Results of the last update: number of voxels of the map above 0, and of included voxels without any near them from
   * which noise can be estimated. */
  itkCudaNeuroGetResultMacro(NumberOfVoxels, SizeValueType, numberOfVoxels);
  itkCudaNeuroGetResultMacro(NumberOfExcludedVoxels, SizeValueType, numberOfExcludedVoxels);

  /** Result of the last update: SmoothingSigma, or the value that was used for 0. */
  itkCudaNeuroGetResultMacro(UsedSmoothingSigma, double, smoothingSigma);

protected:
  CudaNoiseMapImageFilter() = default;
  ~CudaNoiseMapImageFilter() override = default;

  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    m_Result = cudaneuro::EstimateNoiseMap(context,
                                           m_Parameters,
                                           this->GetGrid(),
                                           CudaNeuroDetail::VolumeOf(this->GetInput()),
                                           this->GetMaskVolume(),
                                           CudaNeuroDetail::VolumeOf(this->GetOutput()));
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, TInputImage::ImageDimension);
    os << indent << "MeanNoise: " << m_Result.mean << std::endl;
    os << indent << "MinimumNoise: " << m_Result.minimum << std::endl;
    os << indent << "MaximumNoise: " << m_Result.maximum << std::endl;
    os << indent << "NumberOfVoxels: " << m_Result.numberOfVoxels << std::endl;
    os << indent << "NumberOfExcludedVoxels: " << m_Result.numberOfExcludedVoxels << std::endl;
    os << indent << "UsedSmoothingSigma: " << m_Result.smoothingSigma << std::endl;
  }

private:
  cudaneuro::NoiseMapParameters m_Parameters;
  cudaneuro::NoiseMapResult     m_Result;
};

} // namespace itk

#endif
