// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterInputs.h"

#include "files/images/ImageFile.h"
#include "files/images/OpenedField.h"
#include "files/images/Segmentation.h"
#include "files/transforms/TransformFile.h"
#include "itkDeviceUploadImageFilter.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <future>

namespace
{

/** An image that is on its way to the device. */
template <typename TPixel, unsigned int VDimension>
using Uploading = std::future<typename itk::DeviceImage<TPixel, VDimension>::Pointer>;

/** Starts the device in a thread, and takes images there in others, once it has started. On the CPU nothing is
 * copied. */
class Uploader
{
public:
  explicit Uploader(const ComputeOptions & compute)
    : m_Compute(compute)
    , m_Device(compute.GetDevice())
    , m_IsReady(std::async(std::launch::async, [device = m_Device] { device.Prepare(); }).share())
  {}

  void
  WaitForDevice() const
  {
    m_IsReady.get();
  }

  /** Uploads an image, which may be null. It needs to live no longer where it is copied. */
  template <typename TPixel, unsigned int VDimension>
  Uploading<TPixel, VDimension>
  Start(const itk::Image<TPixel, VDimension> * image) const
  {
    using ImageType = itk::Image<TPixel, VDimension>;
    using ResultType = typename itk::DeviceImage<TPixel, VDimension>::Pointer;
    const typename ImageType::ConstPointer kept = image;
    return std::async(std::launch::async, [this, kept]() -> ResultType {
      if (kept.IsNull())
      {
        return nullptr;
      }
      m_IsReady.get();
      const auto filter = itk::DeviceUploadImageFilter<ImageType>::New();
      filter->SetInput(kept);
      filter->SetComputeDevice(m_Device);
      filter->SetMaximumDeviceMemory(m_Compute.maximumDeviceMemory);
      filter->Update();
      const ResultType result = filter->GetOutput();
      result->DisconnectPipeline();
      return result;
    });
  }

private:
  const ComputeOptions &   m_Compute;
  const itk::ComputeDevice m_Device;
  std::shared_future<void> m_IsReady;
};

/** Reads an image in a thread. */
template <unsigned int VDimension>
std::future<typename FloatImage<VDimension>::Pointer>
StartReading(const OpenedImage & opened)
{
  return std::async(std::launch::async, [&opened] { return ReadImage<float, VDimension>(opened); });
}

/** Reads an image in a thread; null where there is no file. */
template <unsigned int VDimension>
std::future<typename FloatImage<VDimension>::Pointer>
StartReadingMask(const std::optional<OpenedImage> & opened)
{
  using ImagePointer = typename FloatImage<VDimension>::Pointer;
  return std::async(std::launch::async,
                    [&opened] { return opened ? ReadImage<float, VDimension>(*opened) : ImagePointer(); });
}

template <unsigned int VDimension>
std::future<typename LabelImage<VDimension>::Pointer>
StartReadingLabels(const std::optional<OpenedImage> & opened)
{
  using ImagePointer = typename LabelImage<VDimension>::Pointer;
  return std::async(std::launch::async,
                    [&opened] { return opened ? ReadLayeredLabels<VDimension>(*opened) : ImagePointer(); });
}

/** Waits for an image, and puts it on the grid of another. */
template <unsigned int VDimension, typename TPointer>
TPointer
GetAligned(std::future<TPointer>          image,
           const std::string &            path,
           const FloatImage<VDimension> & on,
           const std::string &            pathOfOn)
{
  const TPointer result = image.get();
  if (result.IsNotNull())
  {
    AlignWith<VDimension>(on, pathOfOn, *result, path);
  }
  return result;
}

template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
AsMask(const FloatImage<VDimension> * image)
{
  return image == nullptr ? typename itk::Image<unsigned char, VDimension>::Pointer() : MaskOf<VDimension>(*image);
}

} // namespace

RegisterImages
OpenImages(const RegisterOptions & options)
{
  RegisterImages images;
  images.fixed = options.opened->Open(options.fixed);
  images.moving = options.opened->OpenLike(options.moving, images.fixed);
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
  return images;
}

template <unsigned int VDimension>
RegisterInputs<VDimension>
ReadInputs(const RegisterOptions & options, const RegisterImages & images, RegisterReport & report)
{
  const Stopwatch reading;
  const Uploader  uploader(options.compute);
  auto            fixed = StartReading<VDimension>(images.fixed);
  auto            moving = StartReading<VDimension>(images.moving);
  auto            fixedMask = StartReadingMask<VDimension>(images.fixedMask);
  auto            movingMask = StartReadingMask<VDimension>(images.movingMask);
  auto            fixedLabels = StartReadingLabels<VDimension>(images.fixedLabels);
  auto            movingLabels = StartReadingLabels<VDimension>(images.movingLabels);

  RegisterInputs<VDimension> inputs;
  inputs.initialTransform = ReadTransforms<VDimension>(options.initialTransforms, options.opened->reading);
  const auto onFixed = fixed.get();
  auto       fixedOnDevice = uploader.Start(onFixed.GetPointer());
  const auto onMoving = moving.get();
  auto       movingOnDevice = uploader.Start(onMoving.GetPointer());

  auto fixedMaskOnDevice = uploader.Start(
    AsMask<VDimension>(GetAligned<VDimension>(std::move(fixedMask), options.fixedMask, *onFixed, options.fixed))
      .GetPointer());
  auto movingMaskOnDevice = uploader.Start(
    AsMask<VDimension>(GetAligned<VDimension>(std::move(movingMask), options.movingMask, *onMoving, options.moving))
      .GetPointer());
  inputs.fixedLabels = GetAligned<VDimension>(std::move(fixedLabels), options.fixedLabels, *onFixed, options.fixed);
  const auto labels = GetAligned<VDimension>(std::move(movingLabels), options.movingLabels, *onMoving, options.moving);
  if (labels.IsNotNull())
  {
    CopySegments(labels->GetMetaDataDictionary(), inputs.movingSegments);
  }
  const auto codes = labels.IsNull() ? typename FloatImage<VDimension>::Pointer()
                                     : inputs.movingCodes.template Encode<VDimension>(*labels, options.movingLabels);
  auto       movingLabelsOnDevice = uploader.Start(codes.GetPointer());
  typename itk::Image<itk::Vector<float, VDimension>, VDimension>::Pointer initialField;
  if (images.initialField)
  {
    initialField = ReadField<float, VDimension>(*images.initialField);
    AlignWith<VDimension>(*onFixed, options.fixed, *initialField, options.initialField);
  }
  auto initialFieldOnDevice = uploader.Start(initialField.GetPointer());
  report.Set("/seconds/reading", reading.GetSeconds());

  const Stopwatch waiting;
  uploader.WaitForDevice();
  report.Set("/seconds/waiting_for_device", waiting.GetSeconds());
  const Stopwatch uploading;
  inputs.fixed = fixedOnDevice.get();
  inputs.moving = movingOnDevice.get();
  inputs.fixedMask = fixedMaskOnDevice.get();
  inputs.movingMask = movingMaskOnDevice.get();
  inputs.movingLabels = movingLabelsOnDevice.get();
  inputs.initialField = initialFieldOnDevice.get();
  report.Set("/seconds/uploading", uploading.GetSeconds());
  return inputs;
}

template RegisterInputs<2>
ReadInputs<2>(const RegisterOptions &, const RegisterImages &, RegisterReport &);
template RegisterInputs<3>
ReadInputs<3>(const RegisterOptions &, const RegisterImages &, RegisterReport &);
