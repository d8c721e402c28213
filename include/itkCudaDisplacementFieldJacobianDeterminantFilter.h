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
 * \brief How much a displacement field stretches space, and where it folds, on a CUDA device or the CPU.
 *
 * det(I + du/dp) by central differences, one-sided at the border, in physical space: derivatives are along the axes of
 * space. itk::DisplacementFieldJacobianDeterminantFilter gives the same away from the border on grids whose direction
 * is the identity; it does not look at directions.
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

  /** Write the determinants to the output. When off the output has no pixels, and only the figures below are
   * computed, by each update anew. On by default. */
  itkCudaNeuroSetGetBooleanMacro(ComputeMap);

  /** What the last update found: voxels whose determinant is 0, negative or not a number; the smallest and the largest
   * determinant; mean and standard deviation (of a sample) of the logarithm over the voxels that are not folded; and
   * the determinants that 0.1 and 99.9 percent of theirs are below, to 1/64 of the value. */
  itkGetConstMacro(NumberOfFoldedVoxels, SizeValueType);
  itkGetConstMacro(Minimum, double);
  itkGetConstMacro(Maximum, double);
  itkGetConstMacro(MeanLogarithm, double);
  itkGetConstMacro(StandardDeviationLogarithm, double);
  itkGetConstMacro(LowerPercentile, double);
  itkGetConstMacro(UpperPercentile, double);

protected:
  CudaDisplacementFieldJacobianDeterminantFilter() = default;
  ~CudaDisplacementFieldJacobianDeterminantFilter() override = default;

  void
  AllocateOutputs() override;
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  bool          m_ComputeMap = true;
  SizeValueType m_NumberOfFoldedVoxels = 0;
  double        m_Minimum = 0.0;
  double        m_Maximum = 0.0;
  double        m_MeanLogarithm = 0.0;
  double        m_StandardDeviationLogarithm = 0.0;
  double        m_LowerPercentile = 0.0;
  double        m_UpperPercentile = 0.0;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaDisplacementFieldJacobianDeterminantFilter.hxx"
#endif

#endif
