// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroChannels_h
#define itkCudaNeuroChannels_h

#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "itkCudaLinearRegistrationTransforms.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroImageChecks.h"
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
 * parameters stand in the engine's struct m_Parameters, and the transforms in ChannelTransforms. Channel 0 is the pair
 * of images that a registration without channels has. */
namespace itk::CudaNeuroDetail
{

/** Requires the number of a channel that there can be.
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

/** The name of an input of a channel after the first one: "FixedImage_1".
 * \throws ExceptionObject for a number that no channel can have */
inline std::string
NameOfChannelInput(const char * name, unsigned int channel)
{
  RequireChannel(channel);
  return std::string(name) + '_' + std::to_string(channel);
}

/** The parameters that a channel has until they are set: those of the first channel by default. */
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

/** Sets a parameter of a channel after the first one, which is there from then on, and tells whether that changes
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

/** A parameter of a channel after the first one. */
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

  /** Tells whether that changes anything. */
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

/** The number of channels of a filter that has any images or transforms of, or parameters for, the first one included.
 */
template <typename TFilter>
unsigned int
NumberOfChannelsOf(const TFilter * filter, std::size_t numberOfFurtherParameters)
{
  unsigned int number = 1 + static_cast<unsigned int>(numberOfFurtherParameters);
  for (unsigned int channel = number; channel < cudaneuro::maximumNumberOfChannels; ++channel)
  {
    const bool isThere =
      filter->GetFixedImage(channel) != nullptr || filter->GetMovingImage(channel) != nullptr ||
      filter->GetFixedMaskImage(channel) != nullptr || filter->GetMovingMaskImage(channel) != nullptr ||
      filter->GetChannelFixedTransform(channel) != nullptr || filter->GetChannelMovingTransform(channel) != nullptr;
    number = isThere ? channel + 1 : number;
  }
  return number;
}

/** The transform of a channel as a map; the identity for null.
 * \param name as "fixed transform of channel 1"
 * \throws ExceptionObject for a transform that is not linear, not finite or without an inverse */
template <unsigned int VDimension>
cudaneuro::AffineMap
ChannelMapOf(const LightObject *                               filter,
             const std::string &                               name,
             const Transform<double, VDimension, VDimension> * transform)
{
  try
  {
    return LinearMapOf<VDimension>(transform, name.c_str());
  }
  catch (const ExceptionObject & error)
  {
    Reject(filter, "The ", name, " cannot be used: ", error.GetDescription());
  }
}

/** What is checked and taken of a channel of a filter, with the names that errors have for it. */
template <typename TFilter>
class ChannelOf
{
public:
  static constexpr unsigned int dimension = TFilter::ImageDimension;

  ChannelOf(const TFilter * filter, unsigned int channel)
    : m_Filter(filter)
    , m_Channel(channel)
    , m_OfChannel(" of channel " + std::to_string(channel))
  {}

  /** Requires images that are not empty, masks on their grids and transforms that are linear; looks at no pixels. */
  void
  Verify(double coordinateTolerance, double directionTolerance) const
  {
    const auto sameGrid = [&](const char * mask, const auto * maskImage, const char * image, const auto * reference) {
      if (maskImage != nullptr)
      {
        VerifySameGrid<dimension>(m_Filter,
                                  this->The(mask).c_str(),
                                  maskImage,
                                  this->The(image).c_str(),
                                  reference,
                                  coordinateTolerance,
                                  directionTolerance);
      }
    };
    const auto * const fixed = m_Filter->GetFixedImage(m_Channel);
    const auto * const moving = m_Filter->GetMovingImage(m_Channel);
    this->RequireThere("fixed image", fixed);
    this->RequireThere("moving image", moving);
    sameGrid("fixed mask", m_Filter->GetFixedMaskImage(m_Channel), "fixed image", fixed);
    sameGrid("moving mask", m_Filter->GetMovingMaskImage(m_Channel), "moving image", moving);
    this->FixedMap();
    this->MovingMap();
  }

