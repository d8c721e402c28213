// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaComposeDisplacementFieldsImageFilter_h
#define itkCudaComposeDisplacementFieldsImageFilter_h

#include "cudaneuro/DisplacementField.h"
#include "itkCudaNeuroImageFilter.h"

namespace itk
{

/** \class CudaComposeDisplacementFieldsImageFilter
 * \brief Composes two displacement fields into that of one map followed by the other, on a CUDA device or the CPU.
 *
 * output(p) = w(p) + u(p + w(p)) with the WarpingField w, which is applied first, and the DisplacementField u, linearly
 * interpolated. The output lies on the grid of the warping field.
 *
 * Unlike in itk::ComposeDisplacementFieldsImageFilter, the fields may have different grids, and beyond its edge the
 * displacement field is repeated, not 0, so that the composition has no step there.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaComposeDisplacementFieldsImageFilter
  : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaComposeDisplacementFieldsImageFilter);

  using Self = CudaComposeDisplacementFieldsImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaComposeDisplacementFieldsImageFilter);

  using Superclass::ImageDimension;
  using InputFieldType = TInputImage;
  using OutputFieldType = TOutputImage;

  /** The field that is applied second; the primary input. */
  void
  SetDisplacementField(const InputFieldType * field)
  {
    this->SetInput(0, field);
  }
  const InputFieldType *
  GetDisplacementField() const
  {
    return this->GetInput(0);
  }

  /** The field that is applied first, whose grid the output has. */
  void
  SetWarpingField(const InputFieldType * field)
  {
    this->SetInput(1, field);
  }
  const InputFieldType *
  GetWarpingField() const
  {
    return this->GetInput(1);
  }

protected:
  CudaComposeDisplacementFieldsImageFilter()
  {
    this->SetPrimaryInputName("DisplacementField");
    this->AddRequiredInputName("WarpingField", 1);
  }
  ~CudaComposeDisplacementFieldsImageFilter() override = default;

  void
  VerifyInputInformation() const override
  {
    this->VerifyNotEmpty(this->GetDisplacementField(), "displacement field");
    this->VerifyNotEmpty(this->GetWarpingField(), "warping field");
  }
  void
  GenerateOutputInformation() override
  {
    this->GetOutput()->CopyInformation(this->GetWarpingField());
  }
  void
  Compute(cudaneuro::Context & context) override
  {
    this->VerifyPixels(this->GetWarpingField(), "the warping field");
    cudaneuro::ComposeDisplacementFields(context,
                                         CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetWarpingField()),
                                         CudaNeuroDetail::FieldOf(this->GetWarpingField()),
                                         CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetDisplacementField()),
                                         CudaNeuroDetail::FieldOf(this->GetDisplacementField()),
                                         CudaNeuroDetail::FieldOf(this->GetOutput()));
  }
};

} // namespace itk

#endif
