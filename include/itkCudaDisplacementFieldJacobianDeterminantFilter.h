// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDisplacementFieldJacobianDeterminantFilter_h
#define itkCudaDisplacementFieldJacobianDeterminantFilter_h

#include "cudaneuro/DisplacementField.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

namespace itk
{

/** \class CudaDisplacementFieldJacobianDeterminantFilter
 * \brief Measures how much a displacement field stretches space, and where it folds, on a CUDA device or the CPU.
 *
 * det(I + du/dp) by central differences, one-sided at the border, in physical space: derivatives are along the axes of
 * space. itk::DisplacementFieldJacobianDeterminantFilter gives the same away from the border on grids whose direction
 * is the identity; it ignores the direction.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = Image<float, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaDisplacementFieldJacobianDeterminantFilter
  : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaDisplacementFieldJacobianDeterminantFilter);

  using Self = CudaDisplacementFieldJacobianDeterminantFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaDisplacementFieldJacobianDeterminantFilter);

  using Superclass::ImageDimension;

  /** Write the determinants to the output. When off, the output has no pixels, and each update computes only the
   * figures below. On by default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeMap);

  /** Results of the last update: number of voxels whose determinant is 0, negative or NaN; minimum and maximum
   * determinant; mean and sample standard deviation of the logarithm over the voxels that are not folded; and the 0.1
   * and 99.9 percentiles of their determinants, to 1/64 of the value. */
  itkCudaNeuroGetResultMacro(NumberOfFoldedVoxels, SizeValueType, numberOfFoldedVoxels);
  itkCudaNeuroGetResultMacro(Minimum, double, minimum);
  itkCudaNeuroGetResultMacro(Maximum, double, maximum);
  itkCudaNeuroGetResultMacro(MeanLogarithm, double, meanLogarithm);
  itkCudaNeuroGetResultMacro(StandardDeviationLogarithm, double, standardDeviationLogarithm);
  itkCudaNeuroGetResultMacro(LowerPercentile, double, lowerPercentile);
  itkCudaNeuroGetResultMacro(UpperPercentile, double, upperPercentile);

protected:
  CudaDisplacementFieldJacobianDeterminantFilter() = default;
  ~CudaDisplacementFieldJacobianDeterminantFilter() override = default;

  void
  AllocateOutputs() override
  {
    this->AllocateOrRelease(this->GetOutput(), m_ComputeMap);
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    m_Result = cudaneuro::DisplacementFieldJacobianDeterminant(
      context,
      CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput()),
      CudaNeuroDetail::FieldOf(this->GetInput()),
      m_ComputeMap ? CudaNeuroDetail::VolumeOf(this->GetOutput()) : cudaneuro::Volume());
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  bool                      m_ComputeMap = true;
  cudaneuro::JacobianResult m_Result;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDisplacementFieldJacobianDeterminantFilter.hxx"
#endif

#endif
