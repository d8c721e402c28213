// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLinearRegistrationFilterParameters_hxx
#define itkCudaLinearRegistrationFilterParameters_hxx

// The part of CudaLinearRegistrationFilter that takes and checks parameters.

#include "itkCudaLinearRegistrationFilter.h"
#include "itkCudaLinearRegistrationTransforms.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::SetIntensityQuantiles(double lower, double upper)
{
  QuantilesType quantiles;
  quantiles[0] = lower;
  quantiles[1] = upper;
  this->SetIntensityQuantiles(quantiles);
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::VerifyPreconditions() const
{
  Superclass::VerifyPreconditions();
  if (m_Parameters.transformType != TransformTypeEnum::Translation)
  {
    return;
  }
  if (m_Parameters.start == StartEnum::PrincipalAxes)
  {
    itkExceptionMacro(
      "The Start is PrincipalAxes, which rotates; for the TransformType Translation it must be another");
  }
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeParameters() const -> ParametersType
{
  ParametersType parameters = m_Parameters;
  parameters.levels = m_Schedule.MakeLevels(this->GetFixedImage());
  CudaNeuroDetail::CompleteFurtherChannels(this, parameters);
  return parameters;
}

template <typename TFixedImage, typename TMovingImage>
cudaneuro::AffineMap
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeInitialTransform() const
{
  const cudaneuro::AffineMap map = CudaNeuroDetail::LinearMapOf<ImageDimension>(this->GetInitialTransform());
  return CudaNeuroDetail::NearestOfType(ImageDimension, m_Parameters.transformType, map, "the initial transform");
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::VerifyParameters() const
{
  this->VerifyPreconditions();
  CudaNeuroDetail::Call([this] { cudaneuro::RequireLinearRegistrationParameters(this->MakeParameters()); });
}

template <typename TFixedImage, typename TMovingImage>
void
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto onOff = [](bool value) { return value ? "On" : "Off"; };
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters.metric, ImageDimension);
  CudaNeuroDetail::PrintFurtherChannels(os, indent, m_Parameters.furtherChannels, ImageDimension);
  m_Schedule.Print(os, indent);
  os << indent << "ComputeWarped: " << onOff(m_ComputeWarped) << std::endl;
  os << indent << "Interpolation: " << m_Interpolation << std::endl;
  os << indent << "EdgePaddingValue: " << static_cast<double>(m_EdgePaddingValue) << std::endl;
  os << indent << "UsePinnedOutput: " << onOff(m_UsePinnedOutput) << std::endl;
  os << indent << "ElapsedIterations: " << m_Iterations.size() << std::endl;
  os << indent << "MetricValue: " << m_Result.value << std::endl;
  os << indent << "Overlap: " << m_Result.overlap << std::endl;
  os << indent << "Quality: " << m_Result.quality << std::endl;
  os << indent << "IsSuccess: " << onOff(m_Result.isSuccess) << std::endl;
  os << indent << "Rotation: " << this->GetRotation() << std::endl;
  os << indent << "Tilt: " << this->GetTilt() << std::endl;
  os << indent << "LargestScale: " << this->GetLargestScale() << std::endl;
  os << indent << "LeastScale: " << this->GetLeastScale() << std::endl;
  os << indent << "Shear: " << this->GetShear() << std::endl;
  os << indent << "NumberOfEvaluations: " << m_Result.numberOfEvaluations << std::endl;
  os << indent << "NumberOfFixedOutliers: " << this->GetNumberOfFixedOutliers() << std::endl;
  os << indent << "NumberOfMovingOutliers: " << this->GetNumberOfMovingOutliers() << std::endl;
}

} // namespace itk

#endif
