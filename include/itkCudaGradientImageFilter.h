// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGradientImageFilter_h
#define itkCudaGradientImageFilter_h

#include "cudaneuro/ImageOperations.h"
#include "itkCovariantVector.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

namespace itk
{

/** \class CudaGradientImageFilter
 * \brief Computes the gradient by central differences, like itk::GradientImageFilter, on a CUDA device or the CPU.
 *
 * Beyond the edge the outermost value is repeated. The output's pixels are CovariantVector or Vector of float.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage =
            Image<CovariantVector<float, TInputImage::ImageDimension>, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaGradientImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGradientImageFilter);

  using Self = CudaGradientImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaGradientImageFilter);

  using Superclass::ImageDimension;

  /** Derivatives per mm rather than per voxel. On by default. */
  itkCudaNeuroSetGetBooleanMacro(UseImageSpacing);

  /** Derivatives along the axes of space rather than of the grid. On by default. */
  itkCudaNeuroSetGetBooleanMacro(UseImageDirection);

protected:
  CudaGradientImageFilter() = default;
  ~CudaGradientImageFilter() override = default;

  void
  Compute(cudaneuro::Context & context) override
  {
    cudaneuro::Geometry geometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput());
    if (!m_UseImageSpacing)
    {
      geometry.grid.spacing = cudaneuro::Grid().spacing;
    }
    if (!m_UseImageDirection)
    {
      geometry.direction = cudaneuro::Geometry().direction;
    }
    cudaneuro::ImageGradient(
      context, geometry, CudaNeuroDetail::VolumeOf(this->GetInput()), CudaNeuroDetail::FieldOf(this->GetOutput()));
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override
  {
    Superclass::PrintSelf(os, indent);
    os << indent << "UseImageSpacing: " << (m_UseImageSpacing ? "On" : "Off") << std::endl;
    os << indent << "UseImageDirection: " << (m_UseImageDirection ? "On" : "Off") << std::endl;
  }

private:
  bool m_UseImageSpacing = true;
  bool m_UseImageDirection = true;
};

} // namespace itk

#endif
