// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaWarpImageFilter_hxx
#define itkCudaWarpImageFilter_hxx

#include "itkCudaWarpImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::SetOutputParametersFromImage(
  const ImageBaseType * image)
{
  if (image == nullptr)
  {
    itkExceptionMacro("SetOutputParametersFromImage needs an image");
  }
  this->SetOutputSpacing(image->GetSpacing());
  this->SetOutputOrigin(image->GetOrigin());
  this->SetOutputDirection(image->GetDirection());
  this->SetOutputSize(image->GetLargestPossibleRegion().GetSize());
  this->SetOutputStartIndex(image->GetLargestPossibleRegion().GetIndex());
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyInputInformation() const
{
  this->VerifyNotEmpty(this->GetInput(), "input image");
  if (this->GetDisplacementField() != nullptr)
  {
    this->VerifyNotEmpty(this->GetDisplacementField(), "displacement field");
  }
  if (this->GetMaskImage() != nullptr)
  {
    this->VerifySameGrid("MaskImage", this->GetMaskImage(), "the input image", this->GetInput());
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::GenerateOutputInformation()
{
  const ImageBaseType * source = this->GetDisplacementField();
  if (source == nullptr)
  {
    source = this->GetInput();
  }
  TOutputImage * const output = this->GetOutput();
  output->SetSpacing(m_IsOutputSpacingSet ? m_OutputSpacing : source->GetSpacing());
  output->SetOrigin(m_IsOutputOriginSet ? m_OutputOrigin : source->GetOrigin());
  output->SetDirection(m_IsOutputDirectionSet ? m_OutputDirection : source->GetDirection());
  const typename TOutputImage::RegionType region(m_OutputStartIndex, m_OutputSize);
  output->SetLargestPossibleRegion(m_OutputSize == SizeType{} ? source->GetLargestPossibleRegion() : region);
  this->VerifyNotEmpty(output, "output image");
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::ConstField
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::GetFieldOnOutput(
  cudaneuro::Context & context, const cudaneuro::Geometry & outputGeometry, cudaneuro::DeviceMemory & memory) const
{
  const DisplacementFieldType * const field = this->GetDisplacementField();
  if (field == nullptr)
  {
    return {};
  }
  this->VerifyPixels(field, "the displacement field");
  const cudaneuro::Geometry fieldGeometry = CudaNeuroDetail::GeometryOf<ImageDimension>(field);
  if (cudaneuro::IsSameGeometry(fieldGeometry, outputGeometry))
  {
    return CudaNeuroDetail::FieldOf(field);
  }
  const auto voxels = static_cast<std::size_t>(outputGeometry.grid.NumberOfVoxels());
  memory = context.Allocate(voxels * ImageDimension * sizeof(float));
  const cudaneuro::MemorySpace space =
    context.GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const cudaneuro::Field onOutput{ static_cast<float *>(memory.Data()), ImageDimension, space };
  cudaneuro::ResampleDisplacementField(
    context, fieldGeometry, CudaNeuroDetail::FieldOf(field), outputGeometry, onOutput);
  return { onOutput.data, ImageDimension, space };
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::Compute(cudaneuro::Context & context)
{
  cudaneuro::WarpParameters parameters;
  parameters.interpolation = m_Interpolation;
  parameters.edgePaddingValue = static_cast<double>(m_EdgePaddingValue);
  const cudaneuro::Geometry outputGeometry = CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetOutput());
  cudaneuro::DeviceMemory   memory;
  cudaneuro::ConstField     field;
  {
    const cudaneuro::Context::ProgressRange progress(context, 0.0, 0.3);
    field = this->GetFieldOnOutput(context, outputGeometry, memory);
  }
  const cudaneuro::Context::ProgressRange progress(context, 0.3, 1.0);
  cudaneuro::WarpImage(context,
                       parameters,
                       CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetInput()),
                       CudaNeuroDetail::VolumeOf(this->GetInput()),
                       this->GetMaskVolume(),
                       outputGeometry,
                       m_Transform.IsNull() ? cudaneuro::AffineMap()
                                            : CudaNeuroDetail::AffineMapOf(m_Transform.GetPointer()),
                       field,
                       CudaNeuroDetail::VolumeOf(this->GetOutput()));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaWarpImageFilter<TInputImage, TOutputImage, TDisplacementField>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Transform: " << m_Transform.GetPointer() << std::endl;
  os << indent << "Interpolation: " << m_Interpolation << std::endl;
  os << indent << "EdgePaddingValue: " << static_cast<double>(m_EdgePaddingValue) << std::endl;
  os << indent << "OutputSpacing: " << m_OutputSpacing << (m_IsOutputSpacingSet ? "" : " (not set)") << std::endl;
  os << indent << "OutputOrigin: " << m_OutputOrigin << (m_IsOutputOriginSet ? "" : " (not set)") << std::endl;
  os << indent << "OutputDirection:" << (m_IsOutputDirectionSet ? "" : " (not set)") << std::endl
     << m_OutputDirection << std::endl;
  os << indent << "OutputSize: " << m_OutputSize << std::endl;
  os << indent << "OutputStartIndex: " << m_OutputStartIndex << std::endl;
}

} // namespace itk

#endif
