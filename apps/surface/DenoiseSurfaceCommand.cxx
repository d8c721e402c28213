// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/ProgramSupport.h"
#include "surface/SurfaceCommands.h"
#include "surface/SurfaceJob.h"

#include <CLI/CLI.hpp>

void
AddDenoiseCommand(CLI::App & program)
{
  constexpr const char * description =
    "Denoises meshes, by their normals, and the boundaries of labels, by what their voxels make likely.\n"
    "Choose it where noise must go, and folds, edges, thin parts and the volume must stay.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-surface denoise cortex.vtk -o smooth.vtp --json report.json\n"
    "  cudaneuro-surface denoise scan.stl -o smooth.stl --figure smooth.png\n"
    "  cudaneuro-surface denoise labels.nii.gz -o 'surfaces/{label}.vtp'\n"
    "  cudaneuro-surface denoise part.stl -o smooth.stl --method level-set --voxel-size 0.5 --keep-edges\n"
    "  cudaneuro-surface denoise phi.nii.gz --distance -o smooth.vtp --output-distance smooth.nii.gz";

  const auto       options = std::make_shared<SurfaceOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("denoise", description);
  AddSurfaceOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=] {
    CheckSurfaceOptions(*options, *modes);
    SurfaceJob job(*options);
    Try("denoise " + options->input, [&] { job.Run(); });
    job.Finish();
  });
}
