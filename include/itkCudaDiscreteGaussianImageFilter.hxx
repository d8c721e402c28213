// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_hxx
#define itkCudaDiscreteGaussianImageFilter_hxx

#include "itkCudaDiscreteGaussianImageFilter.h"

#include <cmath>

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::CudaDiscreteGaussianImageFilter()
{
  m_Variance.Fill(0.0);
}

template <typename TInputImage, typename TOutputImage>
void
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::SetSigmaArray(const ArrayType & sigmas)
{
  ArrayType variances;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    if (!(sigmas[axis] >= 0.0))
    {
      itkExceptionMacro("Sigma is " << sigmas << "; it must be 0 or more");
    }
    variances[axis] = sigmas[axis] * sigmas[axis];
  }
  this->SetVariance(variances);
}

template <typename TInputImage, typename TOutputImage>
typename CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::ArrayType
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::GetSigmaArray() const
{
  ArrayType sigmas;
  for (unsigned int axis = 0; axis < ImageDimension; ++axis)
  {
    sigmas[axis] = std::sqrt(m_Variance[axis]);
  }
  return sigmas;
}

template <typename TInputImage, typename TOutputImage>
void
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::SetSigma(double sigma)
{
  ArrayType sigmas;
  sigmas.Fill(sigma);
  this->SetSigmaArray(sigmas);
}

template <typename TInputImage, typename TOutputImage>
double
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::GetSigma() const
{
  return std::sqrt(m_Variance[0]);
}

template <typename TInputImage, typename TOutputImage>
void
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  for (const double variance : m_Variance)
  {
    if (!(variance >= 0.0))
    {
      itkExceptionMacro("Variance is " << m_Variance << "; it must be 0 or more");
    }
  }
  cudaneuro::GaussianSmoothingParameters parameters = m_Parameters;
  parameters.sigma = CudaNeuroDetail::ThreeAxes(this->GetSigmaArray(), ImageDimension, 0.0);
  cudaneuro::GaussianSmoothing(context,
                               parameters,
                               this->GetGrid(),
                               CudaNeuroDetail::VolumeOf(this->GetInput()),
                               CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage>
void
CudaDiscreteGaussianImageFilter<TInputImage, TOutputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Variance: " << m_Variance << std::endl;
  os << indent << "UseImageSpacing: " << (m_Parameters.useImageSpacing ? "On" : "Off") << std::endl;
}

} // namespace itk

#endif
