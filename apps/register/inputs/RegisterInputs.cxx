// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/RegisterInputs.h"

#include "files/images/ImageFile.h"
#include "files/images/OpenedField.h"
#include "files/images/Segmentation.h"
#include "files/transforms/TransformFile.h"
#include "register/labels/SegmentOverlap.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <algorithm>
#include <future>

namespace
{

template <unsigned int VDimension>
using ReadingLabels = std::future<typename LabelImage<VDimension>::Pointer>;

template <unsigned int VDimension>
ReadingLabels<VDimension>
StartReadingLabels(const std::optional<OpenedImage> & opened)
{
  using ImagePointer = typename LabelImage<VDimension>::Pointer;
  return std::async(std::launch::async,
                    [&opened] { return opened ? ReadLayeredLabels<VDimension>(*opened) : ImagePointer(); });
}

template <unsigned int VDimension>
bool
HasLabel(const LabelImage<VDimension> & labels)
{
  const std::int64_t * const begin = labels.GetBufferPointer();
  const std::int64_t * const end = begin + labels.GetLargestPossibleRegion().GetNumberOfPixels();
  return std::any_of(begin, end, [](std::int64_t label) { return label != 0; });
}

/** Waits for an image, and puts it on the grid of another. */
template <unsigned int VDimension, typename TPointer>
TPointer
GetAligned(std::future<TPointer> &            image,
           const std::string &                path,
           const itk::ImageBase<VDimension> & on,
           const std::string &                pathOfOn)
{
  const TPointer result = image.get();
  if (result.IsNotNull())
  {
    AlignWith<VDimension>(on, pathOfOn, *result, path);
  }
  return result;
}

/** Opens the grids of a run without images: those of the labels, if there are some. */
void
OpenGrids(const RegisterOptions & options, RegisterImages & images)
{
  const auto grid = [&](const std::string & path, const std::string & labels) {
    return path.empty() && labels.empty() ? std::nullopt
                                          : std::optional(options.opened->OpenGrid(path.empty() ? labels : path));
  };
  images.hasImages = false;
  images.fixed = *grid(options.grid, options.fixedLabels);
  images.moving = grid(options.movingGrid, options.movingLabels).value_or(images.fixed);
  RequireAxesOf(images.fixed, images.moving);
}

/** Reads the voxels of a run from files, and uploads them to the device. */
template <unsigned int VDimension>
class InputsReading
{
public:
  InputsReading(const RegisterOptions & options, const RegisterImages & images)
    : m_Options(options)
    , m_Images(images)
    , m_FixedLabels(StartReadingLabels<VDimension>(images.fixedLabels))
    , m_MovingLabels(StartReadingLabels<VDimension>(images.movingLabels))
  {
    if (images.hasImages)
    {
      m_Pairs.push_back({ { images.fixed, images.fixedMask }, { images.moving, images.movingMask } });
    }
    for (const OpenedChannel & channel : images.channels)
    {
      m_Pairs.push_back({ { channel.fixed, channel.fixedMask }, { channel.moving, channel.movingMask } });
    }
  }

  /** Waits for all files, and starts to upload them. */
  void
  Upload(const Uploader & uploader, RegisterInputs<VDimension> & inputs)
  {
    for (ChannelReading<VDimension> & pair : m_Pairs)
    {
      pair.fixed.Upload(uploader);
      pair.moving.Upload(uploader);
    }
    const auto fixedGrid = this->GridOf(m_Images.fixed, true);
    const auto movingGrid = this->GridOf(m_Images.moving, false);
    inputs.fixedLabels = GetAligned<VDimension>(m_FixedLabels, m_Options.fixedLabels, *fixedGrid, m_Images.fixed.path);
    const auto labels =
      GetAligned<VDimension>(m_MovingLabels, m_Options.movingLabels, *movingGrid, m_Images.moving.path);
    if (labels.IsNotNull())
    {
      CopySegments(labels->GetMetaDataDictionary(), inputs.movingSegments);
      const auto codes = inputs.movingCodes.template Encode<VDimension>(*labels, m_Options.movingLabels);
      m_MovingCodes = uploader.Start(codes.GetPointer());
    }
    if (inputs.fixedLabels.IsNotNull())
    {
      RequireComparableSegments(Segmentation(inputs.fixedLabels->GetMetaDataDictionary()),
                                m_Options.fixedLabels,
                                Segmentation(inputs.movingSegments),
                                m_Options.movingLabels);
      if (m_Options.areLabelsMatched)
      {
        this->UploadTerm(uploader, *inputs.fixedLabels, *labels, inputs);
      }
      else if (!HasLabel<VDimension>(*inputs.fixedLabels) && !HasLabel<VDimension>(*labels))
      {
        Warn(m_Options.fixedLabels + " and " + m_Options.movingLabels + " have no label, whose overlap is noted as 0");
      }
    }
    if (m_Images.initialField)
    {
      const auto field = ReadField<float, VDimension>(*m_Images.initialField);
      AlignWith<VDimension>(*fixedGrid, m_Images.fixed.path, *field, m_Options.initialField);
      m_InitialField = uploader.Start(field.GetPointer());
    }
  }

