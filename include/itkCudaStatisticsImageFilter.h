// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaStatisticsImageFilter_h
#define itkCudaStatisticsImageFilter_h

#include "cudaneuro/ImageStatistics.h"
#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class CudaStatisticsImageFilter
 * \brief Minimum, maximum, mean, variance and sums of an image, on a CUDA device or the CPU.
 *
 * They are of the voxels that are finite and inside the mask, accumulated in double precision in a fixed order: the
 * same bits, run after run. The getters are those of itk::StatisticsImageFilter, and what they return is of the last
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

  /** Voxels that the others are of, and voxels inside the mask that are infinite or NaN. */
  SizeValueType
  GetCount() const
  {
    return static_cast<SizeValueType>(m_ImageStatistics.count);
  }
  SizeValueType
  GetNumberOfNotFinite() const
  {
    return static_cast<SizeValueType>(m_ImageStatistics.numberOfNotFinite);
  }

  /** Statistics of the voxels that are finite and inside the mask. */
  double
  GetMinimum() const
  {
    return m_ImageStatistics.minimum;
  }
  double
  GetMaximum() const
  {
    return m_ImageStatistics.maximum;
  }
  double
  GetSum() const
  {
    return m_ImageStatistics.sum;
  }
  double
  GetSumOfSquares() const;
  double
  GetMean() const
  {
    return m_ImageStatistics.mean;
  }

  /** The variance of a sample: divided by the count less 1. Sigma is its square root. */
  double
  GetVariance() const
  {
    return m_ImageStatistics.variance;
  }
  double
  GetSigma() const;

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
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  cudaneuro::ImageStatistics m_ImageStatistics;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaStatisticsImageFilter.hxx"
#endif

#endif
