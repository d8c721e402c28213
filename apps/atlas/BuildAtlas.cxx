// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "atlas/population/AtlasChannels.h"
#include "atlas/folder/AtlasFigure.h"
#include "atlas/AtlasInputs.h"
#include "atlas/LabelWriting.h"
#include "atlas/PointWriting.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/maps/LimitedVoxels.h"
#include "files/output/StagedFiles.h"
#include "itkCudaNeuroDetail.h"
#include "shared/registration/ChannelValues.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <atomic>
#include <future>

namespace detail = itk::CudaNeuroDetail;

using cudaneuro::AtlasResult;
using cudaneuro::DiffeomorphicAtlas;

namespace
{

template <unsigned int VDimension>
using FloatImage = itk::Image<float, VDimension>;

/** Sets the initial template. CheckPopulation has compared its grid with the template's. */
template <unsigned int VDimension>
void
SetInitialTemplate(const AtlasJob & job, DiffeomorphicAtlas & atlas)
{
  const std::string & path = job.GetOptions().initialTemplate;
  if (!path.empty())
  {
    const typename FloatImage<VDimension>::ConstPointer image =
      ReadImage<float, VDimension>(job.GetOpened().Open(path)).GetPointer();
    detail::Call([&] { atlas.SetInitialTemplate(detail::VolumeOf(image.GetPointer())); });
  }
}

/** Reads the points of all images, before the iterations. */
template <unsigned int VDimension>
PopulationPoints
ReadPointsOf(AtlasJob & job)
{
  PopulationPoints points = ReadPopulationPoints(job.GetPopulation(), VDimension);
  for (const std::string & note : points.notes)
  {
    if (!note.empty() && job.GetProcesses().IsFirst())
    {
      PrintWarning(note);
    }
  }
  return points;
}

/** Writes the files of the whole atlas, while the outputs of the images are made. */
template <unsigned int VDimension>
class TemplateWriting
{
public:
  /** All processes compute the template together; the first begins to write. */
  TemplateWriting(AtlasJob &                         job,
                  const itk::ImageBase<VDimension> & grid,
                  DiffeomorphicAtlas &               atlas,
                  const AtlasResult &                result)
    : m_Job(job)
    , m_Template(MakeImageOn<FloatImage<VDimension>>(grid))
    , m_Mean(MakeImageOn<FloatImage<VDimension>>(grid))
  {
    detail::Call([&] {
      atlas.GetTemplate(detail::VolumeOf(m_Template.GetPointer()));
      atlas.GetInitialMean(detail::VolumeOf(m_Mean.GetPointer()));
      for (std::size_t i = 0; i < NumberOfFurtherChannels(job.GetPopulation()); ++i)
      {
        m_ChannelTemplates.push_back(MakeImageOn<FloatImage<VDimension>>(grid));
        atlas.GetTemplate(detail::VolumeOf(m_ChannelTemplates.back().GetPointer()), static_cast<int>(i) + 1);
        m_ChannelMeans.push_back(MakeImageOn<FloatImage<VDimension>>(grid));
        atlas.GetInitialMean(detail::VolumeOf(m_ChannelMeans.back().GetPointer()), static_cast<int>(i) + 1);
      }
    });
    m_Figure.geometry = detail::GeometryOf<VDimension>(&grid);
    m_Figure.atlas = m_Template->GetBufferPointer();
    m_Figure.mean = m_Mean->GetBufferPointer();
    m_Figure.numberOfImages = job.GetPopulation().size();
    m_Figure.result = &result;
    if (job.GetProcesses().IsFirst())
    {
      const AtlasFolder & folder = job.GetFolder();
      m_Files.Start([this, &folder] { return this->Stage(folder.GetMean(), *m_Mean); });
      m_Files.Start([this, &folder] { return this->Stage(folder.GetTemplate(), *m_Template); });
      for (std::size_t i = 0; i < m_ChannelTemplates.size(); ++i)
      {
        m_Files.Start(
          [this, &folder, i] { return this->Stage(*folder.GetChannelTemplates()[i], *m_ChannelTemplates[i]); });
        m_Files.Start([this, &folder, i] { return this->Stage(*folder.GetChannelMeans()[i], *m_ChannelMeans[i]); });
      }
      this->StartFigure(folder.GetFigure());
    }
  }

