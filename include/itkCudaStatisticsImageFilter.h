// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStatisticsImageFilter_h
#define itkCudaStatisticsImageFilter_h

#include "cudaneuro/ImageStatistics.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

#include <algorithm>
#include <cmath>

namespace itk
{

/** \class CudaStatisticsImageFilter
 * \brief Computes minimum, maximum, mean, variance and sums of an image, on a CUDA device or the CPU.
 *
 * Only voxels that are finite and inside the mask count. Sums are accumulated in double precision in a fixed order: the
 * same bits, run after run. The getters are those of itk::StatisticsImageFilter, and return the results of the last
 * update. The output is the input, shared.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage>
class ITK_TEMPLATE_EXPORT CudaStatisticsImageFilter : public CudaNeuroImageFilter<TInputImage, TInputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaStatisticsImageFilter);

  using Self = CudaStatisticsImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TInputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaStatisticsImageFilter);

  /** Number of voxels that are finite and inside the mask, and of voxels inside the mask that are infinite or NaN. */
  itkCudaNeuroGetResultMacro(Count, SizeValueType, count);
  itkCudaNeuroGetResultMacro(NumberOfNotFinite, SizeValueType, numberOfNotFinite);

  /** Statistics of the voxels that are finite and inside the mask. */
  itkCudaNeuroGetResultMacro(Minimum, double, minimum);
  itkCudaNeuroGetResultMacro(Maximum, double, maximum);
  itkCudaNeuroGetResultMacro(Sum, double, sum);
  double
  GetSumOfSquares() const
  {
    const auto count = static_cast<double>(m_Result.count);
    return m_Result.variance * std::max(0.0, count - 1.0) + m_Result.sum * m_Result.mean;
  }
  itkCudaNeuroGetResultMacro(Mean, double, mean);

  /** The sample variance: divided by the count minus 1. Sigma is its square root. */
  itkCudaNeuroGetResultMacro(Variance, double, variance);
  double
  GetSigma() const
  {
    return std::sqrt(m_Result.variance);
  }

protected:
  CudaStatisticsImageFilter() = default;
  ~CudaStatisticsImageFilter() override = default;

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
    m_Result = cudaneuro::ComputeImageStatistics(
      context, this->GetGrid(), CudaNeuroDetail::VolumeOf(this->GetInput()), this->GetMaskVolume());
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
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

private:
  cudaneuro::ImageStatistics m_Result;
};

} // namespace itk

#endif
