// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_h
#define itkCudaDiscreteGaussianImageFilter_h

#include "cudaneuro/ImageOperations.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkFixedArray.h"

#include <cmath>

namespace itk
{

/** \class CudaDiscreteGaussianImageFilter
 * \brief Convolves an image with a Gaussian, on a CUDA device or the CPU.
 *
 * The kernel is the Gaussian sampled at the voxels, truncated where it is below 1e-6 of its peak, and normalized to sum
 * 1. itk::DiscreteGaussianImageFilter uses Lindeberg's discrete analogue of the Gaussian, of the same variance, and
 * truncates it much earlier, by MaximumError. As there, the outermost value is repeated beyond the edge, and voxels
 * that are infinite or NaN spread to all voxels that the kernel reaches.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaDiscreteGaussianImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDiscreteGaussianImageFilter);

  using Self = CudaDiscreteGaussianImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaDiscreteGaussianImageFilter);

  using Superclass::ImageDimension;
  using ArrayType = FixedArray<double, ImageDimension>;

  /** Variance along each axis, in mm squared, or in voxels squared when UseImageSpacing is off. Not negative; default
   * 0, which does not smooth. */
  itkCudaNeuroSetGetAxesMacro(Variance, ArrayType, double);

  /** The same, given as standard deviations. GetSigma returns the one along the first axis. */
  void
  SetSigmaArray(const ArrayType & sigmas);
  ArrayType
  GetSigmaArray() const
  {
    ArrayType sigmas;
    for (unsigned int axis = 0; axis < ImageDimension; ++axis)
    {
      sigmas[axis] = std::sqrt(m_Variance[axis]);
    }
    return sigmas;
  }
  void
  SetSigma(double sigma)
  {
    ArrayType sigmas;
    sigmas.Fill(sigma);
    this->SetSigmaArray(sigmas);
  }
  double
  GetSigma() const
  {
    return std::sqrt(m_Variance[0]);
  }

  /** Measure in physical units rather than in voxels. On by default. */
  itkCudaNeuroBooleanParameterMacro(UseImageSpacing, useImageSpacing);

protected:
  CudaDiscreteGaussianImageFilter() { m_Variance.Fill(0.0); }
  ~CudaDiscreteGaussianImageFilter() override = default;

  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "Variance: " << m_Variance << std::endl;
    os << indent << "UseImageSpacing: " << (m_Parameters.useImageSpacing ? "On" : "Off") << std::endl;
  }

private:
  ArrayType m_Variance;
  /** Engine parameters; sigma is added at each update. */
  cudaneuro::GaussianSmoothingParameters m_Parameters;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDiscreteGaussianImageFilter.hxx"
#endif

#endif