  /** Moves the files to their places when all are complete, and reports them. */
  void
  Commit()
  {
    if (!m_Job.GetProcesses().IsFirst())
    {
      return;
    }
    m_Files.Commit();
    m_Entropies.get();
    const AtlasFolder & folder = m_Job.GetFolder();
    AtlasReport &       report = m_Job.GetReport();
    report.Set("/entropy/template", m_Figure.entropyOfAtlas);
    report.Set("/entropy/mean", m_Figure.entropyOfMean);
    report.Set("/outputs/template", folder.GetTemplate().GetPath());
    report.Set("/outputs/mean", folder.GetMean().GetPath());
    for (std::size_t i = 0; i < m_ChannelTemplates.size(); ++i)
    {
      report.Set("/outputs/template_" + std::to_string(i + 2), folder.GetChannelTemplates()[i]->GetPath());
      report.Set("/outputs/mean_" + std::to_string(i + 2), folder.GetChannelMeans()[i]->GetPath());
    }
    if (folder.GetFigure() != nullptr)
    {
      report.Set("/outputs/figure", folder.GetFigure()->GetPath());
      return;
    }
    if (!m_Job.IsOneOfMany())
    {
      PrintWarning("no figure.png is drawn: " + GetReasonForNoFigure());
    }
    report.Set("/outputs/figure", nullptr);
  }

private:
  StagedFile
  Stage(const OutputFile & file, const FloatImage<VDimension> & image) const
  {
    return StageAs<VDimension>(m_Job, file, &image, itk::IOComponentEnum::FLOAT);
  }

  /** Begins to write the figure, which has the entropies, and can be left out. */
  void
  StartFigure(const OutputFile * file)
  {
    m_Entropies = std::async(std::launch::async, [this] {
                    const std::size_t count = m_Template->GetLargestPossibleRegion().GetNumberOfPixels();
                    m_Figure.entropyOfAtlas = ComputeEntropy(m_Figure.atlas, count);
                    m_Figure.entropyOfMean = ComputeEntropy(m_Figure.mean, count);
                  }).share();
    if (file != nullptr)
    {
      m_Files.Start([this, file] {
        m_Entropies.wait();
        return file->Stage([this](const std::string & path) { DrawAtlasFigure(m_Figure, path); });
      });
    }
  }

