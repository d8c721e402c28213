// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStatisticsImageFilter_hxx
#define itkCudaStatisticsImageFilter_hxx

#include "itkCudaStatisticsImageFilter.h"

#include <algorithm>
#include <cmath>

namespace itk
{

template <typename TInputImage>
double
CudaStatisticsImageFilter<TInputImage>::GetSumOfSquares() const
{
  const auto count = static_cast<double>(m_ImageStatistics.count);
  return m_ImageStatistics.variance * std::max(0.0, count - 1.0) + m_ImageStatistics.sum * m_ImageStatistics.mean;
}

template <typename TInputImage>
double
CudaStatisticsImageFilter<TInputImage>::GetSigma() const
{
  return std::sqrt(m_ImageStatistics.variance);
}

template <typename TInputImage>
void
CudaStatisticsImageFilter<TInputImage>::Compute(cudaneuro::Context & context)
{
  m_ImageStatistics = cudaneuro::ComputeImageStatistics(
    context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
}

template <typename TInputImage>
void
CudaStatisticsImageFilter<TInputImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Count: " << this->GetCount() << std::endl;
  os << indent << "NumberOfNotFinite: " << this->GetNumberOfNotFinite() << std::endl;
  os << indent << "Minimum: " << this->GetMinimum() << std::endl;
  os << indent << "Maximum: " << this->GetMaximum() << std::endl;
  os << indent << "Sum: " << this->GetSum() << std::endl;
  os << indent << "Mean: " << this->GetMean() << std::endl;
  os << indent << "Variance: " << this->GetVariance() << std::endl;
}

} // namespace itk

#endif
