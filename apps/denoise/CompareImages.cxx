// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "itkCudaStructuralSimilarityImageFilter.h"
#include "shared/CommandOptions.h"
#include "shared/ImageOptions.h"
#include "shared/Commands.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/Report.h"
#include "shared/SlicerDescription.h"
#include "shared/SlicerRun.h"

#include <cmath>
#include <iostream>

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
  if (options.json != "-")
  {
    std::cout << "MSSIM       " << report["mssim"].get<double>() << "\nMSE         " << report["mse"].get<double>()
              << "\ndata range  " << report["data_range"].get<double>() << std::endl;
  }
}

template <unsigned int VDimension>
void
Compare(const CompareOptions & options,
        const OpenedImage &    openedReference,
        const OpenedImage &    openedTest,
        const CompareFiles &   files)
{
  using ImageType = itk::Image<float, VDimension>;
  const auto reference = ReadImage<float, VDimension>(openedReference);
  const auto test = ReadImage<float, VDimension>(openedTest);
  AlignWith<VDimension>(*reference, options.reference, *test, options.test);
  const auto filter = itk::CudaStructuralSimilarityImageFilter<ImageType>::New();
  filter->SetReferenceImage(reference);
  filter->SetTestImage(test);
  if (!options.mask.empty())
  {
    filter->SetMaskImage(ReadMask<VDimension>(options.opened->Open(options.mask), *reference, options.reference));
  }
  if (options.dataRange)
  {
    filter->SetDataRange(*options.dataRange);
  }
  filter->SetComputeMap(!options.map.empty());
  const Stopwatch stopwatch;
  UpdateFilter(*filter, options.compute, "Comparing");
  const double seconds = stopwatch.GetSeconds();
  if (!std::isfinite(filter->GetMeanSquaredError()))
  {
    throw UserError("no voxel is finite in both images");
  }
  if (!options.map.empty())
  {
    WriteImage<float, VDimension>(*files.map, filter->GetOutput());
  }
  Print({ { "reference", options.reference },
          { "test", options.test },
          { "mssim", filter->GetMeanStructuralSimilarity() },
          { "mse", filter->GetMeanSquaredError() },
          { "data_range", filter->GetDataRange() },
          { "device", filter->GetComputeDevice().GetName() },
          { "seconds", seconds } },
        options,
        files);
}

void
RunCompare(const CompareOptions & options)
{
  WarnOfUnusedMemoryLimit(options.compute);
  const OpenedImage reference = options.opened->Open(options.reference);
  const OpenedImage test = options.opened->Open(options.test);
  RequireAxesOf(reference, test);
  FilesOfRun   runFiles;
  CompareFiles files;
  for (const std::string & path : { options.reference, options.test, options.mask })
  {
    runFiles.AddInput(path);
  }
  if (!options.map.empty())
  {
    CheckOutputFormat(options.map);
    files.map = std::make_unique<OutputFile>(runFiles.AddOutput(options.map));
  }
  files.json = runFiles.AddTextOutput(options.json);
  Try("compare " + options.test + " with " + options.reference, [&] {
    reference.dimension == 2 ? Compare<2>(options, reference, test, files)
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