  AtlasJob &                                            m_Job;
  typename FloatImage<VDimension>::Pointer              m_Template;
  typename FloatImage<VDimension>::Pointer              m_Mean;
  std::vector<typename FloatImage<VDimension>::Pointer> m_ChannelTemplates;
  std::vector<typename FloatImage<VDimension>::Pointer> m_ChannelMeans;
  AtlasFigure                                           m_Figure;
  std::shared_future<void>                              m_Entropies;
  StagedFiles                                           m_Files;
};

/** Reports, and warns of, voxels of all processes' files whose values the types of the files do not hold. */
void
NoteLimitedVoxels(AtlasJob & job)
{
  std::vector<std::int64_t> count{ static_cast<std::int64_t>(job.GetLimitedVoxels()) };
  job.GetProcesses().Sum(count);
  const auto limited = static_cast<std::uint64_t>(count.front());
  job.GetReport().Set("/limited_voxels", limited);
  if (job.GetProcesses().IsFirst())
  {
    const AtlasOptions & options = job.GetOptions();
    WarnOfLimitedVoxels(options.folder,
                        limited,
                        options.outputType.empty() ? "the images' types"
                                                   : NameOf(PixelTypes().GetValue(options.outputType)));
  }
}

/** Writes the outputs of images first, then the template, and the report last, so that the report shows that all is
 * complete. Therefore that of an older run is removed first. */
template <unsigned int VDimension>
void
WriteAll(AtlasJob &                         job,
         const itk::ImageBase<VDimension> & grid,
         DiffeomorphicAtlas &               atlas,
         PopulationLabels<VDimension> &     labels,
         const PopulationPoints &           points,
         const AtlasResult &                result,
         const std::vector<double> &        cuts)
{
  const Stopwatch writing;
  if (job.GetProcesses().IsFirst())
  {
    job.GetFolder().GetReport().RemoveOld();
  }
  job.GetProcesses().Wait();
  TemplateWriting<VDimension> shared(job, grid, atlas, result);
  LabelWriting<VDimension>    writtenLabels(job, grid, labels, atlas);
  PointWriting                writtenPoints(job, CarryPoints<VDimension>(job, grid, points, atlas));
  const auto                  images = WriteImages<VDimension>(job, grid, atlas);
  writtenLabels.Commit();
  writtenPoints.Commit();
  shared.Commit();
  AtlasReport & report = job.GetReport();
  report.SetResult(result);
  report.SetImages(job.GetPopulation(), images, result.imageEnergies, job.GetFolder());
  report.SetAlignment(job.GetAlignment(), VDimension);
  NoteCutImages(report, cuts);
  NoteLimitedVoxels(job);
  report.Set("/seconds/writing", writing.GetSeconds());
}

template <unsigned int VDimension>
cudaneuro::AtlasParameters
ParametersOf(const AtlasJob & job, const itk::ImageBase<VDimension> & grid)
{
  auto parameters = MakeAtlasParameters<VDimension>(job.GetOptions(), grid);
  SetChannels(job.GetOptions(), NumberOfFurtherChannels(job.GetPopulation()), parameters.registration);
  return parameters;
}

template <unsigned int VDimension>
void
Build(AtlasJob & job)
{
  const auto    grid = ReadGrid<VDimension>(job.GetOpened().Open(job.GetGridPath()));
  const auto    parameters = ParametersOf<VDimension>(job, *grid);
  AtlasReport & report = job.GetReport();
  NoteParameters(report, job.GetOptions(), parameters);
  NoteChannels(report,
               "/parameters",
               *job.GetOptions().fluid.command,
               parameters.registration.channelWeight,
               parameters.registration.furtherChannels);

  std::unique_ptr<DiffeomorphicAtlas> atlas;
  std::atomic<bool>                   isRunning{ false };
  detail::Call([&] {
    atlas = std::make_unique<DiffeomorphicAtlas>(
      parameters, detail::GeometryOf<VDimension>(grid.GetPointer()), WeightsOf(job.GetPopulation()), job.GetDevices());
    // The iterations react to signals by themselves, after a checkpoint.
    atlas->SetProgressFunction([&isRunning](float) { return isRunning || !IsInterrupted(); });
  });
  // The stages are rounds of alignment, reading, reading of labels, iterations, writing.
  const AtlasOptions & options = job.GetOptions();
  ProgressBar::ExpectStages((options.Aligns() ? options.GetAlignRounds() : 0) +
                            (FirstWithLabels(job.GetPopulation()) != nullptr ? 4 : 3));
  AlignImages<VDimension>(job, *grid, parameters, atlas->GetOwnImages());
  const Stopwatch reading;
  ReadImages<VDimension>(job, *grid, *atlas);
  PopulationLabels<VDimension> labels(job, job.GetProcesses(), atlas->GetOwnImages());
  const PopulationPoints       points = ReadPointsOf<VDimension>(job);
  const std::vector<double>    cuts = WarnOfCutImages(job, *atlas);
  SetInitialTemplate<VDimension>(job, *atlas);
  report.Set("/seconds/reading", reading.GetSeconds());

  isRunning = true;
  const AtlasResult result = RunAtlas(job, parameters, *atlas);
  isRunning = false;
  report.Set("/seconds/iterations", result.iterationSeconds);
  report.Set("/seconds/means", result.meanSeconds);
  WriteAll<VDimension>(job, *grid, *atlas, labels, points, result, cuts);
}

} // namespace

void
CheckParameters(const AtlasJob & job)
{
  const OpenedImage grid = job.GetOpened().Open(job.GetGridPath());
  grid.dimension == 2 ? ParametersOf<2>(job, *ReadGrid<2>(grid)) : ParametersOf<3>(job, *ReadGrid<3>(grid));
}

void
BuildAtlas(AtlasJob & job)
{
  Try("build the atlas",
      [&] { job.GetOpened().Open(job.GetGridPath()).dimension == 2 ? Build<2>(job) : Build<3>(job); });
  // All outputs of all processes are in their places.
  job.GetProcesses().Wait();
}
