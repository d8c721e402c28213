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
  cudaneuro::RegistrationParameters parameters = m_Parameters;
  parameters.levels = m_Schedule.MakeLevels(this->GetGridOfLevels());
  CudaNeuroDetail::CompleteFurtherChannels(this, parameters);
  this->CompleteParameters(parameters);
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
  m_Schedule.Print(os, indent);
  CudaNeuroDetail::PrintParameters(os,
                                   indent,
                                   m_Parameters,
                                   ImageDimension,
                                   { "UpdateFieldStandardDeviations", "UpdateFieldStandardDeviationsPerLevel" });
  CudaNeuroDetail::PrintFurtherChannels(os, indent, m_Parameters.furtherChannels, ImageDimension);
  os << indent << "InverseTolerance: " << m_Parameters.inversion.tolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_Parameters.inversion.maximumNumberOfIterations << std::endl;
  os << indent << "UseImages: " << onOff(m_UseImages) << std::endl;
  os << indent << "ComputeInverse: " << onOff(m_ComputeInverse) << std::endl;
  os << indent << "ComputeWarped: " << onOff(m_ComputeWarped) << std::endl;
  os << indent << "ComputeJacobian: " << onOff(m_ComputeJacobian) << std::endl;
  os << indent << "Interpolation: " << m_Interpolation << std::endl;
  os << indent << "EdgePaddingValue: " << static_cast<double>(m_EdgePaddingValue) << std::endl;
  os << indent << "ElapsedIterations: " << m_Result.iterations.size() << std::endl;
  os << indent << "Energy: " << m_Result.final.energy << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_Result.jacobian.numberOfFoldedVoxels << std::endl;
  os << indent << "Jacobian: " << m_Result.jacobian.minimum << " to " << m_Result.jacobian.maximum << std::endl;
  os << indent << "LowerPercentileJacobian: " << m_Result.jacobian.lowerPercentile << std::endl;
  os << indent << "UpperPercentileJacobian: " << m_Result.jacobian.upperPercentile << std::endl;
  os << indent << "MeanInverseConsistency: " << m_Result.inversion.meanResidual << std::endl;
  os << indent << "MeanInverseConsistencyInMillimeters: " << m_Result.meanInverseError << std::endl;
  os << indent << "NumberOfFixedOutliers: " << m_Result.numberOfOutliers[0] << std::endl;
  os << indent << "NumberOfMovingOutliers: " << m_Result.numberOfOutliers[1] << std::endl;
  os << indent << "NumberOfShortenedSteps: " << m_Result.numberOfShortenedSteps << std::endl;
  os << indent << "NumberOfMendingRounds: " << m_Result.numberOfMendingRounds << std::endl;
  os << indent << "IsDamped: " << onOff(m_Result.isDamped) << std::endl;
}

} // namespace itk

#endif
