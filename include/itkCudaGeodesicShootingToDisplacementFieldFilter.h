// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingToDisplacementFieldFilter_h
#define itkCudaGeodesicShootingToDisplacementFieldFilter_h

#include "itkCudaNeuroMacros.h"
#include "itkCudaNeuroProcess.h"
#include "itkDataObjectDecorator.h"
#include "itkDeviceImage.h"
#include "itkGeodesicShootingTransform.h"
#include "itkImage.h"
#include "itkImageSource.h"
#include "itkVector.h"

#include <type_traits>

namespace itk
{

/** \class CudaGeodesicShootingToDisplacementFieldFilter
 * \brief Samples a GeodesicShootingTransform h as a displacement field h(p) - p on a grid, on a CUDA device or the
 * CPU.
 *
 * It has the functions of ITK's TransformToDisplacementFieldFilter, and supports this one class of transforms. The
 * transform's direction is that of the field: to resample an image from the template's space to the target's, set the
 * inverse transform.
 *
 * \tparam TOutputImage Image or DeviceImage of Vector<float, D>.
 *
 * \ingroup CudaNeuro
 */
template <typename TOutputImage, typename TParametersValueType = double>
class ITK_TEMPLATE_EXPORT CudaGeodesicShootingToDisplacementFieldFilter
  : public CudaNeuroProcess<ImageSource<TOutputImage>>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaGeodesicShootingToDisplacementFieldFilter);

  using Self = CudaGeodesicShootingToDisplacementFieldFilter;
  using Superclass = CudaNeuroProcess<ImageSource<TOutputImage>>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaGeodesicShootingToDisplacementFieldFilter);

  static constexpr unsigned int ImageDimension = TOutputImage::ImageDimension;
  static_assert(std::is_same_v<typename TOutputImage::PixelType, Vector<float, ImageDimension>>,
                "The displacement field must have pixels of itk::Vector<float, ImageDimension>.");

  using OutputImageType = TOutputImage;
  using TransformType = GeodesicShootingTransform<TParametersValueType, ImageDimension>;
  using ReferenceImageBaseType = ImageBase<ImageDimension>;
  using SizeType = typename OutputImageType::SizeType;
  using IndexType = typename OutputImageType::IndexType;
  using SpacingType = typename OutputImageType::SpacingType;
  using OriginType = typename OutputImageType::PointType;
  using DirectionType = typename OutputImageType::DirectionType;

  /** The transform that is sampled. */
  itkSetGetDecoratedObjectInputMacro(Transform, TransformType);

  /** The image whose grid the field has; its pixels are not used. It applies where UseReferenceImage is on. */
  itkCudaNeuroSetGetInputMacro(ReferenceImage, ReferenceImageBaseType);
  itkCudaNeuroSetGetBooleanMacro(UseReferenceImage);

  /** \name The grid of the field, without a reference image
   * By default the size is 0, and there is nothing to compute; spacing 1, origin 0, and the direction of the axes of
   * space. */
  ///@{
  itkCudaNeuroSetGetReferenceMacro(Size, SizeType);
  itkCudaNeuroSetGetReferenceMacro(OutputStartIndex, IndexType);
  itkCudaNeuroSetGetReferenceMacro(OutputSpacing, SpacingType);
  itkCudaNeuroSetGetReferenceMacro(OutputOrigin, OriginType);
  itkCudaNeuroSetGetReferenceMacro(OutputDirection, DirectionType);
  ///@}

  /** The floating-point type in which points are moved: Single, the default, or Double. The landmarks' trajectory is
   * always computed in double. */
  using PrecisionEnum = cudaneuro::ShootingPrecision;
  itkCudaNeuroSetGetEnumMacro(Precision, PrecisionEnum);

protected:
  CudaGeodesicShootingToDisplacementFieldFilter();
  ~CudaGeodesicShootingToDisplacementFieldFilter() override = default;

  void
  VerifyPreconditions() const override
  {
    Superclass::VerifyPreconditions();
    if (m_UseReferenceImage && this->GetReferenceImage() == nullptr)
    {
      itkExceptionMacro("UseReferenceImage is On and there is no reference image");
    }
  }
  void
  GenerateOutputInformation() override;
  void
  EnlargeOutputRequestedRegion(DataObject * output) override
  {
    output->SetRequestedRegionToLargestPossibleRegion();
  }
  void
  GenerateData() override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  SizeType      m_Size;
  IndexType     m_OutputStartIndex;
  SpacingType   m_OutputSpacing;
  OriginType    m_OutputOrigin;
  DirectionType m_OutputDirection;
  bool          m_UseReferenceImage = false;
  PrecisionEnum m_Precision = PrecisionEnum::Single;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaGeodesicShootingToDisplacementFieldFilter.hxx"
#endif

#endif
