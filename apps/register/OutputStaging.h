// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_OutputStaging_h
#define apps_register_OutputStaging_h

#include "files/images/Segmentation.h"
#include "files/output/StagedFiles.h"
#include "itkDeviceDownloadImageFilter.h"
#include "register/inputs/RegisterInputs.h"
#include "register/RegisterJob.h"
#include "shared/LimitedOutput.h"

#include <atomic>
#include <cstdint>

/** Returns an image that shares another's pixels, but not its pipeline, which only one thread may update at a time. */
template <typename TImage>
typename TImage::ConstPointer
Detached(const TImage * image)
{
  const typename TImage::Pointer detached = TImage::New();
  detached->Graft(image);
  return detached.GetPointer();
}

/** Downloads an image of a device as another pixel type. */
template <typename TPixel, unsigned int VDimension, typename TImage>
typename itk::Image<TPixel, VDimension>::Pointer
Downloaded(const TImage * image)
{
  const auto download = itk::DeviceDownloadImageFilter<TImage, itk::Image<TPixel, VDimension>>::New();
  download->UsePinnedOutputOff();
  download->SetInput(image);
  download->Update();
  return download->GetOutput();
}

/** Downloads an image of a device and writes it as another pixel type.
 * \param metadata the header without the grid */
template <typename TPixel, unsigned int VDimension, typename TImage>
StagedFile
StageAs(const OutputFile & file, const TImage * image, const itk::MetaDataDictionary & metadata)
{
  const auto downloaded = Downloaded<TPixel, VDimension>(image);
  downloaded->SetMetaDataDictionary(metadata);
  return StageImage<TPixel, VDimension>(file, downloaded.GetPointer());
}

/** Writes labels as the type of their file, or a larger one. */
template <unsigned int VDimension>
StagedFile
StageLabels(const OutputFile &             file,
            const LabelImage<VDimension> & labels,
            const RegisterJob &            job,
            const LabelCodes &             codes)
{
  ImageToWrite image = DescribeToWrite<std::int64_t, VDimension>(labels);
  image.metadata = MovedMetadata(job.GetImages().fixed, *job.GetImages().movingLabels);
  CopySegments(labels.GetMetaDataDictionary(), image.metadata);
  return StageConverted(file, image, codes.TypeToWrite(job.GetImages().movingLabels->componentType));
}

/** Writes the requested outputs at the same time, each in a thread, and moves them to their places when all are
 * complete. */
class OutputStaging
{
public:
  explicit OutputStaging(RegisterJob & job)
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

  /** Starts to write an image on the fixed grid, if it was requested. */
  template <typename TPixel, unsigned int VDimension, typename TImage>
  void
  StartImage(const char * name, const TImage * image)
  {
    this->StartImage<TPixel, VDimension>(name, image, m_Job.GetGridMetadata());
  }
  template <typename TPixel, unsigned int VDimension, typename TImage>
  void
  StartImage(const char * name, const TImage * image, const itk::MetaDataDictionary & metadata)
  {
    this->Start(name, [metadata, detached = Detached(image)](const OutputFile & file) {
      return StageAs<TPixel, VDimension>(file, detached.GetPointer(), metadata);
    });
  }

  /** Starts the outputs that all subcommands have. */
  template <unsigned int VDimension>
  void
  StartImages(const DeviceFloatImage<VDimension> * warped,
              const LabelImage<VDimension> *       labels,
              const LabelCodes &                   codes)
  {
    this->StartWarped<VDimension>(warped);
    this->Start("labels", [this, labels, &codes](const OutputFile & file) {
      return StageLabels<VDimension>(file, *labels, m_Job, codes);
    });
  }

  /** Waits for all outputs, reports values that the type of the warped image does not hold, and moves the outputs to
   * their places. */
  void
  Commit()
  {
    m_Files.Commit();
    if (m_Job.Has("warped"))
    {
      m_Job.GetReport().Set("/limited_voxels", m_Limited.load());
      WarnOfLimitedVoxels(m_Job.GetOutput("warped").GetPath(), m_Limited, NameOf(m_Job.GetWarpedType()));
    }
  }

private:
  template <unsigned int VDimension>
  void
  StartWarped(const DeviceFloatImage<VDimension> * warped)
  {
    const RegisterImages & images = m_Job.GetImages();
    const auto             metadata = MovedMetadata(images.fixed, images.moving);
    const auto             interpolation = InterpolationOf(m_Job.GetOptions());
    WithPixelType(m_Job.GetWarpedType(), [&](auto pixel) {
      using PixelType = decltype(pixel);
      if (!CanBeLimited(images.moving.GetNumberType(), componentTypeOf<PixelType>, interpolation))
      {
        this->StartImage<PixelType, VDimension>("warped", warped, metadata);
        return;
      }
      this->Start("warped", [this, metadata, detached = Detached(warped)](const OutputFile & file) {
        const auto values = Downloaded<float, VDimension>(detached.GetPointer());
        return StageLimited(file, *values, metadata, componentTypeOf<PixelType>, m_Limited);
      });
    });
  }

  RegisterJob &              m_Job;
  std::atomic<std::uint64_t> m_Limited{ 0 };
  StagedFiles                m_Files;
};

#endif
