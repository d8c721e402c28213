// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaGeodesicShootingToDisplacementFieldFilter_hxx
#define itkCudaGeodesicShootingToDisplacementFieldFilter_hxx

#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkCudaNeuroAllocation.h"

#include <string>

namespace itk
{

template <typename TOutputImage, typename TParametersValueType>
CudaGeodesicShootingToDisplacementFieldFilter<TOutputImage,
                                              TParametersValueType>::CudaGeodesicShootingToDisplacementFieldFilter()
{
  this->SetPrimaryInputName("Transform");
  this->SetNumberOfRequiredInputs(1);
  m_Size.Fill(0);
  m_OutputStartIndex.Fill(0);
  m_OutputSpacing.Fill(1.0);
  m_OutputOrigin.Fill(0.0);
  m_OutputDirection.SetIdentity();
}

template <typename TOutputImage, typename TParametersValueType>
void
CudaGeodesicShootingToDisplacementFieldFilter<TOutputImage, TParametersValueType>::GenerateOutputInformation()
{
  OutputImageType * const output = this->GetOutput();
  if (m_UseReferenceImage)
  {
    const ReferenceImageBaseType * const reference = this->GetReferenceImage();
    output->SetLargestPossibleRegion(reference->GetLargestPossibleRegion());
    output->SetSpacing(reference->GetSpacing());
    output->SetOrigin(reference->GetOrigin());
    output->SetDirection(reference->GetDirection());
  }
  else
  {
    output->SetLargestPossibleRegion({ m_OutputStartIndex, m_Size });
    output->SetSpacing(m_OutputSpacing);
    output->SetOrigin(m_OutputOrigin);
    output->SetDirection(m_OutputDirection);
  }
  if (output->GetLargestPossibleRegion().GetNumberOfPixels() == 0)
  {
    itkExceptionMacro("The displacement field would be empty: its size is "
                      << output->GetLargestPossibleRegion().GetSize());
  }
}

template <typename TOutputImage, typename TParametersValueType>
void
CudaGeodesicShootingToDisplacementFieldFilter<TOutputImage, TParametersValueType>::GenerateData()
{
  const TransformType * const transform = this->GetTransform();
  OutputImageType * const     output = this->GetOutput();
  if (transform->GetNumberOfPoints() == 0)
  {
    itkExceptionMacro("The transform has no template points");
  }
  output->SetBufferedRegion(output->GetRequestedRegion());
  const std::string reason = CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), true, output);
  if (!reason.empty())
  {
    itkWarningMacro("The output gets ordinary memory, which is slower to copy to: " << reason);
  }
  this->RunOnDevice([this, transform, output](cudaneuro::Context & context) {
    // The transform's own flow moves points of grids in single precision.
    const auto flow = m_Precision == PrecisionEnum::Single ? transform->GetFlow() : transform->MakeFlow(m_Precision);
    flow->GetDisplacementField(context,
                               transform->GetDirection(),
                               CudaNeuroDetail::GeometryOf<ImageDimension>(output),
                               CudaNeuroDetail::FieldOf(output));
  });
}

template <typename TOutputImage, typename TParametersValueType>
void
CudaGeodesicShootingToDisplacementFieldFilter<TOutputImage, TParametersValueType>::PrintSelf(std::ostream & os,
                                                                                             Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  os << indent << "Size: " << m_Size << std::endl;
  os << indent << "OutputStartIndex: " << m_OutputStartIndex << std::endl;
  os << indent << "OutputSpacing: " << m_OutputSpacing << std::endl;
  os << indent << "OutputOrigin: " << m_OutputOrigin << std::endl;
  os << indent << "OutputDirection: " << m_OutputDirection << std::endl;
  os << indent << "UseReferenceImage: " << (m_UseReferenceImage ? "On" : "Off") << std::endl;
  os << indent << "Precision: " << m_Precision << std::endl;
}

} // namespace itk

#endif
