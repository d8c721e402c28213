// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ParameterOptions.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <cmath>

namespace
{

struct InvertOptions
{
  MapJobOptions                  job;
  std::string                    transform;
  cudaneuro::InversionParameters parameters = DefaultInversion();
};

template <unsigned int VDimension>
void
Invert(MapJob & job, const MapStep & step, const cudaneuro::InversionParameters & parameters)
{
  const auto                              map = job.Read<VDimension>({ step });
  std::vector<cudaneuro::InversionResult> results;
  const auto inverse = InvertMap<VDimension>(*map, job.GetComputing(), parameters, &results, step.path);
  if (!results.empty())
  {
    const cudaneuro::InversionResult worst = WorstOf(results);
    job.GetReport().Set("/inversion/iterations", worst.numberOfIterations);
    job.GetReport().Set("/inversion/mean_residual_voxels", worst.meanResidual);
    job.GetReport().Set("/inversion/maximum_residual_voxels", worst.maximumResidual);
    if (std::isnan(worst.maximumResidual))
    {
      Warn("the inverse of " + step.path + " is NaN at some voxels: displacements are NaN or infinite there");
    }
  }
  job.Write<VDimension>(*inverse, "inverse of " + step.path);
}

} // namespace

void
AddInvertCommand(CLI::App & program)
{
  const auto       options = std::make_shared<InvertOptions>();
  CLI::App * const app = program.add_subcommand(
    "invert",
    "Inverts a transform: a linear one exactly, displacement fields by Newton's method on their own grids.\n"
    "Choose it to take what is on the fixed image back to the moving one, or points along with an image.");
  const char * const files = "Files";
  AddTransformFile(*app, "TRANSFORM", options->transform, "What to invert");
  AddMapOutput(*app, options->job);
  AddMapJobOptions(*app,
                   options->job,
                   "The moving image, whose grid an image of displacements gets.\nDefault: that of the field, where it "
                   "is one",
                   files);
  using P = cudaneuro::InversionParameters;
  AddParameter(*app,
               nullptr,
               options->parameters,
               &P::maximumNumberOfIterations,
               { "Inversion of fields", "", "Largest number of iterations at a voxel, at least 1" });
  AddParameter(*app, nullptr, options->parameters, &P::tolerance, { "Inversion of fields" });
  app->footer("Examples:\n"
              "  cudaneuro-transform invert affine.mat inverse.mat\n"
              "  cudaneuro-transform invert map.h5 field.nii.gz --reference moving.nii.gz");
  app->callback([=] {
    CheckMapEnding(options->job.output);
    const MapStep step = ParseMapStep(options->transform);
    MapJob        job(options->job, { step });
    Try("invert " + options->transform, [&] {
      job.GetDimension() == 2 ? Invert<2>(job, step, options->parameters) : Invert<3>(job, step, options->parameters);
    });
    job.Finish();
  });
}
