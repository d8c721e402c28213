// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterInputs.h"

#include "files/images/ImageFile.h"
#include "files/transforms/TransformFile.h"
#include "itkDeviceUploadImageFilter.h"
#include "shared/ProgramSupport.h"

#include <future>

namespace
{

/** An image that is on its way to the device. */
template <typename TPixel, unsigned int VDimension>
using Uploading = std::future<typename itk::DeviceImage<TPixel, VDimension>::Pointer>;

/** Starts the device in a thread, and takes images there in others, once it has started. On the CPU nothing is copied. */
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

/** Reads an image in a thread; null where there is no file. */
template <unsigned int VDimension>
std::future<typename FloatImage<VDimension>::Pointer>
StartReading(const std::string & path, bool isLabels = false)
{
  using ImagePointer = typename FloatImage<VDimension>::Pointer;
  return std::async(std::launch::async, [path, isLabels] {
    const ImagePointer image = path.empty() ? ImagePointer() : ReadImage<float, VDimension>(path);
    if (isLabels && image.IsNotNull())
    {
      CheckLabels(image->GetBufferPointer(), image->GetLargestPossibleRegion().GetNumberOfPixels(), path);
    }
    return image;
  });
}

/** Waits for an image, and puts it on the grid of another. */
template <unsigned int VDimension>
typename FloatImage<VDimension>::Pointer
GetAligned(std::future<typename FloatImage<VDimension>::Pointer> image,
           const std::string &                                   path,
           const FloatImage<VDimension> &                        on,
           const std::string &                                   pathOfOn)
{
  const typename FloatImage<VDimension>::Pointer result = image.get();
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

template <unsigned int VDimension>
RegisterInputs<VDimension>
ReadInputs(const RegisterOptions & options, RegisterReport & report)
{
  const Stopwatch reading;
  const Uploader  uploader(options.compute);
  auto            fixed = StartReading<VDimension>(options.fixed);
  auto            moving = StartReading<VDimension>(options.moving);
  auto            fixedMask = StartReading<VDimension>(options.fixedMask);
  auto            movingMask = StartReading<VDimension>(options.movingMask);
  auto            fixedLabels = StartReading<VDimension>(options.fixedLabels, true);
  auto            movingLabels = StartReading<VDimension>(options.movingLabels, true);

  RegisterInputs<VDimension> inputs;
  inputs.initialTransform = ReadTransforms<VDimension>(options.initialTransforms);
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
  auto movingLabelsOnDevice = uploader.Start(
    GetAligned<VDimension>(std::move(movingLabels), options.movingLabels, *onMoving, options.moving).GetPointer());
  typename itk::Image<itk::Vector<float, VDimension>, VDimension>::Pointer initialField;
  if (!options.initialField.empty())
  {
    initialField = ReadField<float, VDimension>(options.initialField);
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
ReadInputs<2>(const RegisterOptions &, RegisterReport &);
template RegisterInputs<3>
ReadInputs<3>(const RegisterOptions &, RegisterReport &);
