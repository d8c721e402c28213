// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroChannels_h
#define itkCudaNeuroChannels_h

#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "itkCudaNeuroChannelInputs.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroParameters.h"
#include "itkIndent.h"
#include "itkTransform.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

/** \file
 * The channels of a registration inside ITK's classes: images and masks are inputs that are named "FixedImage_1", the
 * parameters are in the engine's struct m_Parameters, and the transforms in ChannelTransforms. Channel 0 is the pair of
 * images of a registration without channels. */
namespace itk::CudaNeuroDetail
{

/** Requires a number of a channel that is in range.
 * \throws ExceptionObject */
inline void
RequireChannel(unsigned int channel)
{
  if (channel >= cudaneuro::maximumNumberOfChannels)
  {
    itkGenericExceptionMacro("channel is " << channel << "; it must be from 0 to "
                                           << cudaneuro::maximumNumberOfChannels - 1);
  }
}

/** Returns the name of an input of a channel after the first one: "FixedImage_1".
 * \throws ExceptionObject for a number out of range */
inline std::string
NameOfChannelInput(const char * name, unsigned int channel)
{
  RequireChannel(channel);
  return std::string(name) + '_' + std::to_string(channel);
}

/** Returns the parameters of a channel until they are set: the defaults of the first channel. */
template <typename TParameters>
cudaneuro::ChannelParameters
ChannelByDefault()
{
  const TParameters            first;
  cudaneuro::ChannelParameters channel;
  if constexpr (std::is_same_v<TParameters, cudaneuro::LinearRegistrationParameters>)
  {
    channel.metric = first.metric.metric;
  }
  else
  {
    channel.metric = first.metric;
  }
  return channel;
}

/** Sets a parameter of a channel after the first one, which exists from then on, and returns whether that changes
 * anything.
 * \param parameters the engine's, of all channels */
template <typename TParameters, typename TItk, typename TEngine>
bool
ChangesChannel(TParameters & parameters,
               unsigned int  channel,
               TEngine cudaneuro::ChannelParameters::*member,
               const TItk &                           value,
               const char *                           name)
{
  RequireChannel(channel);
  std::vector<cudaneuro::ChannelParameters> & channels = parameters.furtherChannels;
  const bool                                  isNew = channel > channels.size();
  channels.resize(std::max<std::size_t>(channel, channels.size()), ChannelByDefault<TParameters>());
  return ChangesParameter(value, channels[channel - 1].*member, name) || isNew;
}

/** Returns a parameter of a channel after the first one. */
template <typename TItk, typename TParameters, typename TEngine>
TItk
ParameterOfChannel(const TParameters & parameters, unsigned int channel, TEngine cudaneuro::ChannelParameters::*member)
{
  RequireChannel(channel);
  const std::vector<cudaneuro::ChannelParameters> & channels = parameters.furtherChannels;
  return FromEngine<TItk>((channel > channels.size() ? ChannelByDefault<TParameters>() : channels[channel - 1]).*
                          member);
}

/** The transforms from the first channel's images to those of the others. */
template <unsigned int VDimension>
class ChannelTransforms
{
public:
  using TransformType = Transform<double, VDimension, VDimension>;

  /** Sets the transform of a channel; returns whether that changes anything. */
  bool
  Set(unsigned int channel, const TransformType * transform)
  {
    if (this->Get(channel) == transform)
    {
      return false;
    }
    if (channel == 0)
    {
      itkGenericExceptionMacro(
        "The transform of channel 0 leads from its image to itself; there are transforms of channels from 1 on");
    }
    m_Transforms[channel] = transform;
    return true;
  }
  /** Null where there is none. */
  const TransformType *
  Get(unsigned int channel) const
  {
    RequireChannel(channel);
    return m_Transforms[channel];
  }
  ModifiedTimeType
  GetMTime() const
  {
    ModifiedTimeType latest = 0;
    for (const auto & transform : m_Transforms)
    {
      latest = std::max(latest, LatestMTimeOf<VDimension>(transform.GetPointer()));
    }
    return latest;
  }

private:
  std::array<typename TransformType::ConstPointer, cudaneuro::maximumNumberOfChannels> m_Transforms;
};

/** Gives default parameters to the channels that have images, but no parameters yet. */
template <typename TFilter, typename TParameters>
void
CompleteFurtherChannels(const TFilter * filter, TParameters & parameters)
{
  parameters.furtherChannels.resize(filter->GetNumberOfChannels() - 1, ChannelByDefault<TParameters>());
}

/** Prints the parameters of the channels after the first one. */
inline void
PrintFurtherChannels(std::ostream &                                    os,
                     Indent                                            indent,
                     const std::vector<cudaneuro::ChannelParameters> & channels,
                     unsigned int                                      dimension)
{
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    os << indent << "Channel " << i + 1 << ": " << std::endl;
    PrintParameters(os, indent.GetNextIndent(), channels[i], dimension);
  }
}

} // namespace itk::CudaNeuroDetail

