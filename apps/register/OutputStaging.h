// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_OutputStaging_h
#define apps_register_OutputStaging_h

#include "files/output/StagedFiles.h"
#include "itkDeviceDownloadImageFilter.h"
#include "itkDeviceUploadImageFilter.h"
#include "register/RegisterInputs.h"
#include "register/RegisterJob.h"

/** An image that shares another's pixels but not its pipeline, which several threads must not update at once. */
template <typename TImage>
typename TImage::ConstPointer
Detached(const TImage * image)
{
  const typename TImage::Pointer detached = TImage::New();
  detached->Graft(image);
  return detached.GetPointer();
}

/** Downloads an image of a device and writes it as another pixel type. */
template <typename TPixel, unsigned int VDimension, typename TImage>
StagedFile
StageAs(const OutputFile & file, const TImage * image)
{
  const auto download = itk::DeviceDownloadImageFilter<TImage, itk::Image<TPixel, VDimension>>::New();
  download->UsePinnedOutputOff();
  download->SetInput(image);
  download->Update();
  return StageImage<TPixel, VDimension>(file, download->GetOutput());
}

template <unsigned int VDimension>
StagedFile
StageAs(const OutputFile & file, const DeviceFloatImage<VDimension> * image, itk::IOComponentEnum type)
{
  return WithPixelType(type, [&](auto pixel) { return StageAs<decltype(pixel), VDimension>(file, image); });
}

/** Writes the outputs that were requested all at once, each in a thread, and moves them into their places when all are
 * complete. */
class OutputStaging
{
public:
  explicit OutputStaging(const RegisterJob & job)
    : m_Job(job)
  {}

  /** Starts to write an output, if it was requested. \p write takes its file, and copies of what it needs. */
  template <typename TWrite>
  void
  Start(const char * name, const TWrite & write)
  {
    if (m_Job.Has(name))
    {
      const OutputFile & file = m_Job.GetOutput(name);
      m_Files.Start([&file, write] { return write(file); });
    }
  }

  /** Starts the outputs that all subcommands have. */
  template <unsigned int VDimension>
  void
  StartImages(const DeviceFloatImage<VDimension> * warped, const FloatImage<VDimension> * labels)
  {
    this->Start("warped", [image = Detached(warped), type = m_Job.GetWarpedType()](const OutputFile & file) {
      return StageAs<VDimension>(file, image.GetPointer(), type);
    });
    this->Start("labels", [labels, type = m_Job.GetLabelType()](const OutputFile & file) {
      const auto upload = itk::DeviceUploadImageFilter<FloatImage<VDimension>>::New();
      upload->SetComputeDevice("cpu"); // shares the pixels
      upload->SetInput(labels);
      upload->Update();
      return StageAs<VDimension>(file, upload->GetOutput(), type);
    });
  }

  void
  Commit()
  {
    m_Files.Commit();
  }

private:
  const RegisterJob & m_Job;
  StagedFiles         m_Files;
};

#endif
