// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/ChannelInputs.h"

#include "files/transforms/TransformFile.h"
#include "itkCudaLinearRegistrationTransforms.h"
#include "shared/ErrorList.h"

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadLinearTransform(const std::string & path, const ReadingOptions & reading)
{
  if (path.empty())
  {
    return nullptr;
  }
  const auto transform = ReadTransforms<VDimension>({ path }, reading);
  if (!transform->IsLinear())
  {
    throw UserError(path + " is a " + transform->GetNameOfClass() +
                    "; a channel's transform must be linear, as cudaneuro-register rigid writes it");
  }
  try
  {
    itk::CudaNeuroDetail::LinearMapOf<VDimension>(transform, "transform");
  }
  catch (const itk::ExceptionObject & error)
  {
    throw UserError(path + ": " + OneLine(error.GetDescription()));
  }
  return transform;
}

std::vector<OpenedChannel>
OpenChannels(const RegisterOptions & options, const OpenedImage & like)
{
  std::vector<OpenedChannel> channels;
  ErrorList                  errors;
  for (const ChannelFiles & files : options.channels)
  {
    errors.Check([&] {
      OpenedChannel channel;
      const auto    open = [&](const std::string & path) { return options.opened->OpenLike(path, like); };
      const auto    openMask = [&](const std::string & path) {
        return path.empty() ? std::nullopt : std::optional(open(path));
      };
      for (const std::string & path : { files.fixedTransform, files.movingTransform })
      {
        const ReadingOptions & reading = options.opened->reading;
        like.dimension == 2 ? static_cast<void>(ReadLinearTransform<2>(path, reading))
                            : static_cast<void>(ReadLinearTransform<3>(path, reading));
      }
      channel.fixed = open(files.fixed);
      channel.moving = open(files.moving);
      channel.fixedMask = openMask(files.fixedMask);
      channel.movingMask = openMask(files.movingMask);
      channels.push_back(channel);
    });
  }
  errors.ThrowIfAny();
  return channels;
}

template <unsigned int VDimension>
MaskedImageReading<VDimension>::MaskedImageReading(const OpenedImage & image, const std::optional<OpenedImage> & mask)
  : m_Opened(image)
  , m_OpenedMask(mask)
  , m_Reading(std::async(std::launch::async, [&image] { return ReadImage<float, VDimension>(image); }))
  , m_ReadingMask(
      std::async(std::launch::async, [&mask] { return mask ? ReadImage<float, VDimension>(*mask) : ImagePointer(); }))
{}

template <unsigned int VDimension>
void
MaskedImageReading<VDimension>::Upload(const Uploader & uploader)
{
  m_Image = m_Reading.get();
  m_OnDevice = uploader.Start(m_Image.GetPointer());
  const ImagePointer                                      values = m_ReadingMask.get();
  typename itk::Image<unsigned char, VDimension>::Pointer mask;
  if (values.IsNotNull())
  {
    AlignWith<VDimension>(*m_Image, m_Opened.path, *values, m_OpenedMask->path);
    mask = MaskOf<VDimension>(*values);
  }
  m_MaskOnDevice = uploader.Start(mask.GetPointer());
}

template itk::Transform<double, 2, 2>::Pointer
ReadLinearTransform<2>(const std::string &, const ReadingOptions &);
template itk::Transform<double, 3, 3>::Pointer
ReadLinearTransform<3>(const std::string &, const ReadingOptions &);
template class MaskedImageReading<2>;
template class MaskedImageReading<3>;
