// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/SurfaceCommands.h"
#include "surface/SurfaceJob.h"

namespace
{

constexpr const char * description =
  "Denoises closed surfaces by nonlocal means of the signed distance in a band around them (Dong et al.; Lee et al.).\n"
  "Choose it where noise must go, and folds, edges, thin parts and the volume must stay.";

constexpr const char * examples =
  "Examples:\n"
  "  cudaneuro-surface denoise cortex.vtk -o smooth.vtp --json report.json\n"
  "  cudaneuro-surface denoise part.stl -o smooth.stl --voxel-size 0.5 --keep-edges --figure smooth.png\n"
  "  cudaneuro-surface denoise labels.nii.gz -o 'surfaces/{label}.vtp'\n"
  "  cudaneuro-surface denoise phi.nii.gz --distance -o smooth.vtp --output-distance smooth.nii.gz";

} // namespace

void
AddDenoiseCommand(CLI::App & program)
{
  const auto       options = std::make_shared<SurfaceOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("denoise", description);
  AddSurfaceOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    if (options->output.empty() && options->outputDistance.empty() && options->figure.empty() && options->json.empty())
    {
      throw CLI::RequiredError("At least one of --output, --output-distance, --figure and --json");
    }
    SurfaceJob job(*options);
    Try("denoise " + options->input, [&] { job.Run(); });
    job.Finish();
  });
}
