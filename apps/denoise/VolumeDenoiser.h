// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_VolumeDenoiser_h
#define apps_denoise_VolumeDenoiser_h

#include "denoise/DenoiseCommand.h"
#include "denoise/VolumeNoise.h"
#include "files/images/ImageGrid.h"
#include "files/maps/LimitedVoxels.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "shared/ParameterOptions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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
  /** Whether the filter takes a noise map. */
  static constexpr bool takesNoiseMap = true;
  /** Whether results are among the values of the input. */
  static constexpr bool averages = true;

  /** Whether a noise map that is estimated is that of Rician noise, or of the magnitudes. */
  bool
  HasRicianNoise() const
  {
    return false;
  }

  /** Notes what the filter found, beside its parameters. The text is the image's name in messages. */
  template <typename TFilter>
  void
  NoteResults(const TFilter &, const std::string &, DenoiseReport &) const
  {}
};

/** Notes, where there is a noise map, the factor by which a parameter is a multiple of it.
 * \param name of the factor, as "range" of range_factor */
template <typename TFilter>
void
NoteMultipleOfMap(const TFilter &     filter,
                  const std::string & name,
                  double              factor,
                  const std::string & parameter,
                  DenoiseReport &     report)
{
  if (filter.GetNoiseMapImage() != nullptr)
  {
    report.Set("/parameters/" + name + "_factor", factor);
    report.Set("/parameters/" + parameter, "noise map times " + name + " factor");
  }
}

/** \param advice ends the message
 * \throws UserError if a noise map that was estimated is empty */
template <typename TFilter>
void
RequireKnownNoise(const TFilter & filter, const std::string & name, const std::string & advice)
{
  if (filter.GetNumberOfVoxels() == 0)
  {
    throw UserError("no voxel of " + name +
                    " tells of the noise: it is constant, or no voxels that take part are neighbors along all axes" +
                    advice);
  }
}

/** The difference of an image before and after, which is what was taken away.
 * \param residual as many pixels */
template <typename TInputImage, typename TOutputImage>
void
Subtract(const TInputImage & before, const TOutputImage & after, float * residual)
{
  const auto count = static_cast<std::ptrdiff_t>(after.GetLargestPossibleRegion().GetNumberOfPixels());
  std::transform(before.GetBufferPointer(),
                 before.GetBufferPointer() + count,
                 after.GetBufferPointer(),
                 residual,
                 [](auto first, auto second) {
                   return static_cast<float>(static_cast<double>(first) - static_cast<double>(second));
                 });
}

/** Multiplies all voxels, unless by 1. */
template <unsigned int VDimension>
void
Multiply(itk::Image<float, VDimension> & image, double factor)
{
  if (factor != 1.0)
  {
    const auto count = static_cast<std::ptrdiff_t>(image.GetLargestPossibleRegion().GetNumberOfPixels());
    std::transform(image.GetBufferPointer(),
                   image.GetBufferPointer() + count,
                   image.GetBufferPointer(),
                   [=](float value) { return static_cast<float>(factor * static_cast<double>(value)); });
  }
}

/** How many voxels have a limit of the type of the result in place of what is beyond it, or 0 in place of NaN. Filters
 * that average lead to nothing that is beyond all of their input, so the voxels before tell. */
template <typename TInputImage, typename TOutputImage>
std::uint64_t
CountLimitedResults(const TInputImage & before, const TOutputImage & after)
{
  using Input = typename TInputImage::PixelType;
  using Output = typename TOutputImage::PixelType;
  std::uint64_t count = 0;
  if constexpr (std::is_integral_v<Output> && !std::is_same_v<Input, Output>)
  {
    const auto isLimit = [](Output number) {
      return number == std::numeric_limits<Output>::lowest() || number == std::numeric_limits<Output>::max();
    };
    const Input * const  values = before.GetBufferPointer();
    const Output * const written = after.GetBufferPointer();
    const auto           size = static_cast<std::ptrdiff_t>(after.GetLargestPossibleRegion().GetNumberOfPixels());
    for (std::ptrdiff_t i = 0; i < size; ++i)
    {
      const auto value = static_cast<double>(values[i]);
      count += IsLimited<Output>(value) && (isLimit(written[i]) || std::isnan(value)) ? 1 : 0;
    }
  }
  return count;
}

/** Denoises volumes on one grid, one after the other, by filters that are made once. */
template <typename TInputImage, typename TOutputImage, typename TTask>
class VolumeDenoiser
{
public:
  using MaskImageType = itk::Image<unsigned char, TInputImage::ImageDimension>;
  using NoiseMapType = itk::Image<float, TInputImage::ImageDimension>;