/** Set and get an input of each channel; that of channel 0 is the one without a number. */
#define itkCudaNeuroChannelInputMacro(name, type) \
  void Set##name(unsigned int channel, const type * data) \
  { \
    if (channel == 0) \
    { \
      this->Set##name(data); \
      return; \
    } \
    this->ProcessObject::SetInput(::itk::CudaNeuroDetail::NameOfChannelInput(#name, channel), \
                                  const_cast<type *>(data)); \
  } \
  const type * Get##name(unsigned int channel) const \
  { \
    if (channel == 0) \
    { \
      return this->Get##name(); \
    } \
    const std::string nameOfInput = ::itk::CudaNeuroDetail::NameOfChannelInput(#name, channel); \
    return ::itk::CudaNeuroDetail::InputAs<type>(this->ProcessObject::GetInput(nameOfInput), nameOfInput.c_str()); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get a parameter of each channel; that of channel 0 is the one that \p first sets and gets. */
#define itkCudaNeuroChannelParameterMacro(name, type, first, member) \
  void SetChannel##name(unsigned int channel, const type value) \
  { \
    if (channel == 0) \
    { \
      this->Set##first(value); \
    } \
    else if (::itk::CudaNeuroDetail::ChangesChannel( \
               this->m_Parameters, channel, &::cudaneuro::ChannelParameters::member, value, "Channel" #name)) \
    { \
      this->Modified(); \
    } \
  } \
  type GetChannel##name(unsigned int channel) const \
  { \
    return channel == 0 ? this->Get##first() \
                        : ::itk::CudaNeuroDetail::ParameterOfChannel<type>( \
                            this->m_Parameters, channel, &::cudaneuro::ChannelParameters::member); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get the metric of each channel by its name. */
#define itkCudaNeuroChannelMetricByNameMacro() \
  void SetChannelMetric(unsigned int channel, const std::string & nameOfMetric) \
  { \
    this->SetChannelMetric(channel, \
                           ::itk::CudaNeuroDetail::EnumFromName<::cudaneuro::RegistrationMetric>(nameOfMetric)); \
  } \
  std::string GetChannelMetricName(unsigned int channel) const \
  { \
    return ::itk::CudaNeuroDetail::NameOf(this->GetChannelMetric(channel)); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get the metric of each channel, as a value and by its name. Python, which has no objects of the engine's
 * enumerations, has only the names. */
#if defined(ITK_WRAPPING_PARSER)
#  define itkCudaNeuroChannelMetricMacro() itkCudaNeuroChannelMetricByNameMacro()
#else
#  define itkCudaNeuroChannelMetricMacro() \
    itkCudaNeuroChannelParameterMacro(Metric, ::cudaneuro::RegistrationMetric, Metric, metric); \
    itkCudaNeuroChannelMetricByNameMacro()
#endif

/** Set and get the transform of each channel after the first one. */
#define itkCudaNeuroChannelTransformMacro(name, member) \
  void SetChannel##name(unsigned int channel, const TransformType * transform) \
  { \
    if (this->member.Set(channel, transform)) \
    { \
      this->Modified(); \
    } \
  } \
  const TransformType * GetChannel##name(unsigned int channel) const \
  { \
    return this->member.Get(channel); \
  } \
  static_assert(true, "so that a semicolon follows")

/** Set and get the weight of each channel. */
#define itkCudaNeuroChannelWeightMacro() \
  void SetChannelWeight(unsigned int channel, double weight) \
  { \
    if (channel == 0 \
          ? ::itk::CudaNeuroDetail::ChangesParameter(weight, this->m_Parameters.channelWeight, "ChannelWeight") \
          : ::itk::CudaNeuroDetail::ChangesChannel( \
              this->m_Parameters, channel, &::cudaneuro::ChannelParameters::weight, weight, "ChannelWeight")) \
    { \
      this->Modified(); \
    } \
  } \
  double GetChannelWeight(unsigned int channel) const \
  { \
    return channel == 0 ? this->m_Parameters.channelWeight \
                        : ::itk::CudaNeuroDetail::ParameterOfChannel<double>( \
                            this->m_Parameters, channel, &::cudaneuro::ChannelParameters::weight); \
  } \
  static_assert(true, "so that a semicolon follows")

/** The functions by which users set and get the channels of a registration. The class must have FixedImageType,
 * MovingImageType, MaskImageType, TransformType, the functions of the first channel, the engine's struct m_Parameters,
 * and m_FixedTransforms and m_MovingTransforms, which are ChannelTransforms. They are not a base class, because Python
 * has the functions of wrapped classes only. */
#define itkCudaNeuroChannelsMacro() \
  itkCudaNeuroChannelInputMacro(FixedImage, FixedImageType); \
  itkCudaNeuroChannelInputMacro(MovingImage, MovingImageType); \
  itkCudaNeuroChannelInputMacro(FixedMaskImage, MaskImageType); \
  itkCudaNeuroChannelInputMacro(MovingMaskImage, MaskImageType); \
  itkCudaNeuroChannelTransformMacro(FixedTransform, m_FixedTransforms); \
  itkCudaNeuroChannelTransformMacro(MovingTransform, m_MovingTransforms); \
  itkCudaNeuroChannelMetricMacro(); \
  itkCudaNeuroChannelParameterMacro(CorrelationRadius, unsigned int, CorrelationRadius, correlationRadius); \
  itkCudaNeuroChannelParameterMacro( \
    NumberOfHistogramBins, unsigned int, NumberOfHistogramBins, numberOfHistogramBins); \
  itkCudaNeuroChannelWeightMacro(); \
  unsigned int GetNumberOfChannels() const \
  { \
    return ::itk::CudaNeuroDetail::NumberOfChannelsOf(this, this->m_Parameters.furtherChannels.size()); \
  } \
  static_assert(true, "so that a semicolon follows")

#endif
