// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/SurfaceFile.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"
#include "shared/ProgressBar.h"
#include "shared/SlicerDescription.h"
#include "surface/SurfaceCommands.h"
#include "surface/SurfaceReport.h"

#include <CLI/CLI.hpp>

namespace
{

struct CompareOptions
{
  std::string    reference;
  std::string    test;
  std::string    json;
  ComputeOptions compute;
};

class CompareReport : public Report
{
public:
  void
  Print() const override
  {
    const auto text = [this](const char * what) { return this->TextOf(what); };
    // Open surfaces have no volume.
    const auto volume = [&](const char * where) {
      return this->Has(where) ? "volume " + text(where) + " mm^3, " : std::string();
    };
    PrintLine("from",
              text("/reference") + ": " + volume("/volume_before_mm3") + "area " + text("/area_before_mm2") + " mm^2");
    PrintLine("to", text("/test") + ": " + volume("/volume_after_mm3") + "area " + text("/area_after_mm2") + " mm^2");
    PrintLine("distance",
              "mean " + text("/distance/mean_mm") + " mm, RMS " + text("/distance/rms_mm") + ", 95 % up to " +
                text("/distance/percentile_95_mm") + ", largest " + text("/distance/maximum_mm"));
    PrintLine("angle",
              "mean " + text("/angle/mean_degrees") + " degrees between normals, RMS " + text("/angle/rms_degrees"));
  }
};

void
RunCompare(const CompareOptions & options)
{
  const Stopwatch stopwatch;
  WarnOfUnusedMemoryLimit(options.compute);
  FilesOfRun files;
  files.AddInput(options.reference);
  files.AddInput(options.test);
  const auto json = files.AddTextOutput(options.json);
  const auto reference = ReadSurfaceFile(options.reference);
  const auto test = ReadSurfaceFile(options.test);

  // Distances are computed on the CPU.
  cudaneuro::Context context(cudaneuro::Device(), options.compute.numberOfThreads);
  ProgressBar        bar("Comparing", options.compute.isQuiet);
  context.SetProgressFunction([&bar](float fraction) {
    bar.Show(static_cast<double>(fraction));
    return !IsInterrupted();
  });
  cudaneuro::SurfaceComparison comparison;
  Try("compare " + options.test + " with " + options.reference,
      [&] { itk::CudaNeuroDetail::Call([&] { comparison = cudaneuro::CompareSurfaces(context, reference, test); }); });
  Report::Json figures;
  if (AreClosed(reference, test))
  {
    DescribeVolumes(figures, comparison.first.volume, comparison.second.volume, comparison.first.area);
  }
  DescribeAreas(figures, comparison.first, comparison.second);
  CompareReport report;
  report.Set("/reference", options.reference);
  report.Set("/test", options.test);
  report.Set("/distance", DescribeDistances(comparison.symmetric));
  report.Set("/distance_reference_to_test", DescribeDistances(comparison.firstToSecond));
  report.Set("/distance_test_to_reference", DescribeDistances(comparison.secondToFirst));
  report.Set("/angle", DescribeAngles(comparison.symmetricAngles));
  report.Set("/angle_reference_to_test", DescribeAngles(comparison.anglesOfFirst));
  report.Set("/angle_test_to_reference", DescribeAngles(comparison.anglesOfSecond));
  for (const auto & figure : figures.items())
  {
    report.Set('/' + figure.key(), figure.value());
  }
  report.Set("/seconds", stopwatch.GetSeconds());
  report.WriteAndPrint(options.json, json.get(), false);
}

} // namespace

void
AddCompareCommand(CLI::App & program)
{
  const auto       options = std::make_shared<CompareOptions>();
  CLI::App * const app =
    program.add_subcommand("compare",
                           "How far two surfaces are apart: mean, RMS, 95 % and largest distance both ways, and the "
                           "angle between\n"
                           "their normals, over the area; volumes, areas.\n"
                           "Choose it to judge a denoised surface where the one without noise is known.");
  app
    ->add_option(
      "REFERENCE", options->reference, "The surface to compare with (.vtk, .vtp, .stl, .ply, .obj, .gii, lh.*)")
    ->option_text(" ")
    ->type_name("geometry input fileExtensions=.vtp")
    ->required();
  app->add_option("TEST", options->test, "The surface to judge")
    ->option_text(" ")
    ->type_name("geometry input fileExtensions=.vtp")
    ->required();
  app->add_option("--json", options->json, "Write the figures as JSON; - is standard output")
    ->option_text("FILE")
    ->type_name("file output fileExtensions=.json")
    ->group("Files");
  AddComputeOptions(*app, options->compute);
  DeclareResults(*app,
                 { { "mean_distance", "/distance/mean_mm", "Mean distance in mm" },
                   { "rms_distance", "/distance/rms_mm", "Root of the mean squared distance in mm" },
                   { "largest_distance", "/distance/maximum_mm", "Largest distance in mm" },
                   { "mean_angle", "/angle/mean_degrees", "Mean angle between normals in degrees" } });
  app->footer("Example:\n  cudaneuro-surface compare true.vtk denoised.vtk");
  app->callback([=] { RunCompare(*options); });
}
