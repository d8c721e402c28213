// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaBilateralImageFilter_h
#define itkCudaBilateralImageFilter_h

#include "cudaneuro/Bilateral.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroNoiseMap.h"
#include "itkFixedArray.h"

namespace itk
{

/** \class CudaBilateralImageFilter
 * \brief Edge-preserving smoothing by averages over neighbors near in space and intensity, on a CUDA device or the CPU.
 *
 * \f$ V'_i = \frac{1}{w_i} \sum_{j \in N_i} G_{\sigma_d}(|i-j|) G_{\sigma_r}(|V_i-V_j|) V_j \f$ with \f$G_s(t) =
 * \exp(-t^2 / 2 s^2)\f$, exact over the box \f$N_i\f$ of half-width Radius (Tomasi and Manduchi 1998; Howison, eq.
 * 1-2). Radius 2 gives the best structural similarity on brain MR images (Howison, section 4.1); a RangeSigma of two to
 * three times the standard deviation of the noise is a good start.
 *
 * Unlike itk::BilateralImageFilter, which samples the range Gaussian in a table, it is exact, and neighbors outside the
 * image have no weight instead of repeating the border.
 *
 * Where the noise varies in space, NoiseMapImage gives its strength at each voxel, and RangeFactor times that is the
 * standard deviation of the intensity Gaussian there.
 *
 * Voxels outside the mask, infinite or NaN keep their value and have no weight in others. So does an intensity so large
 * that its ratio to RangeSigma is not a finite float.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaBilateralImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaBilateralImageFilter);

  using Self = CudaBilateralImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaBilateralImageFilter);

  using Superclass::ImageDimension;
  using ArrayType = FixedArray<double, ImageDimension>;
  using SizeType = Size<ImageDimension>;
  using NoiseMapImageType = ImageBase<TInputImage::ImageDimension>;

  /** Sets all parameters at once, as the engine's struct. Its domain sigma needs AutomaticDomainSigma to be off. */
  itkCudaNeuroParametersMacro(cudaneuro::BilateralParameters);

  /** Standard deviation of the spatial Gaussian along each axis, in mm, or in voxels when UseImageSpacing is off.
   * 1e-6 to 1e6. AutomaticDomainSigma is on until it is set, and derives it from the input. */
  void
  SetDomainSigma(const ArrayType & sigma)
  {
    this->SetAutomaticDomainSigma(false);
    if (CudaNeuroDetail::ChangesParameter(sigma, m_Parameters.domainSigma, "DomainSigma"))
    {
      this->Modified();
    }
  }
  void
  SetDomainSigma(double sigma)
  {
    this->SetDomainSigma(ArrayType::Filled(sigma));
  }
  /** The value that was set, or that the last update used; 1 before it. */
  ArrayType
  GetDomainSigma() const
  {
    return CudaNeuroDetail::FromEngine<ArrayType>(m_Parameters.domainSigma);
  }

  /** Use a DomainSigma of one voxel along each axis, for any spacing. On until DomainSigma is set. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticDomainSigma);

  /** Standard deviation of the intensity Gaussian, in intensity units, where there is no noise map. 1e-30 to 1e30;
   * default 50. Setting it turns AutomaticRangeSigma off. */
  void
  SetRangeSigma(double sigma)
  {
    this->SetAutomaticRangeSigma(false);
    if (CudaNeuroDetail::ChangesParameter(sigma, m_Parameters.rangeSigma, "RangeSigma"))
    {
      this->Modified();
    }
  }
  double
  GetRangeSigma() const
  {
    return m_Parameters.rangeSigma;
  }

  /** Derive RangeSigma from the noise map, where there is one. On until RangeSigma is set; without a map it has no
   * effect. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticRangeSigma);

  /** Ratio of the standard deviation of the intensity Gaussian to that of the noise, for a noise map. Positive, or 0,
   * the default, for cudaneuro::RecommendedRangeFactor. */
  itkCudaNeuroSetGetMacro(RangeFactor, double);

  /** The standard deviation of the noise at each voxel, as CudaNoiseMapImageFilter computes it: an Image or a
   * DeviceImage of float, with the geometry of the input. Optional. A voxel is compared with its neighbors by
   * RangeFactor times its noise (cudaneuro::BilateralWithNoiseMap); AutomaticRangeSigma must be on. Voxels where the
   * map is 0 are excluded. Negative values, infinite ones and NaN are refused. */
  itkCudaNeuroSetGetInputMacro(NoiseMapImage, NoiseMapImageType);

  /** Result of the last update: voxels where the noise map is 0, which were left unchanged. */
  itkGetConstMacro(NumberOfVoxelsWithoutNoise, SizeValueType);

  /** Half-width of the neighborhood along each axis, in voxels. At least 1; default 2. */
  itkCudaNeuroAxesParameterMacro(Radius, SizeType, SizeValueType, radius);

  /** Measure distances in physical units rather than in voxels. On by default. */
  itkCudaNeuroBooleanParameterMacro(UseImageSpacing, useImageSpacing);

protected:
  CudaBilateralImageFilter() = default;
  ~CudaBilateralImageFilter() override = default;

  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    if (m_AutomaticDomainSigma)
    {
      m_Parameters.domainSigma = m_Parameters.useImageSpacing ? this->GetGrid().spacing : std::array{ 1.0, 1.0, 1.0 };
    }
    m_NumberOfVoxelsWithoutNoise = 0;
    const auto input = CudaNeuroDetail::VolumeOf(this->GetInput());
    const auto output = CudaNeuroDetail::VolumeOf(this->GetOutput());
    if (this->GetNoiseMapImage() == nullptr)
    {
      cudaneuro::Bilateral(context, m_Parameters, this->GetGrid(), input, this->GetMaskVolume(), output);
      return;
    }
    CudaNeuroDetail::RequireAutomaticBesideMap(this, m_AutomaticRangeSigma, "RangeSigma", "RangeFactor");
    cudaneuro::BilateralParameters multiples = m_Parameters;
    multiples.rangeSigma =
      CudaNeuroDetail::UsedNoiseFactor(this, "RangeFactor", m_RangeFactor, cudaneuro::RecommendedRangeFactor());
    const auto noise =
      CudaNeuroDetail::NoiseVolumeOf<ImageDimension>(this, this->GetNoiseMapImage(), this->GetComputeDevice());
    m_NumberOfVoxelsWithoutNoise = static_cast<SizeValueType>(cudaneuro::BilateralWithNoiseMap(
      context, multiples, this->GetGrid(), input, this->GetMaskVolume(), noise, output));
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "AutomaticDomainSigma: " << (m_AutomaticDomainSigma ? "On" : "Off") << std::endl;
    os << indent << "AutomaticRangeSigma: " << (m_AutomaticRangeSigma ? "On" : "Off") << std::endl;
    os << indent << "RangeFactor: " << m_RangeFactor << std::endl;
    os << indent << "NumberOfVoxelsWithoutNoise: " << m_NumberOfVoxelsWithoutNoise << std::endl;
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  }

private:
  cudaneuro::BilateralParameters m_Parameters;
  bool                           m_AutomaticDomainSigma = true;
  bool                           m_AutomaticRangeSigma = true;
  double                         m_RangeFactor = 0.0;
  SizeValueType                  m_NumberOfVoxelsWithoutNoise = 0;
};

} // namespace itk

#endif
