// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseImage_h
#define apps_denoise_DenoiseImage_h

#include "denoise/DenoiseSeries.h"
#include "denoise/VolumeDenoiser.h"

/** Reads the noise map that the options name; null for none. */
template <unsigned int VDimension>
typename itk::Image<float, VDimension>::ConstPointer
ReadNoiseMap(const itk::ImageBase<VDimension> & image, const DenoiseJob & job)
{
  const DenoiseOptions & options = job.GetOptions();
  if (options.noise.mapFile.empty())
  {
    return nullptr;
  }
  const OpenedImage opened = options.opened->OpenLike(options.noise.mapFile, job.GetInput());
  const auto        map = ReadImage<float, VDimension>(opened);
  AlignWith<VDimension>(image, options.input, *map, opened.path);
  return map.GetPointer();
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
  VolumeDenoiser<InputImageType, OutputImageType, TTask> denoiser(options, options.compute, task);
  denoiser.SetMask(mask);
  denoiser.SetNoiseMap(ReadNoiseMap<VDimension>(*image, job));
  report.Set("/seconds/reading", reading.GetSeconds());

  OutputImageType * const output = denoiser.Denoise(image, options.input, report);
  if (job.IsFormatKept())
  {
    // Keep what the header says beyond the geometry.
    output->SetMetaDataDictionary(image->GetMetaDataDictionary());
  }
  if (!job.HasResidual())
  {
    job.Write(DescribeToWrite<TOutputPixel, VDimension>(*output));
    return;
  }
  const auto residual = MakeImageOn<itk::Image<float, VDimension>>(*output);
  residual->SetMetaDataDictionary(GridMetadata(image->GetMetaDataDictionary()));
  Subtract(*image, *output, residual->GetBufferPointer());
  const ImageToWrite residualToWrite = DescribeToWrite<float, VDimension>(*residual);
  job.Write(DescribeToWrite<TOutputPixel, VDimension>(*output), &residualToWrite);
}

/** Calls DenoiseImage for a type to write. The input is read as that type if it has it, else as float. */
template <typename TOutputPixel, typename TTask>
void
DenoiseTo(DenoiseJob & job, const TTask & task)
{
  const auto denoise = [&](auto input) {
    using InputPixel = decltype(input);
    IsSeries(job.GetInput())        ? SeriesDenoiser<InputPixel, TOutputPixel, TTask>(job, task).Run()
    : job.GetInput().dimension == 2 ? DenoiseImage<InputPixel, TOutputPixel, 2>(job, task)
                                    : DenoiseImage<InputPixel, TOutputPixel, 3>(job, task);
  };
  const bool isSame = job.GetInput().pixelType == itk::ImageIOBase::MapPixelType<TOutputPixel>::CType;
  isSame ? denoise(TOutputPixel()) : denoise(float());
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
