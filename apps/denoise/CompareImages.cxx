// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "files/images/SeriesFile.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/Commands.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/Report.h"
#include "shared/SlicerDescription.h"
#include "shared/SlicerRun.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <vector>

namespace
{

struct CompareOptions
{
  std::string           reference;
  std::string           test;
  std::string           mask;
  std::string           map;
  std::string           json;
  std::optional<double> dataRange;
  ComputeOptions        compute;

  /** What a run opens, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** The files to write. */
struct CompareFiles
{
  std::unique_ptr<OutputFile> map;
  std::unique_ptr<OutputFile> json;
};

void
Print(const Report::Json & report, const CompareOptions & options, const CompareFiles & files)
{
  if (!options.json.empty())
  {
    WriteText(files.json.get(), JsonText(report));
  }
  WriteSlicerResults(report);
  if (options.json == "-")
  {
    return;
  }
  std::cout << "MSSIM       " << report["mssim"].get<double>() << "\nMSE         " << report["mse"].get<double>()
            << '\n';
  if (report.contains("data_range"))
  {
    std::cout << "data range  " << report["data_range"].get<double>() << '\n';
  }
  if (report.contains("volumes"))
  {
    std::cout << "these are means of " << report["volumes"].size() << " volumes\n";
  }
  std::cout << std::flush;
}

/** Compares pairs of images on one grid by one filter. */
template <unsigned int VDimension>
class Comparison
{
public:
  using ImageType = itk::Image<float, VDimension>;

  /** \param compute is quiet where the pairs have no progress of their own */
  Comparison(const CompareOptions & options, const ComputeOptions & compute, const itk::ImageBase<VDimension> & grid)
    : m_Options(options)
    , m_Compute(compute)
  {
    if (!options.mask.empty())
    {
      m_Filter->SetMaskImage(ReadMask<VDimension>(options.opened->Open(options.mask), grid, options.reference));
    }
    if (options.dataRange)
    {
      m_Filter->SetDataRange(*options.dataRange);
    }
    m_Filter->SetComputeMap(!options.map.empty());
  }

  /** The figures of a pair.
   * \param where " of " and the number of a volume, for messages */
  Report::Json
  Compare(ImageType * reference, ImageType * test, const std::string & where = "")
  {
    AlignWith<VDimension>(*reference, m_Options.reference, *test, m_Options.test);
    m_Filter->SetReferenceImage(reference);
    m_Filter->SetTestImage(test);
    UpdateFilter(*m_Filter, m_Compute, "Comparing");
    if (!std::isfinite(m_Filter->GetMeanSquaredError()))
    {
      throw UserError("no voxel" + where + (m_Options.mask.empty() ? "" : " inside " + m_Options.mask) +
                      " is finite in both images");
    }
    return { { "mssim", m_Filter->GetMeanStructuralSimilarity() },
             { "mse", m_Filter->GetMeanSquaredError() },
             { "data_range", m_Filter->GetDataRange() } };
  }

  /** The map of the last pair. */
  const ImageType *
  GetMap()
  {
    return m_Filter->GetOutput();
  }

private:
  using FilterType = itk::CudaStructuralSimilarityImageFilter<ImageType>;

