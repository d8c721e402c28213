// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaDiffeomorphicAtlasFilterParameters_hxx
#define itkCudaDiffeomorphicAtlasFilterParameters_hxx

// The part of CudaDiffeomorphicAtlasFilter that takes parameters and gives them to the engine.

#include "itkCudaDiffeomorphicAtlasFilter.h"

#include <algorithm>
#include <string>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetComputeDevices(
  const StringVectorType & names)
{
  std::vector<ComputeDevice> devices;
  devices.reserve(names.size());
  for (const std::string & name : names)
  {
    devices.push_back(ComputeDevice::FromName(name));
  }
  if (!devices.empty())
  {
    this->SetComputeDevice(devices.front());
  }
  if (m_ComputeDevices != devices)
  {
    m_ComputeDevices = devices;
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetComputeDevices() const
  -> StringVectorType
{
  StringVectorType names;
  for (const ComputeDevice & device : m_ComputeDevices)
  {
    names.push_back(device.GetName());
  }
  return names;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SaveCheckpoint()
{
  if (m_CheckpointFolder.empty())
  {
    itkExceptionMacro("A checkpoint cannot be saved: CheckpointFolder is empty");
  }
  m_SaveCheckpoint = true;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasParameters
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeParameters() const
{
  using CudaNeuroDetail::ThreeAxes;
  using CudaNeuroDetail::ToInt;
  if (m_VelocityMethod == VelocityMethodEnum::Gaussian)
  {
    itkExceptionMacro("VelocityMethod is Gaussian; it must be SuccessiveOverRelaxation or FourierTransform");
  }
  cudaneuro::AtlasParameters          parameters;
  cudaneuro::RegistrationParameters & registration = parameters.registration;
  registration.metric = m_Metric;
  registration.correlationRadius = ToInt(m_CorrelationRadius, "CorrelationRadius");
  registration.repairOutliers = m_RepairOutliers;
  registration.solver = m_VelocityMethod;
  registration.alpha = m_Alpha;
  registration.beta = m_Beta;
  registration.gamma = m_Gamma;
  registration.firstSweeps = ToInt(m_FirstSweeps, "FirstSweeps");
  registration.sweeps = ToInt(m_Sweeps, "Sweeps");
  registration.levels = m_Schedule.MakeLevels(this->GetGridImage());
  registration.maximumStep = m_MaximumStep;
  registration.convergenceThreshold = m_ConvergenceThreshold;
  registration.fieldSigma = ThreeAxes(m_StandardDeviations, ImageDimension, 0.0);
  registration.inversion.tolerance = m_InverseTolerance;
  registration.inversion.maximumIterations =
    ToInt(m_MaximumNumberOfInverseIterations, "MaximumNumberOfInverseIterations");
  parameters.mean = m_MeanMethod;
  parameters.trimmedFraction = m_TrimmedFraction;
  parameters.sharpening = m_Sharpening;
  parameters.shapeUpdateInterval = ToInt(m_ShapeUpdateInterval, "ShapeUpdateInterval");
  parameters.keepPose = m_KeepPose;
  parameters.trimToBoundingBox = m_TrimToBoundingBox;
  parameters.measureEntropy = m_MeasureEntropy;
  return parameters;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyDevices() const
{
  const ComputeDevice first = this->GetComputeDevice();
  if (!m_ComputeDevices.empty() && m_ComputeDevices.front() != first)
  {
    itkExceptionMacro("ComputeDevice is " << first << ", and the first of ComputeDevices is "
                                          << m_ComputeDevices.front() << "; they must be the same");
  }
  constexpr bool hasDeviceImages = CudaNeuroDetail::IsDeviceImage<TInputImage> ||
                                   CudaNeuroDetail::IsDeviceImage<TOutputImage> ||
                                   CudaNeuroDetail::IsDeviceImage<TDisplacementField>;
  for (const ComputeDevice & device : m_ComputeDevices)
  {
    if (hasDeviceImages && device != first)
    {
      itkExceptionMacro("Device images need a single device; ComputeDevices has " << first << " and " << device);
    }
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasDevices
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeDevices() const
{
  cudaneuro::AtlasDevices result;
  result.devices = { this->GetComputeDevice().GetEngineDevice() };
  for (std::size_t i = 1; i < m_ComputeDevices.size(); ++i)
  {
    result.devices.push_back(m_ComputeDevices[i].GetEngineDevice());
  }
  result.numberOfThreads = CudaNeuroDetail::NumberOfThreadsOf(this);
  result.maximumDeviceMemory = this->GetMaximumDeviceMemory();
  return result;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaDiffeomorphicAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::PrintSelf(std::ostream & os,
                                                                                       Indent         indent) const
{
  Superclass::PrintSelf(os, indent);
  const auto onOff = [](bool value) { return value ? "On" : "Off"; };
  const auto list = [](const auto & values) {
    std::string text;
    for (const auto & value : values)
    {
      text += (text.empty() ? "" : " ") + CudaNeuroDetail::NameOf(value);
    }
    return "[" + text + "]";
  };
  os << indent << "NumberOfImages: " << this->GetNumberOfImages() << std::endl;
  os << indent << "Weights: " << (m_Weights.empty() ? "(equal)" : list(m_Weights)) << std::endl;
  os << indent << "InitialTransforms: " << m_InitialTransforms.size() << std::endl;
  os << indent << "Metric: " << m_Metric << std::endl;
  os << indent << "CorrelationRadius: " << m_CorrelationRadius << std::endl;
  os << indent << "RepairOutliers: " << (m_RepairOutliers ? "On" : "Off") << std::endl;
  os << indent << "VelocityMethod: " << m_VelocityMethod << std::endl;
  os << indent << "Alpha: " << m_Alpha << std::endl;
  os << indent << "Beta: " << m_Beta << std::endl;
  os << indent << "Gamma: " << m_Gamma << std::endl;
  os << indent << "FirstSweeps: " << m_FirstSweeps << std::endl;
  os << indent << "Sweeps: " << m_Sweeps << std::endl;
  m_Schedule.Print(os, indent);
  os << indent << "MaximumStep: " << m_MaximumStep << std::endl;
  os << indent << "ConvergenceThreshold: " << m_ConvergenceThreshold << std::endl;
  os << indent << "StandardDeviations: " << m_StandardDeviations << std::endl;
  os << indent << "InverseTolerance: " << m_InverseTolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_MaximumNumberOfInverseIterations << std::endl;
  os << indent << "MeanMethod: " << m_MeanMethod << std::endl;
  os << indent << "TrimmedFraction: " << m_TrimmedFraction << std::endl;
  os << indent << "Sharpening: " << m_Sharpening << std::endl;
  os << indent << "ShapeUpdateInterval: " << m_ShapeUpdateInterval << std::endl;
  os << indent << "KeepPose: " << onOff(m_KeepPose) << std::endl;
  os << indent << "TrimToBoundingBox: " << onOff(m_TrimToBoundingBox) << std::endl;
  os << indent << "MeasureEntropy: " << onOff(m_MeasureEntropy) << std::endl;
  os << indent << "ComputeDevices: " << list(m_ComputeDevices) << std::endl;
  os << indent << "CheckpointFolder: " << m_CheckpointFolder << std::endl;
  os << indent << "CheckpointInterval: " << m_CheckpointInterval << std::endl;
  os << indent << "Resume: " << onOff(m_Resume) << std::endl;
  for (const OutputKind & kind : this->GetOutputKinds())
  {
    os << indent << "Compute" << kind.name << "s: " << onOff(kind.isComputed) << std::endl;
  }
  os << indent << "ComputeInitialMean: " << onOff(m_ComputeInitialMean) << std::endl;
  os << indent << "ElapsedIterations: " << m_Iterations.size() << std::endl;
  os << indent << "Energy: " << this->GetEnergy() << std::endl;
  os << indent << "NumberOfDrifts: " << m_Drifts.size() << std::endl;
  os << indent << "FinalEnergy: " << m_FinalEnergy << std::endl;
  os << indent << "NumberOfOutliers: " << m_NumberOfOutliers << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_NumberOfFoldedVoxels << std::endl;
  os << indent << "NumberOfShortenedSteps: " << m_NumberOfShortenedSteps << std::endl;
  os << indent << "MaximumInverseConsistency: " << m_MaximumInverseConsistency << std::endl;
  os << indent << "NumberOfStreamedImages: " << m_NumberOfStreamedImages << std::endl;
  os << indent << "Exchange: " << m_Exchange << std::endl;
}

} // namespace itk

#endif