  /** The images for the engine.
   * \throws ExceptionObject for pixels that are not there, or not on the device */
  cudaneuro::ChannelImages
  MakeImages(const ComputeDevice & device) const
  {
    const auto * const fixed = m_Filter->GetFixedImage(m_Channel);
    const auto * const moving = m_Filter->GetMovingImage(m_Channel);
    VerifyPixels(m_Filter, this->The("fixed image").c_str(), fixed, device);
    VerifyPixels(m_Filter, this->The("moving image").c_str(), moving, device);
    cudaneuro::ChannelImages images;
    images.fixedGeometry = GeometryOf<dimension>(fixed);
    images.fixedImage = VolumeOf(fixed);
    images.fixedMask = MaskVolumeOf<dimension>(
      m_Filter, this->The("fixed mask").c_str(), m_Filter->GetFixedMaskImage(m_Channel), device);
    images.fixedTransform = this->FixedMap();
    images.movingGeometry = GeometryOf<dimension>(moving);
    images.movingImage = VolumeOf(moving);
    images.movingMask = MaskVolumeOf<dimension>(
      m_Filter, this->The("moving mask").c_str(), m_Filter->GetMovingMaskImage(m_Channel), device);
    images.movingTransform = this->MovingMap();
    return images;
  }

private:
  std::string
  The(const char * name) const
  {
    return std::string("the ") + name + m_OfChannel;
  }

  template <typename TImage>
  void
  RequireThere(const char * name, const TImage * image) const
  {
    if (image == nullptr)
    {
      Reject(m_Filter, "The ", name, m_OfChannel, " is not set");
    }
    VerifyNotEmpty<dimension>(m_Filter, (name + m_OfChannel).c_str(), image);
  }

  cudaneuro::AffineMap
  FixedMap() const
  {
    return ChannelMapOf<dimension>(
      m_Filter, "fixed transform" + m_OfChannel, m_Filter->GetChannelFixedTransform(m_Channel));
  }
  cudaneuro::AffineMap
  MovingMap() const
  {
    return ChannelMapOf<dimension>(
      m_Filter, "moving transform" + m_OfChannel, m_Filter->GetChannelMovingTransform(m_Channel));
  }

  const TFilter * m_Filter;
  unsigned int    m_Channel;
  std::string     m_OfChannel;
};

/** Requires of the channels after the first one what VerifyInputInformation requires of it. */
template <typename TFilter>
void
VerifyChannels(const TFilter * filter,
               double          coordinateTolerance = ImageToImageFilterCommon::GetGlobalDefaultCoordinateTolerance(),
               double          directionTolerance = ImageToImageFilterCommon::GetGlobalDefaultDirectionTolerance())
{
  for (unsigned int channel = 1; channel < filter->GetNumberOfChannels(); ++channel)
  {
    ChannelOf<TFilter>(filter, channel).Verify(coordinateTolerance, directionTolerance);
  }
}

/** The images of the channels after the first one, for the engine. */
template <typename TFilter>
std::vector<cudaneuro::ChannelImages>
MakeFurtherChannels(const TFilter * filter)
{
  const ComputeDevice                   device = filter->GetComputeDevice();
  std::vector<cudaneuro::ChannelImages> channels;
  for (unsigned int channel = 1; channel < filter->GetNumberOfChannels(); ++channel)
  {
    channels.push_back(ChannelOf<TFilter>(filter, channel).MakeImages(device));
  }
  return channels;
}

/** Gives those of the channels that have images, but no parameters yet, the ones by default. */
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

/** Set and get the metric of each channel, as it is and by its name. Python, which has no objects of the engine's
 * enumerations, has the names alone. */
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

/** The functions by which users set and get the channels of a registration. The class has FixedImageType,
 * MovingImageType, MaskImageType, TransformType, the functions of the first channel, the engine's struct m_Parameters,
 * and m_FixedTransforms and m_MovingTransforms, which are ChannelTransforms. A base class would not do: Python has the
 * functions of wrapped classes only. */
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
