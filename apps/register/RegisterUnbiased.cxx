// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaUnbiasedFluidRegistrationFilter.h"
#include "register/DeformRun.h"
#include "register/RegisterCommands.h"

#include <CLI/CLI.hpp>

void
AddUnbiasedCommand(CLI::App & program, Processes & processes)
{
  constexpr const char * description =
    "Fluid registration with a term that keeps the map from preferring growth to shrinkage (Lee et al.).\n"
    "Choose it to measure change or difference of volume, where the Jacobian is the result, and when in doubt.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-register unbiased fixed.nii.gz moving.nii.gz --output-warped warped.nii.gz --output-transform map.h5\n"
    "  cudaneuro-register unbiased fixed.nii.gz moving.nii.gz --initial-transform affine.tfm --metric "
    "local-correlation "
    "\\\n"
    "    --fixed-labels fixed_seg.nii.gz --moving-labels moving_seg.nii.gz --json report.json";

  const auto       options = std::make_shared<DeformableOptions>();
  const auto       sigma = std::make_shared<SigmaOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("unbiased", description);
  const auto       group = "Method";
  options->fluid.parameters = cudaneuro::UnbiasedRegistrationParameters();
  AddUnbiasedWeight(*app, *options, group);
  AddSigma(*app, *sigma, group);
  AddDeformableOptions(*app, *options, *modes);
  options->files.processes = &processes;
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    options->Complete();
    RunDeform<itk::CudaUnbiasedFluidRegistrationFilter>(*app, "unbiased", *options, *sigma);
  });
}
