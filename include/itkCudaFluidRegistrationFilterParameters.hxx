// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFluidRegistrationFilterParameters_hxx
#define itkCudaFluidRegistrationFilterParameters_hxx

// The part of CudaFluidRegistrationFilter that takes and checks parameters.

#include "itkCudaFluidRegistrationFilter.h"

namespace itk
{

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
cudaneuro::RegistrationParameters
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::MakeParameters() const
{
  using CudaNeuroDetail::ThreeAxes;
  using CudaNeuroDetail::ToInt;
  cudaneuro::RegistrationParameters parameters;
  parameters.metric = m_Metric;
  parameters.correlationRadius = ToInt(m_CorrelationRadius, "CorrelationRadius");
  parameters.numberOfHistogramBins = ToInt(m_NumberOfHistogramBins, "NumberOfHistogramBins");
  parameters.matchIntensities = m_MatchIntensities;
  parameters.repairOutliers = m_RepairOutliers;
  parameters.maximumStep = m_MaximumStep;
  parameters.minimumJacobian = m_JacobianBound;
  parameters.convergenceThreshold = m_ConvergenceThreshold;
  parameters.fieldSigma = ThreeAxes(m_StandardDeviations, ImageDimension, 0.0);
  parameters.inversion.tolerance = m_InverseTolerance;
  parameters.inversion.maximumIterations =
    ToInt(m_MaximumNumberOfInverseIterations, "MaximumNumberOfInverseIterations");
  parameters.levels = m_Schedule.MakeLevels(this->GetGridOfLevels());
  this->SetMethod(parameters);
  return parameters;
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::VerifyParameters() const
{
  this->VerifyPreconditions();
  const cudaneuro::Grid grid = CudaNeuroDetail::GridOf<ImageDimension>(this->GetFixedImage());
  CudaNeuroDetail::Call([&] { cudaneuro::RequireRegistrationParameters(this->MakeParameters(), grid); });
}

template <typename TFixedImage, typename TMovingImage, typename TDisplacementField>
void
CudaFluidRegistrationFilter<TFixedImage, TMovingImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                      Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto onOff = [](bool value) { return value ? "On" : "Off"; };
  itkPrintSelfObjectMacro(InitialTransform);
  os << indent << "Metric: " << m_Metric << std::endl;
  os << indent << "CorrelationRadius: " << m_CorrelationRadius << std::endl;
  os << indent << "NumberOfHistogramBins: " << m_NumberOfHistogramBins << std::endl;
  os << indent << "MatchIntensities: " << onOff(m_MatchIntensities) << std::endl;
  os << indent << "RepairOutliers: " << onOff(m_RepairOutliers) << std::endl;
  m_Schedule.Print(os, indent);
  os << indent << "MaximumStep: " << m_MaximumStep << std::endl;
  os << indent << "JacobianBound: " << m_JacobianBound << std::endl;
  os << indent << "ConvergenceThreshold: " << m_ConvergenceThreshold << std::endl;
  os << indent << "StandardDeviations: " << m_StandardDeviations << std::endl;
  os << indent << "InverseTolerance: " << m_InverseTolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_MaximumNumberOfInverseIterations << std::endl;
  os << indent << "ComputeInverse: " << onOff(m_ComputeInverse) << std::endl;
  os << indent << "ComputeWarped: " << onOff(m_ComputeWarped) << std::endl;
  os << indent << "ComputeJacobian: " << onOff(m_ComputeJacobian) << std::endl;
  os << indent << "Interpolation: " << m_Interpolation << std::endl;
  os << indent << "EdgePaddingValue: " << static_cast<double>(m_EdgePaddingValue) << std::endl;
  os << indent << "ElapsedIterations: " << m_Iterations.size() << std::endl;
  os << indent << "Energy: " << m_Energy << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_NumberOfFoldedVoxels << std::endl;
  os << indent << "Jacobian: " << m_MinimumJacobian << " to " << m_MaximumJacobian << std::endl;
  os << indent << "LowerPercentileJacobian: " << m_LowerPercentileJacobian << std::endl;
  os << indent << "UpperPercentileJacobian: " << m_UpperPercentileJacobian << std::endl;
  os << indent << "MeanInverseConsistency: " << m_MeanInverseConsistency << std::endl;
  os << indent << "MeanInverseConsistencyInMillimeters: " << m_MeanInverseConsistencyInMillimeters << std::endl;
  os << indent << "NumberOfFixedOutliers: " << m_NumberOfFixedOutliers << std::endl;
  os << indent << "NumberOfMovingOutliers: " << m_NumberOfMovingOutliers << std::endl;
  os << indent << "NumberOfShortenedSteps: " << m_NumberOfShortenedSteps << std::endl;
  os << indent << "NumberOfMendingRounds: " << m_NumberOfMendingRounds << std::endl;
  os << indent << "IsDamped: " << onOff(m_IsDamped) << std::endl;
}

} // namespace itk

#endif
