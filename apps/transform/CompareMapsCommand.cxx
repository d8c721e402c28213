// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "shared/ProgressBar.h"
#include "shared/SlicerDescription.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

namespace
{

struct CompareMapsOptions
{
  MapJobOptions job;
  std::string   first;
  std::string   second;
  std::string   mask;
};

template <unsigned int VDimension>
void
CompareMaps(MapJob & job, const CompareMapsOptions & options)
{
  const MapJobOptions & common = options.job;
  const auto            first = job.Read<VDimension>({ ParseMapStep(options.first) });
  const auto            second = job.Read<VDimension>({ ParseMapStep(options.second) });
  const std::string     reference = common.reference.empty() ? options.mask : common.reference;
  const auto            grid =
    GridFor<VDimension>({ first.GetPointer(), second.GetPointer() }, job.ReadMapGrid<VDimension>(reference));
  typename itk::Image<unsigned char, VDimension>::Pointer mask;
  if (!options.mask.empty())
  {
    mask = ReadMask<VDimension>(common.opened->Open(options.mask), *grid.grid, reference);
  }
  ProgressBar::ExpectStages(2);
  const auto distances = CompareMaps<VDimension>(*first, *second, grid.grid, mask, job.GetComputing());
  Report &   report = job.GetReport();
  report.Set("/distance_mm/mean", distances.mean);
  report.Set("/distance_mm/median", distances.median);
  report.Set("/distance_mm/percentile_95", distances.percentile95);
  report.Set("/distance_mm/maximum", distances.maximum);
  report.Set("/distance_mm/root_mean_square", distances.rootMeanSquare);
  report.Set("/voxels", distances.voxels);
  report.Set("/voxels_without_place", distances.voxelsWithoutPlace);
  if (job.GetOutput() != nullptr)
  {
    report.Set("/output_description", "distances in mm");
    distances.image->SetMetaDataDictionary(GridMetadata(grid.metadata));
    WriteImage<float, VDimension>(*job.GetOutput(), distances.image.GetPointer());
  }
}

} // namespace

void
AddCompareMapsCommand(CLI::App & program)
{
  const auto       options = std::make_shared<CompareMapsOptions>();
  CLI::App * const app = program.add_subcommand(
    "compare",
    "Tells how far apart two maps take the same points, in mm: mean, median, 95 percent, largest, root mean square.\n"
    "Choose it to judge a registration whose true map is known, or to see whether two say the same.");
  const char * const files = "Files";
  AddTransformFile(*app, "FIRST", options->first, "A map");
  AddTransformFile(*app, "SECOND", options->second, "The map to compare it with");
  AddFile(*app,
          "-m,--mask",
          options->mask,
          "An image on the same grid; voxels where it is 0 or NaN are excluded",
          files,
          "image input");
  AddFile(*app,
          "--map",
          options->job.output,
          "Write the distance at each voxel, in mm, of float; 0 outside the\nmask",
          files,
          "image output reference=reference");
  AddMapJobOptions(
    *app,
    options->job,
    "The fixed image, at whose voxels they are compared. Default: the\ngrid of the mask, or of the first "
    "field",
    files);
  app->footer(
    "Example:\n  cudaneuro-transform compare true.nii.gz found.h5 --reference fixed.nii.gz --mask brain.nii.gz");
  DeclareResults(*app,
                 { { "mean", "/distance_mm/mean", "Mean distance, in mm" },
                   { "median", "/distance_mm/median", "Median of the distances, in mm" },
                   { "percentile_95", "/distance_mm/percentile_95", "95 percent of the distances are below, in mm" },
                   { "maximum", "/distance_mm/maximum", "Largest distance, in mm" } });
  app->callback([=] {
    if (!options->job.output.empty())
    {
      CheckOutputFormat(options->job.output);
    }
    MapJob job(options->job, { ParseMapStep(options->first), ParseMapStep(options->second) });
    job.GetFiles().AddInput(options->mask);
    Try("compare " + options->first + " with " + options->second,
        [&] { job.GetDimension() == 2 ? CompareMaps<2>(job, *options) : CompareMaps<3>(job, *options); });
    job.Finish();
  });
}
