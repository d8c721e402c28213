// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"
#include "files/transforms/TransformFile.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <CLI/CLI.hpp>

namespace
{

struct ComposeOptions
{
  MapJobOptions job;
  MapOptions    map;
};

template <unsigned int VDimension>
void
Compose(MapJob & job, const std::vector<MapStep> & steps)
{
  const auto map = job.Read<VDimension>(steps);
  if (IsImageName(job.GetOptions().output))
  {
    job.Write<VDimension>(*map, job.GetOptions().output);
    return;
  }
  const bool isLinear = IsLinear<VDimension>(*map);
  if (!isLinear)
  {
    CheckTransformFormat(job.GetOptions().output);
  }
  const auto reference = job.GetReference<VDimension>();
  job.Write<VDimension>(*ComposeMap<VDimension>(*map, reference.grid, job.GetComputing()), job.GetOptions().output);
  job.GetReport().Set("/output_description", isLinear ? "linear transform" : "displacement field");
}

} // namespace

void
AddComposeCommand(CLI::App & program)
{
  const auto       options = std::make_shared<ComposeOptions>();
  CLI::App * const app = program.add_subcommand(
    "compose",
    "Makes one transform of several: a linear one where all are linear, and else a displacement field.\n"
    "Choose it to hand a map to a program that takes one transform.");
  const char * const files = "Files";
  AddMapOutput(*app, options->job);
  AddMapOptions(*app, options->map, files);
  AddMapJobOptions(*app,
                   options->job,
                   "The fixed image, whose grid displacements get. Default: that of\nthe field, where there is one "
                   "transform",
                   files);
  app->footer("Examples:\n"
              "  cudaneuro-transform compose affine.tfm --transform first.mat --transform second.mat\n"
              "  cudaneuro-transform compose field.nii.gz --reference fixed.nii.gz -x warp.nii.gz -x affine.mat");
  app->callback([=] {
    const std::vector<MapStep> steps = options->map.GetSteps();
    if (steps.empty())
    {
      throw CLI::RequiredError("At least one of --transform and --inverse");
    }
    CheckMapEnding(options->job.output);
    MapJob job(options->job, steps);
    Try("compose " + options->job.output,
        [&] { job.GetDimension() == 2 ? Compose<2>(job, steps) : Compose<3>(job, steps); });
    job.Finish();
  });
}
