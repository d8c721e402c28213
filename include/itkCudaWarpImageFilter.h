// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaWarpImageFilter_h
#define itkCudaWarpImageFilter_h

#include "cudaneuro/DisplacementField.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"
#include "itkTransform.h"

#include <algorithm>

namespace itk
{

/** \class CudaWarpImageFilter
 * \brief Deforms an image by a displacement field, then a linear transform, on a CUDA device or the CPU.
 *
 * output(p) = input(T(p + u(p))) at the points p of the output, with the displacements u in mm and the Transform T,
 * as itk::WarpImageFilter computes, or itk::ResampleImageFilter with a composite of a DisplacementFieldTransform
 * and T. The input extends half a voxel beyond the outermost voxel centers; elsewhere the output is
 * EdgePaddingValue. The field, too, is interpolated where it has another grid than the output, and its outermost
 * vectors are repeated.
 *
 * The output lies on the grid of the field, or on that of the input when there is no field, unless it is set
 * otherwise; itk::WarpImageFilter's defaults are a spacing of 1, the origin 0 and the identity instead.
 *
 * Voxels where the mask, on the input's grid, is 0 are excluded from the interpolation; where none is left, the
 * output is EdgePaddingValue. CubicBSpline and WindowedSinc take no mask.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage,
          typename TOutputImage = TInputImage,
          typename TDisplacementField = Image<Vector<float, TInputImage::ImageDimension>, TInputImage::ImageDimension>>
class ITK_TEMPLATE_EXPORT CudaWarpImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaWarpImageFilter);

  using Self = CudaWarpImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaWarpImageFilter);

  using Superclass::ImageDimension;
  using DisplacementFieldType = TDisplacementField;
  using TransformType = Transform<double, ImageDimension, ImageDimension>;
  using ImageBaseType = ImageBase<ImageDimension>;
  using PixelType = typename TOutputImage::PixelType;
  using SpacingType = typename TOutputImage::SpacingType;
  using PointType = typename TOutputImage::PointType;
  using DirectionType = typename TOutputImage::DirectionType;
  using SizeType = typename TOutputImage::SizeType;
  using IndexType = typename TOutputImage::IndexType;
  using InterpolationEnum = cudaneuro::Interpolation;

  /** Displacements in mm along the axes of space. Optional. */
  itkCudaNeuroSetGetInputMacro(DisplacementField, DisplacementFieldType);

  /** A linear transform that is applied after the field: an AffineTransform, Euler3DTransform, ...; none by default. */
  itkSetConstObjectMacro(Transform, TransformType);
  itkGetConstObjectMacro(Transform, TransformType);

  /** How values between voxels are interpolated:
   *  - "Linear", the default;
   *  - "Nearest": the value of the nearest voxel;
   *  - "CubicBSpline": a spline of the third order through the voxels, mirrored at the ends of the image. It takes
   *    memory for two more volumes, one of them only while its coefficients are computed;
   *  - "WindowedSinc": a sinc with a Lanczos window, 3 voxels to each side, with weights normalized to sum 1;
   *  - "Label": the label with the largest weight by linear interpolation, and of equal weights the smallest.
   *
   * All compute in float, which represents whole numbers up to 2^24. Voxels that are infinite or NaN make the output so
   * where linear interpolation would need them, also with CubicBSpline and WindowedSinc; NaN is no label. Integer
   * pixels are rounded, and saturate at the range of their type. */
  itkCudaNeuroSetGetEnumMacro(Interpolation, InterpolationEnum);

  /** The output where the input has no value. Default 0. */
  itkCudaNeuroSetGetMacro(EdgePaddingValue, PixelType);

  /** The grid of the output. Settings that are missing are taken from the field, or from the input when there is no
   * field; a size of 0 counts as missing. */
  void
  SetOutputSpacing(const SpacingType & spacing)
  {
    if (!m_IsOutputSpacingSet || m_OutputSpacing != spacing)
    {
      m_IsOutputSpacingSet = true;
      m_OutputSpacing = spacing;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(OutputSpacing, SpacingType);
  void
  SetOutputOrigin(const PointType & origin)
  {
    if (!m_IsOutputOriginSet || m_OutputOrigin != origin)
    {
      m_IsOutputOriginSet = true;
      m_OutputOrigin = origin;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(OutputOrigin, PointType);
  void
  SetOutputDirection(const DirectionType & direction)
  {
    if (!m_IsOutputDirectionSet || m_OutputDirection != direction)
    {
      m_IsOutputDirectionSet = true;
      m_OutputDirection = direction;
      this->Modified();
    }
  }
  itkGetConstReferenceMacro(OutputDirection, DirectionType);
  itkCudaNeuroSetGetReferenceMacro(OutputSize, SizeType);
  /** The first index of the output; used together with OutputSize. Default 0. */
  itkCudaNeuroSetGetReferenceMacro(OutputStartIndex, IndexType);

  /** Sets the whole grid of the output to that of an image. */
  void
  SetOutputParametersFromImage(const ImageBaseType * image);

  /** Includes the time of the transform. */
  ModifiedTimeType
  GetMTime() const override
  {
    return std::max(Superclass::GetMTime(), CudaNeuroDetail::LatestMTimeOf<ImageDimension>(m_Transform.GetPointer()));
  }

protected:
  CudaWarpImageFilter()
  {
    this->AddOptionalInputName("DisplacementField");
    m_OutputSpacing.Fill(1.0);
    m_OutputOrigin.Fill(0.0);
    m_OutputDirection.SetIdentity();
    m_OutputSize.Fill(0);
    m_OutputStartIndex.Fill(0);
  }
  ~CudaWarpImageFilter() override = default;

  void
  VerifyInputInformation() const override;
  void
  GenerateOutputInformation() override;
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
  /** Returns the displacements on the output's grid, in \p memory if they need to be interpolated. */
  cudaneuro::ConstField
  GetFieldOnOutput(cudaneuro::Context &        context,
                   const cudaneuro::Geometry & outputGeometry,
                   cudaneuro::DeviceMemory &   memory) const;

  typename TransformType::ConstPointer m_Transform;
  InterpolationEnum                    m_Interpolation = InterpolationEnum::Linear;
  PixelType                            m_EdgePaddingValue{};
  SpacingType                          m_OutputSpacing;
  PointType                            m_OutputOrigin;
  DirectionType                        m_OutputDirection;
  SizeType                             m_OutputSize;
  IndexType                            m_OutputStartIndex;
  bool                                 m_IsOutputSpacingSet = false;
  bool                                 m_IsOutputOriginSet = false;
  bool                                 m_IsOutputDirectionSet = false;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaWarpImageFilter.hxx"
#endif

#endif
