// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansImageFilter_h
#define itkCudaNonLocalMeansImageFilter_h

#include "cudaneuro/NoiseEstimate.h"
#include "cudaneuro/NonLocalMeans.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroNoiseMap.h"

namespace itk
{

/** \class CudaNonLocalMeansImageFilter
 * \brief Denoises an image by averages of voxels with similar surroundings, on a CUDA device or the CPU.
 *
 * Each voxel becomes the mean of the voxels of a search window, weighted by the similarity of the patches around them
 * (Buades et al. 2005; Howison, eq. 8-10), exactly, by one box filter for each offset of the window (Darbon et al.
 * 2008). There are two weightings: PatchSum, Howison's eq. 9, \f$ w(i,j) = \sum_d \exp(-(V_{i+d}-V_{j+d})^2 / 2h^2)
 * \f$, and PatchDistance, Buades', \f$ w(i,j) = \exp(-\mathrm{mean}_d (V_{i+d}-V_{j+d})^2 / h^2) \f$, which denoises
 * brain MR images far better and is the default. A window radius of 3 and a patch radius of 2 give the best structural
 * similarity on them (Howison, section 4.1).
 *
 * The smoothing parameter h follows the noise unless it is set: it is SmoothingFactor times the noise's standard
 * deviation, which is estimated from the image unless it is set, too.
 *
 * Magnitude MR images have Rician noise; RicianCorrection removes the bias that this leaves in dark regions
 * (Wiest-Daesslé et al. 2008), and sets air to 0: the result is \f$ \sqrt{\max(\overline{V^2} - a, 0)} \f$, where a is
 * \f$ 2\sigma^2 (1 + 3 / \sqrt{n}) \f$ with n the number of voxels in the window.
 *
 * Where the noise varies in space, NoiseMapImage gives its strength at each voxel, and h is SmoothingFactor times that.
 *
 * Voxels outside the mask, infinite or NaN keep their value, have no weight in others, and are excluded from patches.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaNonLocalMeansImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNonLocalMeansImageFilter);

  using Self = CudaNonLocalMeansImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaNonLocalMeansImageFilter);

  using Superclass::ImageDimension;
  using SizeType = Size<ImageDimension>;
  using WeightingEnum = cudaneuro::NonLocalMeansWeighting;
  using CenterWeightEnum = cudaneuro::NonLocalMeansCenterWeight;
  using NoiseMapImageType = ImageBase<TInputImage::ImageDimension>;

  /** Sets all parameters at once, as the engine's struct. Its smoothing parameter and noise need AutomaticSmoothing and
   * AutomaticNoiseEstimation to be off. */
  itkCudaNeuroParametersMacro(cudaneuro::NonLocalMeansParameters);

  /** How similarity becomes a weight: PatchSum or PatchDistance. Default PatchDistance. */
  itkCudaNeuroEnumParameterMacro(Weighting, WeightingEnum, weighting);

  /** Weight of a voxel in its own mean under PatchDistance: One, or Maximum, the largest weight of the others, but at
   * least 2^-64. Default Maximum. Under PatchSum it is the number of included voxels of its patch. */
  itkCudaNeuroEnumParameterMacro(CenterWeight, CenterWeightEnum, centerWeight);

  /** Half-width of the search window along each axis, in voxels. At least 1; default 3. */
  itkCudaNeuroAxesParameterMacro(WindowRadius, SizeType, SizeValueType, windowRadius);

  /** Half-width of the patches along each axis, in voxels. Default 2. */
  itkCudaNeuroAxesParameterMacro(PatchRadius, SizeType, SizeValueType, patchRadius);

  /** Derive SmoothingParameter from the noise. On by default; SetSmoothingParameter turns it off. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticSmoothing);

  /** h, in intensity units. 1e-30 to 1e30. With AutomaticSmoothing, the value that the last update used. */
  void
  SetSmoothingParameter(double h)
  {
    this->SetAutomaticSmoothing(false);
    if (CudaNeuroDetail::ChangesParameter(h, m_Parameters.smoothingParameter, "SmoothingParameter"))
    {
      this->Modified();
    }
  }
  double
  GetSmoothingParameter() const
  {
    return m_Parameters.smoothingParameter;
  }

  /** Ratio of h to the standard deviation of the noise, for AutomaticSmoothing. Positive, or 0, the default, for
   * cudaneuro::RecommendedSmoothingFactor of the weighting. */
  itkCudaNeuroSetGetMacro(SmoothingFactor, double);

  /** Estimate the noise from the image. On by default; SetNoiseStandardDeviation turns it off. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticNoiseEstimation);

  /** Standard deviation of the noise, in intensity units, for AutomaticSmoothing and RicianCorrection. Not negative.
   * With AutomaticNoiseEstimation, the getter returns the last estimate (cudaneuro::EstimateNoiseSigma). */
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
   * DeviceImage of float, with the geometry of the input. Optional. It replaces NoiseStandardDeviation, and h is
   * SmoothingFactor times the map (cudaneuro::NonLocalMeansWithNoiseMap); AutomaticSmoothing must be on. Voxels where
   * the map is 0 are excluded. Negative values, infinite ones and NaN are refused. */
  itkCudaNeuroSetGetInputMacro(NoiseMapImage, NoiseMapImageType);

  /** Result of the last update: voxels where the noise map is 0, which were left unchanged. */
  itkGetConstMacro(NumberOfVoxelsWithoutNoise, SizeValueType);

  /** Remove the bias of Rician noise. Off by default. */
  itkCudaNeuroBooleanParameterMacro(RicianCorrection, ricianCorrection);

protected:
  CudaNonLocalMeansImageFilter()
  {
    m_Parameters.smoothingParameter = 0.0; // until it is derived from an image
  }
  ~CudaNonLocalMeansImageFilter() override = default;

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
    os << indent << "AutomaticSmoothing: " << (m_AutomaticSmoothing ? "On" : "Off") << std::endl;
    os << indent << "SmoothingFactor: " << m_SmoothingFactor << std::endl;
    os << indent << "NumberOfVoxelsWithoutNoise: " << m_NumberOfVoxelsWithoutNoise << std::endl;
    os << indent << "AutomaticNoiseEstimation: " << (m_AutomaticNoiseEstimation ? "On" : "Off") << std::endl;
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  }

private:
  /** Sets h and the noise where they are automatic. */
  void
  DeriveFromNoise(cudaneuro::Context & context);

  /** Returns the ratio of h to the noise. */
  double
  UsedSmoothingFactor() const;

  /** Denoises with the noise map. */
  void
  ComputeWithMap(cudaneuro::Context & context);

  cudaneuro::NonLocalMeansParameters m_Parameters;
  bool                               m_AutomaticSmoothing = true;
  double                             m_SmoothingFactor = 0.0;
  SizeValueType                      m_NumberOfVoxelsWithoutNoise = 0;
  bool                               m_AutomaticNoiseEstimation = true;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNonLocalMeansImageFilter.hxx"
#endif

#endif
