// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaInvertDisplacementFieldImageFilter_h
#define itkCudaInvertDisplacementFieldImageFilter_h

#include "cudaneuro/DisplacementField.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

namespace itk
{

/** \class CudaInvertDisplacementFieldImageFilter
 * \brief Inverts a displacement field, on a CUDA device or the CPU.
 *
 * The output v solves v(p) + u(p + v(p)) = 0 for the input u, on the same grid, by Newton's method at each voxel. It
 * converges where the input does not fold. Beyond its edge the input is repeated. Where the input is NaN or infinite,
 * so that no inverse is found, the output is NaN.
 *
 * itk::InvertDisplacementFieldImageFilter iterates on all voxels together by a fixed point that needs small gradients,
 * and with EnforceBoundaryCondition sets the displacements at the border to 0; here they are inverted.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaInvertDisplacementFieldImageFilter
  : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaInvertDisplacementFieldImageFilter);

  using Self = CudaInvertDisplacementFieldImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaInvertDisplacementFieldImageFilter);

  using Superclass::ImageDimension;
  using InputFieldType = TInputImage;
  using OutputFieldType = TOutputImage;

  /** The field to invert; the primary input. */
  void
  SetDisplacementField(const InputFieldType * field)
  {
    this->SetInput(field);
  }
  const InputFieldType *
  GetDisplacementField() const
  {
    return this->GetInput();
  }

  /** Maximum number of iterations at a voxel. At least 1; default 50. */
  itkCudaNeuroSetGetMacro(MaximumNumberOfIterations, unsigned int);

  /** A voxel is done when the length of v(p) + u(p + v(p)) is at most this, in voxels. 1e-6 to 1e6; default
   * 0.01.
   */
  itkCudaNeuroSetGetMacro(MaxErrorToleranceThreshold, double);

  /** Convergence of the last update, over the voxels that the inverse keeps on the grid: maximum number of iterations
   * of a voxel, and mean and maximum residual, in voxels; these two are NaN when the output is NaN anywhere. */
  itkGetConstMacro(NumberOfIterations, unsigned int);
  itkGetConstMacro(MeanErrorNorm, double);
  itkGetConstMacro(MaxErrorNorm, double);

protected:
  CudaInvertDisplacementFieldImageFilter() { this->SetPrimaryInputName("DisplacementField"); }
  ~CudaInvertDisplacementFieldImageFilter() override = default;

  void
  Compute(cudaneuro::Context & context) override
  {
    cudaneuro::InversionParameters parameters;
    parameters.maximumNumberOfIterations =
      CudaNeuroDetail::ToInt(m_MaximumNumberOfIterations, "MaximumNumberOfIterations");
    parameters.tolerance = m_MaxErrorToleranceThreshold;
    const cudaneuro::InversionResult result =
      cudaneuro::InvertDisplacementField(context,
                                         parameters,
                                         CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput()),
                                         CudaNeuroDetail::FieldOf(this->GetInput()),
                                         CudaNeuroDetail::FieldOf(this->GetOutput()));
    m_NumberOfIterations = static_cast<unsigned int>(result.numberOfIterations);
    m_MeanErrorNorm = result.meanResidual;
    m_MaxErrorNorm = result.maximumResidual;
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "MaximumNumberOfIterations: " << m_MaximumNumberOfIterations << std::endl;
    os << indent << "MaxErrorToleranceThreshold: " << m_MaxErrorToleranceThreshold << std::endl;
    os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
    os << indent << "MeanErrorNorm: " << m_MeanErrorNorm << std::endl;
    os << indent << "MaxErrorNorm: " << m_MaxErrorNorm << std::endl;
  }

private:
  unsigned int m_MaximumNumberOfIterations = 50;
  double       m_MaxErrorToleranceThreshold = 0.01;
  unsigned int m_NumberOfIterations = 0;
  double       m_MeanErrorNorm = 0.0;
  double       m_MaxErrorNorm = 0.0;
};

} // namespace itk

#endif
