// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseImage_h
#define apps_denoise_DenoiseImage_h

#include "denoise/DenoiseCommand.h"
#include "files/images/ImageGrid.h"
#include "itkCudaNoiseEstimateImageFilter.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "shared/ParameterOptions.h"
#include "shared/ProgressBar.h"

#include <algorithm>

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
  /** Whether the filter takes a noise map; such a task has HasRicianNoise(), for maps that are estimated. */
  static constexpr bool takesNoiseMap = false;

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

/** \param where " of " and the file, or nothing where the message names it already
 * \throws UserError if a noise map that was estimated is empty */
template <typename TFilter>
void
RequireKnownNoise(const TFilter & filter, const std::string & where)
{
  if (filter.GetNumberOfVoxels() == 0)
  {
    throw UserError("no voxel" + where + " tells of the noise: the image is constant, or has fewer than two axes");
  }
}

/** The noise map that the options ask for, estimated or read; null for none. */
template <typename TImage>
typename itk::Image<float, TImage::ImageDimension>::ConstPointer
MakeNoiseMap(const TImage *                                            image,
             const itk::Image<unsigned char, TImage::ImageDimension> * mask,
             const DenoiseOptions &                                    options,
             bool                                                      isRician)
{
  constexpr unsigned int dimension = TImage::ImageDimension;
  if (options.noise.isEstimatedMap)
  {
    ProgressBar::ExpectStages(2);
    const auto filter = itk::CudaNoiseMapImageFilter<TImage>::New();
    filter->SetInput(image);
    filter->SetMaskImage(mask);
    filter->SetRicianCorrection(isRician);
    UpdateFilter(*filter, options.compute, "Estimating noise");
    RequireKnownNoise(*filter, " of " + options.input);
    return filter->GetOutput();
  }
  if (options.noise.mapFile.empty())
  {
    return nullptr;
  }
  const OpenedImage opened = options.opened->Open(options.noise.mapFile);
  if (opened.dimension != dimension)
  {
    throw UserError(opened.path + " has " + std::to_string(opened.dimension) + " axes, and " + options.input + " " +
                    std::to_string(dimension));
  }
  const auto map = ReadImage<float, dimension>(opened);
  AlignWith<dimension>(*image, options.input, *map, opened.path);
  return map.GetPointer();
}

/** Sets the noise map of a filter that takes one. */
template <typename TFilter, typename TTask, typename TImage, typename TMask>
void
SetNoiseMap(
  TFilter & filter, const TTask & task, const TImage * image, const TMask * mask, const DenoiseOptions & options)
{
  if constexpr (TTask::takesNoiseMap)
  {
    filter.SetNoiseMapImage(MakeNoiseMap(image, mask, options, task.HasRicianNoise()));
  }
}

/** Notes the noise map, and how many voxels it leaves as they are. */
template <typename TTask, typename TFilter>
void
NoteNoiseMap(const TFilter & filter, const NoiseChoice & noise, DenoiseReport & report)
{
  if constexpr (TTask::takesNoiseMap)
  {
    if (noise.IsMap())
    {
      report.Set("/noise_map", noise.isEstimatedMap ? "estimated" : noise.mapFile);
      report.Set("/voxels_without_noise", filter.GetNumberOfVoxelsWithoutNoise());
    }
  }
}

/** Writes what was taken away. */
template <typename TInputImage, typename TOutputImage>
void
WriteResidual(const OutputFile & file, const TInputImage & input, const TOutputImage & output)
{
  using ResidualType = itk::Image<float, TInputImage::ImageDimension>;
  const auto residual = cudaneuro::files::MakeImageOn<ResidualType>(output);
  const auto count = static_cast<std::ptrdiff_t>(output.GetLargestPossibleRegion().GetNumberOfPixels());
  std::transform(input.GetBufferPointer(),
                 input.GetBufferPointer() + count,
                 output.GetBufferPointer(),
                 residual->GetBufferPointer(),
                 [](auto before, auto after) {
                   return static_cast<float>(static_cast<double>(before) - static_cast<double>(after));
                 });
  WriteImage<float, TInputImage::ImageDimension>(file, residual.GetPointer());
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
  SetNoiseMap(*filter, task, image.GetPointer(), mask.GetPointer(), options);
  task.Configure(*filter, noise, report);
  NoteParameters(report, "/parameters", *options.command, filter->GetParameters());
  UpdateFilter(*filter, options.compute, TTask::words.progress);
  task.NoteResults(*filter, report);
  NoteNoiseMap<TTask>(*filter, options.noise, report);
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
  if (job.GetResidualFile() != nullptr)
  {
    WriteResidual(*job.GetResidualFile(), *image, *output);
  }
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
