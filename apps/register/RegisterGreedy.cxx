// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "register/DeformRun.h"
#include "register/RegisterCommands.h"

#include <CLI/CLI.hpp>

namespace
{

using cudaneuro::VelocityMethod;

} // namespace

void
AddGreedyCommand(CLI::App & program, Processes & processes)
{
  constexpr const char * description =
    "Greedy registration by a viscous fluid, the step of an atlas of Ha et al.\n"
    "Choose it for the best fit of two brains to each other; its maps stretch and shrink more than those of unbiased.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-register greedy fixed.nii.gz moving.nii.gz --output-warped warped.nii.gz --output-field field.nii.gz\n"
    "  cudaneuro-register greedy fixed.nii.gz moving.nii.gz --initial-transform affine.tfm \\\n"
    "    --velocity-method fourier-transform --output-transform map.h5";

  const auto       options = std::make_shared<DeformableOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("greedy", description);
  options->fluid.parameters = cudaneuro::GreedyRegistrationParameters();
  AddSolverOptions(*app,
                   options->fluid,
                   { VelocityMethod::SuccessiveOverRelaxation, VelocityMethod::FourierTransform },
                   "How the velocity's equation is solved",
                   *modes,
                   "Method");
  AddDeformableOptions(*app, *options, *modes);
  options->files.processes = &processes;
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    options->Complete();
    RunDeform<itk::CudaGreedyFluidRegistrationFilter>(*app, "greedy", *options, NoSigma());
  });
}
