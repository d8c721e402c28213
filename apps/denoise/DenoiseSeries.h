// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseSeries_h
#define apps_denoise_DenoiseSeries_h

#include "denoise/VolumeDenoiser.h"
#include "files/base/QuietItk.h"
#include "files/images/SeriesFile.h"

#include <optional>

/** The noise maps that are read for a series: none, one for all volumes, or a series of as many. */
class NoiseMapsOfSeries
{
public:
  using MapType = itk::Image<float, 3>;

  /** Opens and checks them.
   * \throws UserError that names the files and the numbers of volumes */
  explicit NoiseMapsOfSeries(const DenoiseJob & job);

  /** The map of the next volume, until the next call; null for none. */
  const MapType *
  ReadNext();

private:
  const std::string                  m_ImagePath;
  const std::string                  m_Path;
  const itk::ImageBase<3>::Pointer   m_Grid;
  MapType::Pointer                   m_Map;
  std::optional<SeriesReader<float>> m_Series;
};

/** Reads the mask that holds for all volumes; null for none. */
itk::Image<unsigned char, 3>::Pointer
ReadMaskOfSeries(const DenoiseJob & job);

/** Denoises a series volume by volume, each with a noise of its own, and writes it and the residual when all are
 * complete. A volume gets the bits that it gets alone. */
template <typename TInputPixel, typename TOutputPixel, typename TTask>
class SeriesDenoiser
{
public:
  SeriesDenoiser(DenoiseJob & job, const TTask & task)
    : m_Job(job)
    , m_Denoiser(job.GetOptions(), QuietOf(job.GetOptions().compute), task)
    , m_Output(job.GetInput(), job.GetInput().metadata)
  {
    if (job.HasResidual())
    {
      m_Residual.emplace(job.GetInput(), GridMetadata(job.GetInput().metadata));
    }
  }

  void
  Run()
  {
    const Stopwatch reading;
    const auto      mask = ReadMaskOfSeries(m_Job);
    m_Denoiser.SetMask(mask);
    NoiseMapsOfSeries         maps(m_Job);
    SeriesReader<TInputPixel> volumes(m_Job.GetInput());
    m_SecondsReading = reading.GetSeconds();
    this->DenoiseAll(volumes, maps);
    m_Job.GetReport().SumUpVolumes();
    m_Job.GetReport().Set("/seconds/reading", m_SecondsReading);
    m_Job.Write(m_Output.GetImage(), m_Residual ? &m_Residual->GetImage() : nullptr);
  }

private:
  using InputImageType = itk::Image<TInputPixel, 3>;
  using OutputImageType = itk::Image<TOutputPixel, 3>;

  static ComputeOptions
  QuietOf(ComputeOptions compute)
  {
    compute.isQuiet = true; // the series has a progress bar
    return compute;
  }

  void
  DenoiseAll(SeriesReader<TInputPixel> & volumes, NoiseMapsOfSeries & maps)
  {
    const std::size_t count = m_Job.GetInput().size[3];
    ProgressBar       bar(TTask::words.progress, m_Job.GetOptions().compute.isQuiet);

    std::optional<QuietItk> quiet;
    for (std::size_t i = 0; i < count; ++i)
    {
      bar.Show(static_cast<double>(i) / static_cast<double>(count),
               std::to_string(i) + " of " + std::to_string(count) + " done");
      const Stopwatch              reading;
      const InputImageType * const volume = volumes.ReadNext();
      m_Denoiser.SetNoiseMap(maps.ReadNext());
      m_SecondsReading += reading.GetSeconds();
      this->DenoiseOne(i, *volume);
      // What the filters warn of, such as a time step, is the same for all volumes.
      if (!quiet)
      {
        quiet.emplace();
      }
    }
  }

  void
  DenoiseOne(std::size_t i, const InputImageType & volume)
  {
    const std::string name = "volume " + std::to_string(i) + " of " + m_Job.GetInput().path;
    DenoiseReport     report;
    Try(std::string(TTask::words.verb) + " " + name, [&] {
      const OutputImageType * const result = m_Denoiser.Denoise(&volume, name, report);
      m_Output.SetVolume(i, *result);
      if (m_Residual)
      {
        Subtract(volume, *result, m_Residual->GetVolume(i));
      }
    });
    m_Job.GetReport().AddVolume(report);
  }

  DenoiseJob &                                           m_Job;
  VolumeDenoiser<InputImageType, OutputImageType, TTask> m_Denoiser;
  SeriesToWrite<TOutputPixel>                            m_Output;
  std::optional<SeriesToWrite<float>>                    m_Residual;
  double                                                 m_SecondsReading = 0.0;
};

#endif
