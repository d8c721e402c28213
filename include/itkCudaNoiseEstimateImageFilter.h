// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNoiseEstimateImageFilter_h
#define itkCudaNoiseEstimateImageFilter_h

#include "cudaneuro/NoiseEstimate.h"
#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class CudaNoiseEstimateImageFilter
 * \brief Estimates the standard deviation of an image's noise, on a CUDA device or the CPU.
 *
 * The estimate is the median absolute coefficient of the finest level of a Haar transform, of bright cubes of 2 x 2 x 2
 * voxels without edges (Donoho and Johnstone 1994; Coupé et al. 2010), see cudaneuro::EstimateNoiseSigma.
 * CudaNonLocalMeansImageFilter uses it by default. Voxels outside the mask, infinite or NaN are excluded. The output is
 * the input, shared.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaNoiseEstimateImageFilter : public CudaNeuroImageFilter<TInputImage, TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNoiseEstimateImageFilter);

  using Self = CudaNoiseEstimateImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaNoiseEstimateImageFilter);

  /** The estimate of the last update, in the image's intensity units; 0 where there is no bright cube whose voxels
   * differ. */
  itkGetConstMacro(NoiseStandardDeviation, double);

protected:
  CudaNoiseEstimateImageFilter() = default;
  ~CudaNoiseEstimateImageFilter() override = default;

  void
  AllocateOutputs() override
  {
    this->ShareInput();
  }
  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    m_NoiseStandardDeviation = cudaneuro::EstimateNoiseSigma(
      context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "NoiseStandardDeviation: " << m_NoiseStandardDeviation << std::endl;
  }

private:
  double m_NoiseStandardDeviation = 0.0;
};

} // namespace itk

#endif
