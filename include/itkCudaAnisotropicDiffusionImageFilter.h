// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaAnisotropicDiffusionImageFilter_h
#define itkCudaAnisotropicDiffusionImageFilter_h

#include "cudaneuro/AnisotropicDiffusion.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroNoiseMap.h"

namespace itk
{

/** \class CudaAnisotropicDiffusionImageFilter
 * \brief Edge-preserving smoothing by explicit steps of anisotropic diffusion, on a CUDA device or the CPU.
 *
 * Each step adds TimeStep times the sum over the neighbors of conductance times difference over edge length
 * (Perona and Malik 1990; Gerig et al. 1992; Weickert and Benhamouda 1997; Howison, eq. 3-7). The Weickert stencil
 * with the rational conductance and 20 steps gives the best structural similarity on brain MR images (Howison,
 * section 4.1).
 *
 * It differs from itk::GradientAnisotropicDiffusionImageFilter in its stencils, and in that Kappa is absolute: it
 * is not multiplied by the image's mean gradient magnitude.
 *
 * With a TimeStep above GetStableTimeStep() the update may oscillate; a warning names the limit.
 *
 * Where the noise varies in space, NoiseMapImage gives its strength at each voxel, and the conductance follows it.
 *
 * Voxels outside the mask, infinite or NaN keep their value and exchange nothing; the sum over the others is
 * conserved. Gradients of the Weickert stencil are central differences \f$ (V_+ - V_-) / (2 h) \f$; where a
 * neighbor lies outside the image or is excluded, the voxel's own value replaces it.
 *
 * On data of range R, results are within 1e-5 R + 2^-24 |V| of those in double precision, where the second term is
 * the resolution of float at V.
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaAnisotropicDiffusionImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaAnisotropicDiffusionImageFilter);

  using Self = CudaAnisotropicDiffusionImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaAnisotropicDiffusionImageFilter);

  using Superclass::ImageDimension;
  using StencilEnum = cudaneuro::DiffusionStencil;
  using ConductanceEnum = cudaneuro::DiffusionConductance;
  using NoiseMapImageType = ImageBase<TInputImage::ImageDimension>;

  /** Sets all parameters at once, as the engine's struct. */
  itkCudaNeuroParametersMacro(cudaneuro::AnisotropicDiffusionParameters);

  /** Which neighbors exchange intensity: PeronaMalik6, Gerig26, Weickert26 or GeometricMean26 (in 2D the 4- and
   * 8-neighbor forms). Default GeometricMean26; Weickert26 leaks across strong edges. */
  itkCudaNeuroEnumParameterMacro(Stencil, StencilEnum, stencil);

  /** How edges reduce the flow: PeronaMalikExponential, PeronaMalikRational (default), Charbonnier or TukeyBiweight. */
  itkCudaNeuroEnumParameterMacro(Conductance, ConductanceEnum, conductance);

  /** Number of explicit steps. At least 1; default 20. */
  itkCudaNeuroParameterMacro(NumberOfIterations, unsigned int, numberOfIterations);

  /** Length of a step in mm^2, for a diffusivity of 1. 1e-30 or more; default 1/32. Steps that exceed the stable one so
   * much that intensities could grow by a factor of 1e30 are refused. */
  itkCudaNeuroParameterMacro(TimeStep, double, timeStep);

  /** Returns the largest stable time step for the stencil and the input's size and spacing: 1 / (sum over the neighbors
   * of 1 / edge length). The input must be set and its information up to date. */
  double
  GetStableTimeStep() const
  {
    return cudaneuro::StableTimeStep(
      m_Parameters.stencil, this->GetGridFor("GetStableTimeStep"), m_Parameters.useImageSpacing);
  }

  /** Returns the root mean square that noise of standard deviation 1 causes in the quantity that Kappa is compared
   * with, a difference or gradient, for the stencil and the input's size and spacing (cudaneuro::ConductanceNoise). The
   * input must be set and its information up to date. */
  double
  GetConductanceNoise() const
  {
    return cudaneuro::ConductanceNoise(
      m_Parameters.stencil, this->GetGridFor("GetConductanceNoise"), m_Parameters.useImageSpacing);
  }

  /** Sets Kappa to suit noise of this standard deviation: to cudaneuro::UsualKappaFactor times the difference or
   * gradient that the noise causes, for the stencil and the input's size and spacing, as cudaneuro-denoise does. Kappa
   * does not follow later changes of these. The input must be set and its information up to date. */
  void
  SetKappaFromNoise(double standardDeviation)
  {
    this->SetKappa(cudaneuro::UsualKappaFactor(m_Parameters.stencil) * standardDeviation * this->GetConductanceNoise());
  }

