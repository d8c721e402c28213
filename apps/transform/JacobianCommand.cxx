// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "shared/SlicerDescription.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

namespace
{

struct JacobianOptions
{
  MapJobOptions job;
  std::string   transform;
};

template <unsigned int VDimension>
void
Jacobian(MapJob & job, const MapStep & step)
{
  const auto map = job.Read<VDimension>({ step });
  const auto grid = GridFor<VDimension>({ map.GetPointer() }, job.GetReference<VDimension>());
  const auto jacobian = JacobianOf<VDimension>(*map, grid.grid, job.GetComputing());
  Report &   report = job.GetReport();
  report.Set("/jacobian/minimum", jacobian.minimum);
  report.Set("/jacobian/maximum", jacobian.maximum);
  report.Set("/jacobian/folded_voxels", jacobian.foldedVoxels);
  report.Set("/jacobian/voxels", jacobian.voxels);
  if (job.GetOutput() != nullptr)
  {
    report.Set("/output_description", "Jacobian determinants");
    jacobian.image->SetMetaDataDictionary(GridMetadata(grid.metadata));
    WriteImage<float, VDimension>(*job.GetOutput(), jacobian.image.GetPointer());
  }
}

} // namespace

void
AddJacobianCommand(CLI::App & program)
{
  const auto       options = std::make_shared<JacobianOptions>();
  CLI::App * const app = program.add_subcommand(
    "jacobian",
    "Tells how a map changes volumes: the Jacobian determinants at the voxels of a grid, their range, and where it "
    "folds.\nA determinant is how much larger the moving image is there than the fixed one; 0 or less is a fold.\n"
    "Choose it to check a map, or to see where a brain grew.");
  const char * const files = "Files";
  AddTransformFile(*app, "TRANSFORM", options->transform, "The map");
  AddFile(*app,
          "-o,--output",
          options->job.output,
          "Write the determinant of each voxel, of float",
          files,
          "image output reference=reference");
  AddMapJobOptions(*app,
                   options->job,
                   "The fixed image, on whose grid determinants are computed.\nDefault: that of the field, where it is "
                   "one",
                   files);
  app->footer("Example:\n  cudaneuro-transform jacobian map.h5 --reference fixed.nii.gz --output jacobian.nii.gz");
  DeclareResults(*app,
                 { { "minimum", "/jacobian/minimum", "Smallest determinant" },
                   { "maximum", "/jacobian/maximum", "Largest determinant" },
                   { "folded_voxels", "/jacobian/folded_voxels", "Voxels whose determinant is not above 0" } });
  app->callback([=] {
    if (!options->job.output.empty())
    {
      CheckOutputFormat(options->job.output);
    }
    const MapStep step = ParseMapStep(options->transform);
    MapJob        job(options->job, { step });
    Try("measure " + options->transform,
        [&] { job.GetDimension() == 2 ? Jacobian<2>(job, step) : Jacobian<3>(job, step); });
    job.Finish();
  });
}
