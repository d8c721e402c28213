// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseImage_h
#define apps_denoise_DenoiseImage_h

#include "denoise/DenoiseCommand.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "shared/ParameterOptions.h"

/** What messages, progress and report say of a task. */
struct TaskWords
{
  const char * verb = "denoise";
  const char * progress = "Denoising";
  const char * seconds = "/seconds/denoising";
};

/** What the tasks that denoise have in common. */
struct DenoiseTask
{
  static constexpr TaskWords words{};

  /** Notes what the filter found, beside its parameters. */
  template <typename TFilter>
  void
  NoteResults(const TFilter &, DenoiseReport &) const
  {}
};

/** The standard deviation of an image's noise inside a mask, which may be null. */
template <typename TImage>
double
EstimateNoise(const TImage *                                            image,
              const itk::Image<unsigned char, TImage::ImageDimension> * mask,
              const ComputeOptions &                                    options)
{
  const auto filter = itk::CudaNoiseEstimateImageFilter<TImage>::New();
  filter->SetInput(image);
  filter->SetMaskImage(mask);
  UpdateFilter(*filter, options, "Estimating noise");
  return filter->GetNoiseStandardDeviation();
}

/** Reads, denoises and writes a file. A task names the type of a filter, FilterType<TInputImage, TOutputImage>, and
 * Configure(filter, noise, report) sets the filter's parameters, and notes those that are neither numbers nor
 * switches nor enumerations. The rest is that of DenoiseTask. */
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
  const typename InputImageType::ConstPointer image = ReadImage<TInputPixel, VDimension>(job.GetInput());
  typename MaskImageType::ConstPointer        mask;
  if (!options.mask.empty())
  {
    mask = ReadMask<VDimension>(options.opened->Open(options.mask), *image, options.input);
  }
  report.Set("/seconds/reading", reading.GetSeconds());

  const Stopwatch denoising;
  NoiseLevel      noise(
    job, [&] { return EstimateNoise<InputImageType>(image.GetPointer(), mask.GetPointer(), options.compute); });
  const auto filter = TTask::template FilterType<InputImageType, OutputImageType>::New();
  filter->SetInput(image);
  filter->SetMaskImage(mask);
  task.Configure(*filter, noise, report);
  NoteParameters(report, "/parameters", *options.command, filter->GetParameters());
  UpdateFilter(*filter, options.compute, TTask::words.progress);
  task.NoteResults(*filter, report);
  report.Set(TTask::words.seconds, denoising.GetSeconds());
  if (filter->GetComputeDevice().IsCuda())
  {
    report.Set("/seconds/on_device", filter->GetDeviceMilliseconds() / 1000.0);
    report.Set("/slabs", filter->GetNumberOfSlabs());
  }

  const Stopwatch         writing;
  OutputImageType * const output = filter->GetOutput();
  if (job.IsFormatKept())
  {
    // Keep what the header says beyond the geometry.
    output->SetMetaDataDictionary(image->GetMetaDataDictionary());
  }
  WriteImage<TOutputPixel, VDimension>(job.GetOutputFile(), output);
  report.Set("/seconds/writing", writing.GetSeconds());
}

/** Calls DenoiseImage for a type to write. The input is read as that type if it has it, else as float. */
template <typename TOutputPixel, typename TTask>
void
DenoiseTo(DenoiseJob & job, const TTask & task)
{
  const bool isSame = job.GetInput().pixelType == itk::ImageIOBase::MapPixelType<TOutputPixel>::CType;
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
  WithPixelType(job.GetOutputType(), [&](auto pixel) { DenoiseTo<decltype(pixel)>(job, task); });
}

/** Runs a subcommand, from the command line's options to the report. */
template <typename TTask>
void
RunDenoise(const std::string & filterName, const DenoiseOptions & options, const TTask & task)
{
  DenoiseJob job(filterName, options);
  Try(std::string(TTask::words.verb) + " " + options.input, [&] { Denoise(job, task); });
  job.Finish();
}

#endif
