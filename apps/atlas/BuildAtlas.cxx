// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/BuildAtlas.h"

#include "atlas/AlignImages.h"
#include "atlas/AtlasFigure.h"
#include "atlas/AtlasInputs.h"
#include "atlas/AtlasOutputs.h"
#include "atlas/AtlasRun.h"
#include "atlas/AtlasSettings.h"
#include "atlas/CutImages.h"
#include "atlas/ImageEntropy.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "itkCudaNeuroDetail.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"

#include <atomic>

namespace detail = itk::CudaNeuroDetail;

using cudaneuro::AtlasResult;
using cudaneuro::DiffeomorphicAtlas;

namespace
{

template <unsigned int VDimension>
using FloatImage = itk::Image<float, VDimension>;

/** Its grid was compared with the template's by CheckPopulation. */
template <unsigned int VDimension>
void
SetInitialTemplate(const AtlasJob & job, DiffeomorphicAtlas & atlas)
{
  const std::string & path = job.GetOptions().initialTemplate;
  if (!path.empty())
  {
    const typename FloatImage<VDimension>::ConstPointer image = ReadImage<float, VDimension>(path).GetPointer();
    detail::Call([&] { atlas.SetInitialTemplate(detail::VolumeOf(image.GetPointer())); });
  }
}

void
WriteFigure(AtlasJob & job, const AtlasFigure & figure)
{
  const OutputFile * const file = job.GetFolder().GetFigure();
  if (file == nullptr)
  {
    PrintWarning("no figure.png is drawn: " + GetReasonForNoFigure());
    job.GetReport().Set("/outputs/figure", nullptr);
    return;
  }
  file->Write([&](const std::string & path) { DrawAtlasFigure(figure, path); });
  job.GetReport().Set("/outputs/figure", file->GetPath());
}

/** Writes what there is one of. All processes have a share in the template; the first writes. */
template <unsigned int VDimension>
void
WriteTemplate(AtlasJob &                         job,
              const itk::ImageBase<VDimension> & grid,
              DiffeomorphicAtlas &               atlas,
              const AtlasResult &                result)
{
  const auto image = MakeImageOn<FloatImage<VDimension>>(grid);
  const auto mean = MakeImageOn<FloatImage<VDimension>>(grid);
  detail::Call([&] {
    atlas.GetTemplate(detail::VolumeOf(image.GetPointer()));
    atlas.GetInitialMean(detail::VolumeOf(mean.GetPointer()));
  });
  if (!job.GetProcesses().IsFirst())
  {
    return;
  }
  const std::size_t count = grid.GetLargestPossibleRegion().GetNumberOfPixels();
  AtlasFigure       figure;
  figure.geometry = detail::GeometryOf<VDimension>(&grid);
  figure.atlas = image->GetBufferPointer();
  figure.mean = mean->GetBufferPointer();
  figure.entropyOfAtlas = ComputeEntropy(figure.atlas, count);
  figure.entropyOfMean = ComputeEntropy(figure.mean, count);
  figure.numberOfImages = job.GetPopulation().size();
  figure.result = &result;
  AtlasReport & report = job.GetReport();
  report.Set("/entropy/template", figure.entropyOfAtlas);
  report.Set("/entropy/mean", figure.entropyOfMean);

  const auto & folder = job.GetFolder();
  StagedFile   stagedMean =
    StageAs<VDimension>(job.GetOptions(), folder.GetMean(), mean.GetPointer(), itk::IOComponentEnum::FLOAT);
  StagedFile stagedTemplate =
    StageAs<VDimension>(job.GetOptions(), folder.GetTemplate(), image.GetPointer(), itk::IOComponentEnum::FLOAT);
  stagedMean.Commit();
  stagedTemplate.Commit();
  report.Set("/outputs/template", folder.GetTemplate().GetPath());
  report.Set("/outputs/mean", folder.GetMean().GetPath());
  WriteFigure(job, figure);
}

/** Outputs of images first, then the template, and the report last: where there is one, all is there. So that of an older run
 * must not stay beside new files. */
template <unsigned int VDimension>
void
WriteAll(AtlasJob &                         job,
         const itk::ImageBase<VDimension> & grid,
         DiffeomorphicAtlas &               atlas,
         const AtlasResult &                result,
         const std::vector<double> &        cuts)
{
  const Stopwatch writing;
  if (job.GetProcesses().IsFirst())
  {
    job.GetFolder().GetReport().RemoveOld();
  }
  job.GetProcesses().Wait();
  const auto images = WriteImages<VDimension>(job, grid, atlas);
  WriteTemplate<VDimension>(job, grid, atlas, result);
  AtlasReport & report = job.GetReport();
  report.SetResult(result);
  report.SetImages(job.GetPopulation(), images, result.imageEnergies, job.GetFolder());
  report.SetAlignment(job.GetAlignment(), VDimension);
  NoteCutImages(report, cuts);
  report.Set("/seconds/writing", writing.GetSeconds());
}

} // namespace

template <unsigned int VDimension>
void
BuildAtlas(AtlasJob & job)
{
  const auto    grid = ReadGrid<VDimension>(job.GetGridPath());
  const auto    parameters = MakeAtlasParameters<VDimension>(job.GetOptions(), *grid);
  AtlasReport & report = job.GetReport();
  NoteParameters(report, job.GetOptions(), parameters);

  std::unique_ptr<DiffeomorphicAtlas> atlas;
  std::atomic<bool>                   isRunning{ false };
  detail::Call([&] {
    atlas = std::make_unique<DiffeomorphicAtlas>(
      parameters, detail::GeometryOf<VDimension>(grid.GetPointer()), WeightsOf(job.GetPopulation()), job.GetDevices());
    // The iterations take up signals by themselves, after a checkpoint.
    atlas->SetProgressFunction([&isRunning](float) { return isRunning || !IsInterrupted(); });
  });
  // Rounds of alignment, reading, iterations, writing.
  const AtlasOptions & options = job.GetOptions();
  ProgressBar::ExpectStages((options.Aligns() ? options.GetAlignRounds() : 0) + 3);
  AlignImages<VDimension>(job, *grid, parameters, atlas->GetOwnImages());
  const Stopwatch reading;
  ReadImages<VDimension>(job, *grid, *atlas);
  const std::vector<double> cuts = WarnOfCutImages(job, *atlas);
  SetInitialTemplate<VDimension>(job, *atlas);
  report.Set("/seconds/reading", reading.GetSeconds());

  isRunning = true;
  const AtlasResult result = RunAtlas(job, parameters, *atlas);
  isRunning = false;
  report.Set("/seconds/iterations", result.iterationSeconds);
  report.Set("/seconds/means", result.meanSeconds);
  WriteAll<VDimension>(job, *grid, *atlas, result, cuts);
}

template void
BuildAtlas<2>(AtlasJob &);
template void
BuildAtlas<3>(AtlasJob &);