  /** \param compute is quiet where the volumes have no progress of their own */
  VolumeDenoiser(const DenoiseOptions & options, const ComputeOptions & compute, const TTask & task)
    : m_Options(options)
    , m_Compute(compute)
    , m_Task(task)
    , m_Noise(compute,
              TTask::takesNoiseMap ? "it was estimated from every second voxel; see the residual, and set "
                                     "--noise-standard-deviation to more if noise is left"
                                   : "the map is too small then, which --noise map of the other commands mends")
  {}

  /** Sets the mask of all volumes; null is none. */
  void
  SetMask(const MaskImageType * mask)
  {
    m_Noise.SetMask(mask);
    m_Filter->SetMaskImage(mask);
  }

  /** Sets the noise map that was read, for the volumes that follow. */
  void
  SetNoiseMap(const NoiseMapType * map)
  {
    if constexpr (TTask::takesNoiseMap)
    {
      m_Filter->SetNoiseMapImage(map);
    }
  }

  /** Denoises a volume, and notes parameters and results.
   * \param name the volume's, in messages
   * \return the result, until the next call */
  TOutputImage *
  Denoise(const TInputImage * image, const std::string & name, DenoiseReport & report)
  {
    const std::string where = m_Options.mask.empty() ? name : name + " inside " + m_Options.mask;
    const Stopwatch   stopwatch;
    m_Filter->SetInput(image);
    if (m_Options.noise.isEstimatedMap)
    {
      this->EstimateNoiseMap(image, where);
    }
    NoiseLevel noise(m_Options.noise, where, report, [&] { return m_Noise.Estimate(image, where); });
    m_Task.Configure(*m_Filter, noise, report);
    NoteParameters(report, "/parameters", *m_Options.command, m_Filter->GetParameters());
    RunWithNoiseMap(m_Options.noise, [&] { UpdateFilter(*m_Filter, m_Compute, TTask::words.progress); });
    m_Task.NoteResults(*m_Filter, where, report);
    this->NoteNoiseMap(report);
    if constexpr (!TTask::takesNoiseMap)
    {
      m_Noise.CheckNeighbors(*image, where);
    }
    if constexpr (TTask::averages)
    {
      report.Set("/limited_voxels", CountLimitedResults(*image, *m_Filter->GetOutput()));
    }
    report.Set(TTask::words.seconds, stopwatch.GetSeconds());
    if (m_Filter->GetComputeDevice().IsCuda())
    {
      report.Set("/seconds/on_device", m_Filter->GetDeviceMilliseconds() / 1000.0);
      report.Set("/slabs", m_Filter->GetNumberOfSlabs());
    }
    return m_Filter->GetOutput();
  }

private:
  using FilterType = typename TTask::template FilterType<TInputImage, TOutputImage>;
  using MapFilterType = itk::CudaNoiseMapImageFilter<TInputImage>;

  void
  EstimateNoiseMap(const TInputImage * image, const std::string & name)
  {
    if constexpr (TTask::takesNoiseMap)
    {
      if (m_MapFilter.IsNull())
      {
        m_MapFilter = MapFilterType::New();
        m_MapFilter->SetMaskImage(m_Filter->GetMaskImage());
      }
      m_MapFilter->SetInput(image);
      m_MapFilter->SetRicianCorrection(m_Task.HasRicianNoise());
      UpdateNoiseFilter(*m_MapFilter, m_Compute);
      RequireKnownNoise(*m_MapFilter, name, "; set --noise-standard-deviation to a number");
      m_FactorOfMap = m_Noise.FactorOfAllVoxels(image, name);
      Multiply(*m_MapFilter->GetOutput(), m_FactorOfMap);
      this->SetNoiseMap(m_MapFilter->GetOutput());
    }
  }

  /** Notes the noise map, and how many voxels it leaves as they are. */
  void
  NoteNoiseMap(DenoiseReport & report) const
  {
    if constexpr (TTask::takesNoiseMap)
    {
      const NoiseChoice & noise = m_Options.noise;
      if (noise.IsMap())
      {
        report.SetNoiseMap(noise.isEstimatedMap ? "estimated" : noise.mapFile);
        if (noise.isEstimatedMap)
        {
          report.Set("/noise", m_FactorOfMap * m_MapFilter->GetMeanNoise());
          report.Set("/noise_minimum", m_FactorOfMap * m_MapFilter->GetMinimumNoise());
          report.Set("/noise_maximum", m_FactorOfMap * m_MapFilter->GetMaximumNoise());
          report.Set("/noise_is_estimated", true);
        }
        report.Set("/voxels_without_noise", m_Filter->GetNumberOfVoxelsWithoutNoise());
      }
    }
  }

  const DenoiseOptions &          m_Options;
  const ComputeOptions            m_Compute;
  const TTask &                   m_Task;
  VolumeNoise<TInputImage>        m_Noise;
  double                          m_FactorOfMap = 1.0;
  typename MapFilterType::Pointer m_MapFilter;
  typename FilterType::Pointer    m_Filter = FilterType::New();
};

#endif
