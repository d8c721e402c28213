// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_Uploader_h
#define apps_register_inputs_Uploader_h

#include "itkDeviceUploadImageFilter.h"
#include "itkImage.h"
#include "shared/ComputeOptions.h"

#include <future>

/** An image that is being uploaded. */
template <typename TPixel, unsigned int VDimension>
using Uploading = std::future<typename itk::DeviceImage<TPixel, VDimension>::Pointer>;

/** Starts the device in a thread, and then uploads images in other threads. On the CPU nothing is copied. */
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

  /** Uploads an image, which may be null. The caller need not keep it. */
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

#endif