  /** Waits for the device, and moves the images to the inputs. */
  void
  Take(RegisterInputs<VDimension> & inputs)
  {
    for (ChannelReading<VDimension> & pair : m_Pairs)
    {
      inputs.channels.push_back(
        { pair.fixed.TakeImage(), pair.moving.TakeImage(), pair.fixed.TakeMask(), pair.moving.TakeMask(), {}, {} });
    }
    if (m_Images.hasImages)
    {
      const ChannelInputs<VDimension> first = inputs.channels.front();
      inputs.channels.erase(inputs.channels.begin());
      inputs.fixed = first.fixed;
      inputs.moving = first.moving;
      inputs.fixedMask = first.fixedMask;
      inputs.movingMask = first.movingMask;
    }
    else
    {
      inputs.fixed = GridAlone(m_Images.fixed);
      inputs.moving = GridAlone(m_Images.moving);
    }
    for (std::size_t i = 0; i < inputs.channels.size(); ++i)
    {
      const ChannelFiles &   files = m_Options.channels[i];
      const ReadingOptions & reading = m_Options.opened->reading;
      inputs.channels[i].fixedTransform = ReadLinearTransform<VDimension>(files.fixedTransform, reading);
      inputs.channels[i].movingTransform = ReadLinearTransform<VDimension>(files.movingTransform, reading);
    }
    inputs.movingLabels = TakeFrom(m_MovingCodes);
    inputs.labelTerm.fixed = TakeFrom(m_FixedTerm);
    inputs.labelTerm.moving = TakeFrom(m_MovingTerm);
    inputs.initialField = TakeFrom(m_InitialField);
  }

private:
  /** Returns the result of a future; null if it was not started. */
  template <typename TPointer>
  static TPointer
  TakeFrom(std::future<TPointer> & uploading)
  {
    return uploading.valid() ? uploading.get() : TPointer();
  }

  /** Makes an image without pixels. */
  static typename DeviceFloatImage<VDimension>::Pointer
  GridAlone(const OpenedImage & opened)
  {
    const auto image = DeviceFloatImage<VDimension>::New();
    image->CopyInformation(ReadGrid<VDimension>(opened));
    return image;
  }

  /** Returns the grid of the first channel's fixed or moving image. */
  typename itk::ImageBase<VDimension>::ConstPointer
  GridOf(const OpenedImage & opened, bool isFixed) const
  {
    if (m_Images.hasImages)
    {
      const ChannelReading<VDimension> & first = m_Pairs.front();
      return (isFixed ? first.fixed : first.moving).GetImage();
    }
    return ReadGrid<VDimension>(opened).GetPointer();
  }

  /** Numbers the labels of both images in the same way, and uploads them. */
  void
  UploadTerm(const Uploader &               uploader,
             const LabelImage<VDimension> & fixed,
             const LabelImage<VDimension> & moving,
             RegisterInputs<VDimension> &   inputs)
  {
    const SharedLabelCodes codes(fixed, m_Options.fixedLabels, moving, m_Options.movingLabels, m_Options.labelWeights);
    inputs.labelTerm.weights = codes.GetWeights();
    m_FixedTerm = uploader.Start(codes.Encode<VDimension>(fixed).GetPointer());
    m_MovingTerm = uploader.Start(codes.Encode<VDimension>(moving).GetPointer());
  }

  const RegisterOptions & m_Options;
  const RegisterImages &  m_Images;
  /** The channels, the first one first, if there are images. */
  std::vector<ChannelReading<VDimension>>               m_Pairs;
  ReadingLabels<VDimension>                             m_FixedLabels;
  ReadingLabels<VDimension>                             m_MovingLabels;
  Uploading<float, VDimension>                          m_MovingCodes;
  Uploading<unsigned short, VDimension>                 m_FixedTerm;
  Uploading<unsigned short, VDimension>                 m_MovingTerm;
  Uploading<itk::Vector<float, VDimension>, VDimension> m_InitialField;
};

} // namespace

RegisterImages
OpenImages(const RegisterOptions & options)
{
  RegisterImages images;
  if (HasImages(options))
  {
    images.fixed = options.opened->Open(options.fixed);
    images.moving = options.opened->OpenLike(options.moving, images.fixed);
  }
  else
  {
    OpenGrids(options, images);
  }
  const auto open = [&](const std::string & path, const OpenedImage & like) {
    return path.empty() ? std::nullopt : std::optional(options.opened->OpenLike(path, like));
  };
  images.fixedMask = open(options.fixedMask, images.fixed);
  images.fixedLabels = open(options.fixedLabels, images.fixed);
  images.movingMask = open(options.movingMask, images.moving);
  images.movingLabels = open(options.movingLabels, images.moving);
  if (!options.initialField.empty())
  {
    images.initialField = AsField(options.opened->OpenAny(options.initialField), images.fixed.dimension);
  }
  images.channels = OpenChannels(options, images.fixed);
  if (!options.fixedPoints.empty())
  {
    images.points = ReadRegisterPoints(options, images.fixed, images.moving);
  }
  return images;
}

template <unsigned int VDimension>
RegisterInputs<VDimension>
ReadInputs(const RegisterOptions & options, const RegisterImages & images, RegisterReport & report)
{
  const Stopwatch           reading;
  const Uploader            uploader(options.compute);
  InputsReading<VDimension> files(options, images);

  RegisterInputs<VDimension> inputs;
  inputs.hasImages = images.hasImages;
  inputs.points = images.points;
  for (const std::string & note : images.points.notes)
  {
    if (!note.empty())
    {
      Warn(note);
    }
  }
  inputs.initialTransform = ReadTransforms<VDimension>(options.initialTransforms, options.opened->reading);
  files.Upload(uploader, inputs);
  report.Set("/seconds/reading", reading.GetSeconds());

  const Stopwatch waiting;
  uploader.WaitForDevice();
  report.Set("/seconds/waiting_for_device", waiting.GetSeconds());
  const Stopwatch uploading;
  files.Take(inputs);
  report.Set("/seconds/uploading", uploading.GetSeconds());
  return inputs;
}

template RegisterInputs<2>
ReadInputs<2>(const RegisterOptions &, const RegisterImages &, RegisterReport &);
template RegisterInputs<3>
ReadInputs<3>(const RegisterOptions &, const RegisterImages &, RegisterReport &);