  const CompareOptions &       m_Options;
  const ComputeOptions         m_Compute;
  typename FilterType::Pointer m_Filter = FilterType::New();
};

/** Completes the figures to a report. */
Report::Json
ReportOf(const CompareOptions & options, const Report::Json & figures, double seconds)
{
  Report::Json report{ { "reference", options.reference }, { "test", options.test } };
  report.update(figures);
  report["device"] = options.compute.GetDevice().GetName();
  report["seconds"] = seconds;
  return report;
}

template <unsigned int VDimension>
void
Compare(const CompareOptions & options,
        const OpenedImage &    openedReference,
        const OpenedImage &    openedTest,
        const CompareFiles &   files)
{
  const auto             reference = ReadImage<float, VDimension>(openedReference);
  const auto             test = ReadImage<float, VDimension>(openedTest);
  Comparison<VDimension> comparison(options, options.compute, *reference);
  const Stopwatch        stopwatch;
  const Report::Json     report = ReportOf(options, comparison.Compare(reference, test), stopwatch.GetSeconds());
  if (!options.map.empty())
  {
    WriteImage<float, VDimension>(*files.map, comparison.GetMap());
  }
  Print(report, options, files);
}

/** The means of the figures of volumes, and the figures of each; the data range too where it is the same for all. */
Report::Json
SumUp(const std::vector<Report::Json> & volumes)
{
  Report::Json figures = volumes.front();
  for (const char * const name : { "mssim", "mse" })
  {
    double sum = 0.0;
    for (const Report::Json & volume : volumes)
    {
      sum += volume[name].get<double>();
    }
    figures[name] = sum / static_cast<double>(volumes.size());
  }
  const Report::Json range = figures["data_range"];
  if (std::any_of(volumes.begin(), volumes.end(), [&](const auto & volume) { return volume["data_range"] != range; }))
  {
    figures.erase("data_range");
  }
  figures["volumes"] = volumes;
  return figures;
}

/** Compares two series volume by volume, and keeps the maps where there is room for them. */
std::vector<Report::Json>
CompareVolumes(const CompareOptions &       options,
               const OpenedImage &          openedReference,
               const OpenedImage &          openedTest,
               SeriesToWrite<float> * const map)
{
  ComputeOptions quiet = options.compute;
  quiet.isQuiet = true; // the series has a progress bar
  Comparison<3>             comparison(options, quiet, *ReadGrid<3>(VolumeOf(openedReference, 0)));
  SeriesReader<float>       references(openedReference);
  SeriesReader<float>       tests(openedTest);
  std::vector<Report::Json> volumes;
  ProgressBar               bar("Comparing", options.compute.isQuiet);
  for (std::size_t i = 0; i < openedReference.size[3]; ++i)
  {
    bar.Show(static_cast<double>(i) / static_cast<double>(openedReference.size[3]));
    itk::Image<float, 3> * const reference = references.ReadNext();
    itk::Image<float, 3> * const test = tests.ReadNext();
    const std::string            volume = "volume " + std::to_string(i);
    Try("compare " + volume + " of " + options.test + " and " + options.reference,
        [&] { volumes.push_back(comparison.Compare(reference, test, " of " + volume)); });
    if (map != nullptr)
    {
      map->SetVolume(i, *comparison.GetMap());
    }
  }
  return volumes;
}

void
CompareSeries(const CompareOptions & options,
              const OpenedImage &    reference,
              const OpenedImage &    test,
              const CompareFiles &   files)
{
  RequireVolumesOf(reference, test);
  std::optional<SeriesToWrite<float>> map;
  if (!options.map.empty())
  {
    map.emplace(reference, GridMetadata(reference.metadata));
  }
  const Stopwatch    stopwatch;
  const auto         volumes = CompareVolumes(options, reference, test, map ? &*map : nullptr);
  const Report::Json report = ReportOf(options, SumUp(volumes), stopwatch.GetSeconds());
  if (map)
  {
    StageImage(*files.map, map->GetImage()).Commit();
  }
  Print(report, options, files);
}

void
RunCompare(const CompareOptions & options)
{
  WarnOfUnusedMemoryLimit(options.compute);
  const OpenedImage reference = options.opened->OpenWithSeries(options.reference);
  const OpenedImage test = options.opened->OpenWithSeries(options.test);
  if (IsSeries(reference) != IsSeries(test))
  {
    throw UserError((IsSeries(test) ? test : reference).path + " is a series of volumes, and " +
                    (IsSeries(test) ? reference : test).path + " is none; --volume takes one volume of a series");
  }
  RequireAxesOf(reference, test);
  FilesOfRun   runFiles;
  CompareFiles files;
  for (const std::string & path : { options.reference, options.test, options.mask })
  {
    runFiles.AddInput(path);
  }
  if (!options.map.empty())
  {
    if (CheckOutputFormat(options.map) != ImageFormat::Nifti && IsSeries(reference))
    {
      throw UserError("cannot write " + options.map + ": maps of series are written as NIfTI only");
    }
    files.map = std::make_unique<OutputFile>(runFiles.AddOutput(options.map));
  }
  files.json = runFiles.AddTextOutput(options.json);
  Try("compare " + options.test + " with " + options.reference, [&] {
    IsSeries(reference)        ? CompareSeries(options, reference, test, files)
    : reference.dimension == 2 ? Compare<2>(options, reference, test, files)
                               : Compare<3>(options, reference, test, files);
  });
}

} // namespace

void
AddCompareCommand(CLI::App & program)
{
  const auto       options = std::make_shared<CompareOptions>();
  CLI::App * const app = program.add_subcommand(
    "compare",
    "How alike two images are: mean structural similarity (MSSIM, 1 is the same) and mean squared error (MSE).\n"
    "Series are compared volume by volume.\n"
    "Choose it to judge a denoised image where the one without noise is known.");
  app->add_option("REFERENCE", options->reference, "The image to compare with")
    ->option_text(" ")
    ->type_name("image input")
    ->required();
  app->add_option("TEST", options->test, "The image to judge")->option_text(" ")->type_name("image input")->required();
  const std::string group = "Files";
  app->add_option("-m,--mask", options->mask, "An image on the same grid; " + maskHelp)
    ->option_text("FILE")
    ->type_name("image input")
    ->group(group);
  AddImageOptions(*app, options->opened, group);
  app->add_option("--map", options->map, "Write the structural similarity of each voxel")
    ->option_text("FILE")
    ->type_name("image output reference=reference")
    ->group(group);
  app->add_option("--json", options->json, "Write the figures as JSON; - is standard output")
    ->option_text("FILE")
    ->type_name("file output fileExtensions=.json")
    ->group(group);
  AddNumberOrAuto(*app,
                  "--data-range",
                  options->dataRange,
                  "Largest minus smallest possible intensity, in intensity units,\n"
                  "which MSSIM depends on. Default: auto, that of the reference")
    ->group("Comparison");
  AddComputeOptions(*app, options->compute);
  app->footer("Example:\n  cudaneuro-denoise compare clean.nii.gz denoised.nii.gz --map ssim.nii.gz");
  DeclareResults(*app,
                 { { "mssim", "/mssim", "Mean structural similarity; 1 is the same" },
                   { "mse", "/mse", "Mean squared error, in squared intensity units" } });
  app->callback([=] { RunCompare(*options); });
}
