// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseImage_h
#define apps_denoise_DenoiseImage_h

#include "denoise/DenoiseCommand.h"
#include "itkCudaNeuroDetail.h"

/** Reads, denoises and writes a file. A task names the type of a filter, FilterType<TInputImage, TOutputImage>, and
 * Configure(filter, noise, report) sets the filter's parameters and notes them. */
template <typename TInputPixel, typename TOutputPixel, unsigned int VDimension, typename TTask>
void
DenoiseImage(DenoiseJob & job, const TTask & task)
{
  using InputImageType = itk::Image<TInputPixel, VDimension>;
  using OutputImageType = itk::Image<TOutputPixel, VDimension>;
  using MaskImageType = itk::Image<unsigned char, VDimension>;
  const DenoiseOptions & options = job.GetOptions();
  DenoiseReport &        report = job.GetReport();

  const Stopwatch                             reading;
  const typename InputImageType::ConstPointer image = ReadImage<TInputPixel, VDimension>(options.input);
  typename MaskImageType::ConstPointer        mask;
  cudaneuro::ConstVolume                      maskVolume;
  if (!options.mask.empty())
  {
    mask = ReadMask<VDimension>(options.mask, *image, options.input);
    maskVolume = itk::CudaNeuroDetail::VolumeOf(mask.GetPointer());
  }
  report.Set("/seconds/reading", reading.GetSeconds());

  const Stopwatch denoising;
  NoiseLevel      noise(job,
                   itk::CudaNeuroDetail::GridOf<VDimension>(image),
                   itk::CudaNeuroDetail::VolumeOf(image.GetPointer()),
                   maskVolume);
  const auto      filter = TTask::template FilterType<InputImageType, OutputImageType>::New();
  filter->SetInput(image);
  filter->SetMaskImage(mask);
  task.Configure(*filter, noise, report);
  UpdateFilter(*filter, options.compute, "Denoising");
  report.Set("/seconds/denoising", denoising.GetSeconds());
  if (filter->GetComputeDevice().IsCuda())
  {
    report.Set("/seconds/on_device", filter->GetDeviceMilliseconds() / 1000.0);
    report.Set("/slabs", filter->GetNumberOfSlabs());
  }

  const Stopwatch         writing;
  OutputImageType * const output = filter->GetOutput();
  if (job.IsFormatKept())
  {
    // What the header says beyond the geometry.
    output->SetMetaDataDictionary(image->GetMetaDataDictionary());
  }
  WriteImage<TOutputPixel, VDimension>(job.GetOutputFile(), output);
  report.Set("/seconds/writing", writing.GetSeconds());
}

/** Calls DenoiseImage for a type to write. Where that is not the input's own, the input is read as float. */
template <typename TOutputPixel, typename TTask>
void
DenoiseTo(DenoiseJob & job, const TTask & task)
{
  const bool isSame = job.GetInput().pixelType == cudaneuro::PixelTypeOf<TOutputPixel>::value;
  if (job.GetInput().dimension == 2)
  {
    isSame ? DenoiseImage<TOutputPixel, TOutputPixel, 2>(job, task) : DenoiseImage<float, TOutputPixel, 2>(job, task);
  }
  else
  {
    isSame ? DenoiseImage<TOutputPixel, TOutputPixel, 3>(job, task) : DenoiseImage<float, TOutputPixel, 3>(job, task);
  }
}

/** Calls DenoiseTo for the type to write. */
template <typename TTask>
void
Denoise(DenoiseJob & job, const TTask & task)
{
  switch (job.GetOutputType())
  {
    case cudaneuro::PixelType::UnsignedChar:
      DenoiseTo<unsigned char>(job, task);
      break;
    case cudaneuro::PixelType::Short:
      DenoiseTo<short>(job, task);
      break;
    case cudaneuro::PixelType::UnsignedShort:
      DenoiseTo<unsigned short>(job, task);
      break;
    case cudaneuro::PixelType::Float:
      DenoiseTo<float>(job, task);
      break;
    case cudaneuro::PixelType::Double:
      DenoiseTo<double>(job, task);
      break;
  }
}

/** A whole subcommand, from the command line's options to the report. */
template <typename TTask>
void
RunDenoise(const std::string & filterName, const DenoiseOptions & options, const TTask & task)
{
  DenoiseJob job(filterName, options);
  Try("denoise " + options.input, [&] { Denoise(job, task); });
  job.Finish();
}

#endif
