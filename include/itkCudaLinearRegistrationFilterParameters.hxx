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
  if (m_TransformType != TransformTypeEnum::Translation)
  {
    return;
  }
  if (m_Start == StartEnum::PrincipalAxes)
  {
    itkExceptionMacro(
      "The Start is PrincipalAxes, which rotates; for the TransformType Translation it must be another");
  }
}

template <typename TFixedImage, typename TMovingImage>
auto
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeParameters() const -> ParametersType
{
  using CudaNeuroDetail::ToInt;
  ParametersType parameters;
  parameters.transformType = m_TransformType;
  parameters.metric.metric = m_Metric;
  parameters.metric.numberOfHistogramBins = ToInt(m_NumberOfHistogramBins, "NumberOfHistogramBins");
  parameters.metric.intensityQuantiles = { m_IntensityQuantiles[0], m_IntensityQuantiles[1] };
  parameters.metric.correlationRadius = ToInt(m_CorrelationRadius, "CorrelationRadius");
  parameters.metric.isSymmetric = m_UseSymmetricMetric;
  parameters.metric.repairOutliers = m_RepairOutliers;
  parameters.metric.extendBackground = m_ExtendBackground;
  parameters.voxelWeighting = m_VoxelWeighting;
  parameters.localRefinement = m_UseLocalRefinement;
  parameters.start = m_Start;
  parameters.searchAngle = m_SearchAngle;
  parameters.searchDistance = m_SearchDistance;
  parameters.levels = m_Schedule.MakeLevels(this->GetFixedImage());
  parameters.convergenceThreshold = m_ConvergenceThreshold;
  parameters.minimumOverlap = m_MinimumOverlap;
  parameters.maximumScale = m_MaximumScale;
  parameters.maximumShear = m_MaximumShear;
  parameters.maximumRotation = m_MaximumRotation;
  return parameters;
}

template <typename TFixedImage, typename TMovingImage>
cudaneuro::AffineMap
CudaLinearRegistrationFilter<TFixedImage, TMovingImage>::MakeInitialTransform() const
{
  const cudaneuro::AffineMap map = CudaNeuroDetail::LinearMapOf<ImageDimension>(this->GetInitialTransform());
  return CudaNeuroDetail::NearestOfType(ImageDimension, m_TransformType, map, "the initial transform");
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
  os << indent << "TransformType: " << m_TransformType << std::endl;
  os << indent << "Metric: " << m_Metric << std::endl;
  os << indent << "NumberOfHistogramBins: " << m_NumberOfHistogramBins << std::endl;
  os << indent << "IntensityQuantiles: " << m_IntensityQuantiles << std::endl;
  os << indent << "CorrelationRadius: " << m_CorrelationRadius << std::endl;
  os << indent << "UseSymmetricMetric: " << onOff(m_UseSymmetricMetric) << std::endl;
  os << indent << "RepairOutliers: " << onOff(m_RepairOutliers) << std::endl;
  os << indent << "ExtendBackground: " << onOff(m_ExtendBackground) << std::endl;
  os << indent << "VoxelWeighting: " << m_VoxelWeighting << std::endl;
  os << indent << "UseLocalRefinement: " << onOff(m_UseLocalRefinement) << std::endl;
  os << indent << "Start: " << m_Start << std::endl;
  os << indent << "SearchAngle: " << m_SearchAngle << std::endl;
  os << indent << "SearchDistance: " << m_SearchDistance << std::endl;
  m_Schedule.Print(os, indent);
  os << indent << "ConvergenceThreshold: " << m_ConvergenceThreshold << std::endl;
  os << indent << "MinimumOverlap: " << m_MinimumOverlap << std::endl;
  os << indent << "MaximumScale: " << m_MaximumScale << std::endl;
  os << indent << "MaximumShear: " << m_MaximumShear << std::endl;
  os << indent << "MaximumRotation: " << m_MaximumRotation << std::endl;
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
