// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_ChannelInputs_h
#define apps_register_inputs_ChannelInputs_h

#include "files/images/ImageFile.h"
#include "itkDeviceImage.h"
#include "itkTransform.h"
#include "register/inputs/RegisterOptions.h"
#include "register/inputs/Uploader.h"

#include <future>
#include <optional>
#include <vector>

/** The files of a channel after the first one, with their headers. */
struct OpenedChannel
{
  OpenedImage                fixed;
  OpenedImage                moving;
  std::optional<OpenedImage> fixedMask;
  std::optional<OpenedImage> movingMask;
};

/** Reads a linear transform; null for no file.
 * \throws UserError that names the file, also if the transform is not linear, not finite or has no inverse */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadLinearTransform(const std::string & path, const ReadingOptions & reading);

/** Reads the headers, and checks the transforms.
 * \param like an image with the number of axes that all must have
 * \throws UserError if a file is no image or no linear transform, or has other axes */
std::vector<OpenedChannel>
OpenChannels(const RegisterOptions & options, const OpenedImage & like);

/** The images of a channel on the device; masks are null if there are none. */
template <unsigned int VDimension>
struct ChannelInputs
{
  using ImageType = itk::DeviceImage<float, VDimension>;
  using MaskType = itk::DeviceImage<unsigned char, VDimension>;
  using TransformType = itk::Transform<double, VDimension, VDimension>;

  typename ImageType::Pointer fixed;
  typename ImageType::Pointer moving;
  typename MaskType::Pointer  fixedMask;
  typename MaskType::Pointer  movingMask;
  /** From points of the first channel's images to points of these; null for the identity. */
  typename TransformType::Pointer fixedTransform;
  typename TransformType::Pointer movingTransform;
};

/** Reads an image and its mask, each in a thread, and uploads them to the device. */
template <unsigned int VDimension>
class MaskedImageReading
{
public:
  /** \param mask may be empty; both must live until Get returns. */
  MaskedImageReading(const OpenedImage & image, const std::optional<OpenedImage> & mask);

  /** Waits for the files, and starts to upload them.
   * \throws UserError that names the file, also for a mask on another grid */
  void
  Upload(const Uploader & uploader);

  /** Returns the image in host memory, until it is on the device. */
  const itk::Image<float, VDimension> *
  GetImage() const
  {
    return m_Image;
  }

  typename ChannelInputs<VDimension>::ImageType::Pointer
  TakeImage()
  {
    return m_OnDevice.get();
  }
  typename ChannelInputs<VDimension>::MaskType::Pointer
  TakeMask()
  {
    return m_MaskOnDevice.get();
  }

private:
  using ImagePointer = typename itk::Image<float, VDimension>::Pointer;

  const OpenedImage &                  m_Opened;
  const std::optional<OpenedImage> &   m_OpenedMask;
  std::future<ImagePointer>            m_Reading;
  std::future<ImagePointer>            m_ReadingMask;
  ImagePointer                         m_Image;
  Uploading<float, VDimension>         m_OnDevice;
  Uploading<unsigned char, VDimension> m_MaskOnDevice;
};

/** Reads and uploads both images of a channel. */
template <unsigned int VDimension>
struct ChannelReading
{
  MaskedImageReading<VDimension> fixed;
  MaskedImageReading<VDimension> moving;
};

#endif
