// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"
#include "files/transforms/TransformFile.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

namespace
{

struct ComposeOptions
{
  MapJobOptions job;
  MapOptions    map;
};

/** Checks the ending of the output, which decides whether it is an image of displacements. */
void
CheckMapFormat(const std::string & path)
{
  if (IsImageName(path))
  {
    CheckOutputFormat(path);
  }
  else
  {
    CheckTransformFormat(path, TransformParts::One);
  }
}

template <unsigned int VDimension>
void
Compose(MapJob & job, const std::vector<MapStep> & steps)
{
  const auto map = job.Read<VDimension>(steps);
  const auto affine = AsAffine<VDimension>(*map);
  if (affine.IsNotNull() && !IsImageName(job.GetOptions().output))
  {
    job.GetReport().Set("/output_description", "linear transform");
    StageTransform<VDimension>(*job.GetOutput(), affine).Commit();
    return;
  }
  if (!IsImageName(job.GetOptions().output))
  {
    CheckTransformFormat(job.GetOptions().output);
  }
  job.GetReport().Set("/output_description", "displacement field");
  const auto grid = GridFor<VDimension>(*map, job.GetOptions().reference, *job.GetOptions().opened);
  StageMapAsField<VDimension>(*job.GetOutput(), *map, grid, job.GetOptions().compute).Commit();
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
  app
    ->add_option("OUTPUT",
                 options->job.output,
                 "The file to write: a transform (.h5, .tfm, .txt, .mat), or an\nimage of displacements (.nii.gz, "
                 ".mha, .nrrd)")
    ->option_text(" ")
    ->type_name("transform output")
    ->required();
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
    CheckMapFormat(options->job.output);
    MapJob job(options->job, steps);
    Try("compose " + options->job.output,
        [&] { job.GetDimension() == 2 ? Compose<2>(job, steps) : Compose<3>(job, steps); });
    job.Finish();
  });
}
