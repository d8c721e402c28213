// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaComposeDisplacementFieldsImageFilter_hxx
#define itkCudaComposeDisplacementFieldsImageFilter_hxx

#include "itkCudaComposeDisplacementFieldsImageFilter.h"

namespace itk
{

template <typename TInputImage, typename TOutputImage>
CudaComposeDisplacementFieldsImageFilter<TInputImage, TOutputImage>::CudaComposeDisplacementFieldsImageFilter()
{
  this->SetPrimaryInputName("DisplacementField");
  this->AddRequiredInputName("WarpingField", 1);
}

template <typename TInputImage, typename TOutputImage>
void
CudaComposeDisplacementFieldsImageFilter<TInputImage, TOutputImage>::VerifyInputInformation() const
{
  this->VerifyNotEmpty(this->GetDisplacementField(), "displacement field");
  this->VerifyNotEmpty(this->GetWarpingField(), "warping field");
}

template <typename TInputImage, typename TOutputImage>
void
CudaComposeDisplacementFieldsImageFilter<TInputImage, TOutputImage>::GenerateOutputInformation()
{
  this->GetOutput()->CopyInformation(this->GetWarpingField());
}

template <typename TInputImage, typename TOutputImage>
void
CudaComposeDisplacementFieldsImageFilter<TInputImage, TOutputImage>::Compute(cudaneuro::Context & context)
{
  this->VerifyPixels(this->GetWarpingField(), "the warping field");
  cudaneuro::ComposeDisplacementFields(context,
                                       CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetWarpingField()),
                                       CudaNeuroDetail::FieldOf(this->GetWarpingField()),
                                       CudaNeuroDetail::GeometryOf<ImageDimension>(this->GetDisplacementField()),
                                       CudaNeuroDetail::FieldOf(this->GetDisplacementField()),
                                       CudaNeuroDetail::FieldOf(this->GetOutput()));
}

} // namespace itk

#endif
