// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroChannelInputs_h
#define itkCudaNeuroChannelInputs_h

#include "cudaneuro/RegistrationTerms.h"
#include "itkCudaLinearRegistrationTransforms.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroImageChecks.h"
#include "itkTransform.h"

#include <string>
#include <vector>

/** \file
 * Checks of images, masks and transforms of the channels of a filter, which has the functions of
 * itkCudaNeuroChannelsMacro, and their conversion for the engine. */
namespace itk::CudaNeuroDetail
{

/** Returns the number of channels of a filter that have images, transforms or parameters; the first one always counts.
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

/** Returns the transform of a channel as a map; the identity for null.
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

/** One channel of a filter: checks and converts its inputs, with the names that messages have for it. */
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

  /** Requires images that are not empty, masks on their grids and transforms that are linear; reads no pixels. */
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

  /** Returns the images for the engine.
   * \throws ExceptionObject for pixels that are missing, or not on the device */
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

/** Verifies the channels after the first one, for the VerifyInputInformation of a filter. */
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

} // namespace itk::CudaNeuroDetail

#endif