  /** Scale of the conductance: differences (PeronaMalik6, Gerig26; in intensity units) or gradients (the others; in
   * intensity units per mm) much larger than Kappa are kept. 1e-30 to 1e30; default 1. Setting it turns AutomaticKappa
   * off. */
  void
  SetKappa(double kappa)
  {
    this->SetAutomaticKappa(false);
    if (CudaNeuroDetail::ChangesParameter(kappa, m_Parameters.kappa, "Kappa"))
    {
      this->Modified();
    }
  }
  double
  GetKappa() const
  {
    return m_Parameters.kappa;
  }

  /** Derive Kappa from the noise map, where there is one. On until Kappa is set; without a map it has no
   * effect. */
  itkCudaNeuroSetGetBooleanMacro(AutomaticKappa);

  /** Ratio of Kappa to the difference or gradient that the noise causes, which is GetConductanceNoise() times the noise
   * map. Positive, or 0, the default, for cudaneuro::UsualKappaFactor of the stencil. */
  itkCudaNeuroSetGetMacro(KappaFactor, double);

  /** The standard deviation of the noise at each voxel, as CudaNoiseMapImageFilter computes it: an Image or a
   * DeviceImage of float, with the geometry of the input. Optional. Kappa is then KappaFactor times the difference or
   * gradient that the noise causes (cudaneuro::AnisotropicDiffusionWithNoiseMap); AutomaticKappa must be on. Voxels
   * where the map is 0 are excluded. Negative values, infinite ones and NaN are refused. */
  itkCudaNeuroSetGetInputMacro(NoiseMapImage, NoiseMapImageType);

  /** Result of the last update: voxels where the noise map is 0, which were left unchanged. */
  itkGetConstMacro(NumberOfVoxelsWithoutNoise, SizeValueType);

  /** Measure edge lengths and gradients in physical units rather than in voxels. On by default. */
  itkCudaNeuroBooleanParameterMacro(UseImageSpacing, useImageSpacing);

protected:
  CudaAnisotropicDiffusionImageFilter() = default;
  ~CudaAnisotropicDiffusionImageFilter() override = default;

  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    const double stableTimeStep = this->GetStableTimeStep();
    if (m_Parameters.timeStep > stableTimeStep)
    {
      itkWarningMacro("The time step " << m_Parameters.timeStep << " is unstable: the limit for the stencil "
                                       << m_Parameters.stencil << " on this grid is " << stableTimeStep);
    }
    m_NumberOfVoxelsWithoutNoise = 0;
    const auto input = CudaNeuroDetail::VolumeOf(this->GetInput());
    const auto output = CudaNeuroDetail::VolumeOf(this->GetOutput());
    if (this->GetNoiseMapImage() == nullptr)
    {
      cudaneuro::AnisotropicDiffusion(context, m_Parameters, this->GetGrid(), input, this->GetMaskVolume(), output);
      return;
    }
    CudaNeuroDetail::RequireAutomaticBesideMap(this, m_AutomaticKappa, "Kappa", "KappaFactor");
    cudaneuro::AnisotropicDiffusionParameters multiples = m_Parameters;
    const double                              recommended = cudaneuro::UsualKappaFactor(m_Parameters.stencil);
    multiples.kappa =
      CudaNeuroDetail::UsedNoiseFactor(this, "KappaFactor", m_KappaFactor, recommended) * this->GetConductanceNoise();
    const auto noise =
      CudaNeuroDetail::NoiseVolumeOf<ImageDimension>(this, this->GetNoiseMapImage(), this->GetComputeDevice());
    m_NumberOfVoxelsWithoutNoise = static_cast<SizeValueType>(cudaneuro::AnisotropicDiffusionWithNoiseMap(
      context, multiples, this->GetGrid(), input, this->GetMaskVolume(), noise, output));
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "AutomaticKappa: " << (m_AutomaticKappa ? "On" : "Off") << std::endl;
    os << indent << "KappaFactor: " << m_KappaFactor << std::endl;
    os << indent << "NumberOfVoxelsWithoutNoise: " << m_NumberOfVoxelsWithoutNoise << std::endl;
    CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  }

private:
  /** Returns the input's grid, on which \p what depends.
   * \throws ExceptionObject without an input */
  cudaneuro::Grid
  GetGridFor(const char * what) const
  {
    if (this->GetInput() == nullptr)
    {
      itkExceptionMacro(<< what << " needs the input: it depends on its size and spacing");
    }
    return this->GetGrid();
  }

  cudaneuro::AnisotropicDiffusionParameters m_Parameters;
  bool                                      m_AutomaticKappa = true;
  double                                    m_KappaFactor = 0.0;
  SizeValueType                             m_NumberOfVoxelsWithoutNoise = 0;
};

} // namespace itk

#endif
