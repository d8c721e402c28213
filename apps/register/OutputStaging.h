// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_OutputStaging_h
#define apps_register_OutputStaging_h

#include "files/images/Segmentation.h"
#include "files/output/StagedFiles.h"
#include "itkDeviceDownloadImageFilter.h"
#include "register/RegisterInputs.h"
#include "register/RegisterJob.h"
#include "shared/Files.h"

/** An image that shares another's pixels but not its pipeline, which several threads must not update at once. */
template <typename TImage>
typename TImage::ConstPointer
Detached(const TImage * image)
{
  const typename TImage::Pointer detached = TImage::New();
  detached->Graft(image);
  return detached.GetPointer();
}

/** Downloads an image of a device and writes it as another pixel type.
 * \param metadata what the header says beside its place */
template <typename TPixel, unsigned int VDimension, typename TImage>
StagedFile
StageAs(const OutputFile & file, const TImage * image, const itk::MetaDataDictionary & metadata)
{
  const auto download = itk::DeviceDownloadImageFilter<TImage, itk::Image<TPixel, VDimension>>::New();
  download->UsePinnedOutputOff();
  download->SetInput(image);
  download->Update();
  download->GetOutput()->SetMetaDataDictionary(metadata);
  return StageImage<TPixel, VDimension>(file, download->GetOutput());
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
  image.metadata = job.GetGridMetadata();
  CopySegments(labels.GetMetaDataDictionary(), image.metadata);
  return StageConverted(file, image, codes.TypeToWrite(job.GetImages().movingLabels->componentType));
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
    const RegisterImages & images = m_Job.GetImages();
    const auto             metadata = MovedMetadata(images.fixed.metadata, images.moving.metadata);
    WithPixelType(m_Job.GetWarpedType(),
                  [&](auto pixel) { this->StartImage<decltype(pixel), VDimension>("warped", warped, metadata); });
    this->Start("labels", [this, labels, &codes](const OutputFile & file) {
      return StageLabels<VDimension>(file, *labels, m_Job, codes);
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
