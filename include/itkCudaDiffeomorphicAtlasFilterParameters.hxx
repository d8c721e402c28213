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
  if (m_Parameters.registration.velocityMethod == VelocityMethodEnum::Gaussian)
  {
    itkExceptionMacro("VelocityMethod is Gaussian; it must be SuccessiveOverRelaxation or FourierTransform");
  }
  cudaneuro::AtlasParameters parameters = m_Parameters;
  parameters.registration.levels = m_Schedule.MakeLevels(this->GetGridImage());
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
  m_Schedule.Print(os, indent);
  CudaNeuroDetail::PrintParameters(os,
                                   indent,
                                   m_Parameters.registration,
                                   ImageDimension,
                                   { "UpdateFieldStandardDeviations", "UpdateFieldStandardDeviationsPerLevel" });
  os << indent << "InverseTolerance: " << m_Parameters.registration.inversion.tolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_Parameters.registration.inversion.maximumNumberOfIterations
     << std::endl;
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
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
