// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiscreteGaussianImageFilter_hxx
#define itkCudaDiscreteGaussianImageFilter_hxx

#include "itkCudaDiscreteGaussianImageFilter.h"

namespace itk
{

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

} // namespace itk

#endif
