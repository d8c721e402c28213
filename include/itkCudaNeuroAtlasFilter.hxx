// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroAtlasFilter_hxx
#define itkCudaNeuroAtlasFilter_hxx

#include "itkCudaNeuroAtlasFilter.h"
#include "itkDeviceImage.h"

#include <iomanip>
#include <sstream>

namespace itk
{

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetComputeDevices(const StringVectorType & names)
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
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetComputeDevices() const -> StringVectorType
{
  StringVectorType names;
  for (const ComputeDevice & device : m_ComputeDevices)
  {
    names.push_back(device.GetName());
  }
  return names;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
template <typename TItk, typename TEngine>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::ChangeChannel(
  unsigned int channel, TEngine cudaneuro::ChannelParameters::*member, const TItk & value, const char * name)
{
  if (CudaNeuroDetail::ChangesChannel(m_Parameters.registration, channel, member, value, name))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelWeight(unsigned int channel,
                                                                                      double       weight)
{
  if (channel > 0)
  {
    this->ChangeChannel(channel, &cudaneuro::ChannelParameters::weight, weight, "ChannelWeight");
  }
  else if (CudaNeuroDetail::ChangesParameter(weight, m_Parameters.registration.channelWeight, "ChannelWeight"))
  {
    this->Modified();
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
double
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelWeight(unsigned int channel) const
{
  return channel == 0 ? m_Parameters.registration.channelWeight
                      : CudaNeuroDetail::ParameterOfChannel<double>(
                          m_Parameters.registration, channel, &cudaneuro::ChannelParameters::weight);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelMetric(unsigned int channel,
                                                                                      MetricEnum   metric)
{
  if (channel == 0)
  {
    this->SetMetric(metric);
    return;
  }
  this->ChangeChannel(channel, &cudaneuro::ChannelParameters::metric, metric, "ChannelMetric");
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelMetric(unsigned int channel) const
  -> MetricEnum
{
  return channel == 0 ? this->GetMetric()
                      : CudaNeuroDetail::ParameterOfChannel<MetricEnum>(
                          m_Parameters.registration, channel, &cudaneuro::ChannelParameters::metric);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelMetric(unsigned int        channel,
                                                                                      const std::string & nameOfMetric)
{
  this->SetChannelMetric(channel, CudaNeuroDetail::EnumFromName<MetricEnum>(nameOfMetric));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
std::string
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelMetricName(unsigned int channel) const
{
  return CudaNeuroDetail::NameOf(this->GetChannelMetric(channel));
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::SetChannelCorrelationRadius(unsigned int channel,
                                                                                                 unsigned int radius)
{
  if (channel == 0)
  {
    this->SetCorrelationRadius(radius);
    return;
  }
  this->ChangeChannel(channel, &cudaneuro::ChannelParameters::correlationRadius, radius, "ChannelCorrelationRadius");
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
unsigned int
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetChannelCorrelationRadius(
  unsigned int channel) const
{
  return channel == 0 ? this->GetCorrelationRadius()
                      : CudaNeuroDetail::ParameterOfChannel<unsigned int>(
                          m_Parameters.registration, channel, &cudaneuro::ChannelParameters::correlationRadius);
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasParameters
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeParameters() const
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
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::VerifyDevices() const
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
    // Masks and labels may be device images of their own.
    for (const auto & name : this->GetInputNames())
    {
      const auto * const input = this->ProcessObject::GetInput(name);
      if (device != first && (dynamic_cast<const DeviceImage<unsigned char, ImageDimension> *>(input) != nullptr ||
                              dynamic_cast<const DeviceImage<unsigned short, ImageDimension> *>(input) != nullptr))
      {
        itkExceptionMacro("Device images need a single device; ComputeDevices has "
                          << first << " and " << device << ", and " << name << " is a device image");
      }
    }
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
cudaneuro::AtlasDevices
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::MakeDevices() const
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
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::WarnOfCutImages() const
{
  std::ostringstream cut;
  cut << std::setprecision(3);
  for (std::size_t image = 0; image < m_Result.cutFractions.size(); ++image)
  {
    if (m_Result.cutFractions[image] > cudaneuro::noticeableCut)
    {
      cut << (cut.tellp() == 0 ? "" : ", ") << "image " << image << " (" << 100.0 * m_Result.cutFractions[image]
          << " %)";
    }
  }
  if (cut.tellp() > 0)
  {
    itkWarningMacro("Parts of images lie beyond the grid of the template, and are lost: "
                    << cut.str() << " of their intensity; a ReferenceImage whose grid holds all images keeps them");
  }
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetImageEnergies(unsigned int image) const
  -> RealVectorType
{
  RealVectorType energies;
  energies.reserve(m_Result.iterations.size());
  for (const IterationType & iteration : m_Result.iterations)
  {
    if (image >= iteration.imageEnergies.size())
    {
      itkExceptionMacro("There are no energies of image " << image << ": there are " << iteration.imageEnergies.size()
                                                          << " images, from 0");
    }
    energies.push_back(iteration.imageEnergies[image]);
  }
  return energies;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetTemplatePoints() const -> RealVectorType
{
  RealVectorType coordinates;
  for (const cudaneuro::AtlasPoint & point : m_Result.points)
  {
    coordinates.insert(coordinates.end(), point.position.begin(), point.position.begin() + ImageDimension);
  }
  return coordinates;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetTemplatePointSpreads() const -> RealVectorType
{
  RealVectorType spreads;
  for (const cudaneuro::AtlasPoint & point : m_Result.points)
  {
    spreads.push_back(point.GetSpread());
  }
  return spreads;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetTemplatePointCovariances() const
  -> RealVectorType
{
  RealVectorType covariances;
  for (const cudaneuro::AtlasPoint & point : m_Result.points)
  {
    for (unsigned int row = 0; row < ImageDimension; ++row)
    {
      const auto * const begin = point.covariance.data() + 3 * row;
      covariances.insert(covariances.end(), begin, begin + ImageDimension);
    }
  }
  return covariances;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
auto
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::GetTemplatePointCounts() const
  -> UnsignedVectorType
{
  UnsignedVectorType counts;
  for (const cudaneuro::AtlasPoint & point : m_Result.points)
  {
    counts.push_back(static_cast<unsigned int>(point.numberOfImages));
  }
  return counts;
}

template <typename TInputImage, typename TOutputImage, typename TDisplacementField>
void
CudaNeuroAtlasFilter<TInputImage, TOutputImage, TDisplacementField>::PrintSelf(std::ostream & os, Indent indent) const
{
  Superclass::PrintSelf(os, indent);
  m_Schedule.Print(os, indent);
  CudaNeuroDetail::PrintParameters(
    os,
    indent,
    m_Parameters.registration,
    ImageDimension,
    { "UpdateFieldStandardDeviations", "UpdateFieldStandardDeviationsPerLevel", "PointWeight", "LabelWeight" });
  CudaNeuroDetail::PrintFurtherChannels(os, indent, m_Parameters.registration.furtherChannels, ImageDimension);
  os << indent << "InverseTolerance: " << m_Parameters.registration.inversion.tolerance << std::endl;
  os << indent << "MaximumNumberOfInverseIterations: " << m_Parameters.registration.inversion.maximumNumberOfIterations
     << std::endl;
  CudaNeuroDetail::PrintParameters(os, indent, m_Parameters, ImageDimension);
  os << indent << "ComputeDevices: " << CudaNeuroDetail::ListOf(m_ComputeDevices) << std::endl;
  os << indent << "ElapsedIterations: " << m_Result.iterations.size() << std::endl;
  os << indent << "Energy: " << this->GetEnergy() << std::endl;
  os << indent << "NumberOfDrifts: " << m_Result.drifts.size() << std::endl;
  os << indent << "NumberOfTemplatePoints: " << m_Result.points.size() << std::endl;
  os << indent << "FinalEnergy: " << m_Result.energy << std::endl;
  os << indent << "NumberOfOutliers: " << m_Result.numberOfOutliers << std::endl;
  os << indent << "NumberOfFoldedVoxels: " << m_Result.numberOfFoldedVoxels << std::endl;
  os << indent << "NumberOfShortenedSteps: " << m_Result.numberOfShortenedSteps << std::endl;
  os << indent << "MaximumInverseConsistency: " << m_Result.maximumInverseConsistency << std::endl;
  os << indent << "NumberOfStreamedImages: " << m_Result.numberOfStreamedImages << std::endl;
  os << indent << "Exchange: " << m_Result.exchange << std::endl;
}

} // namespace itk

#endif
