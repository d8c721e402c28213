// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaSymmetricRegistrationFilter.h"
#include "register/DeformRun.h"
#include "register/RegisterCommands.h"
#include "shared/ParameterOptions.h"

namespace
{

using cudaneuro::VelocityMethod;

} // namespace

void
AddSymmetricCommand(CLI::App & program, Processes & processes)
{
  constexpr const char * description =
    "Registration in which both images move to a middle: swapping them gives the inverse map.\n"
    "Choose it where no image may go before the other, as the scans of one head at two times, and where both maps are\n"
    "used.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-register symmetric fixed.nii.gz moving.nii.gz --output-warped warped.nii.gz --output-field "
    "there.nii.gz "
    "\\\n"
    "    --output-inverse-field back.nii.gz --json report.json\n"
    "  cudaneuro-register symmetric fixed.nii.gz moving.nii.gz --metric local-correlation --unbiased-weight 1 \\\n"
    "    --update-field-standard-deviations 2 --output-transform map.h5";

  const auto       options = std::make_shared<DeformableOptions>();
  const auto       sigma = std::make_shared<SigmaOptions>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("symmetric", description);
  const auto       group = "Method";
  options->fluid.parameters = cudaneuro::SymmetricRegistrationParameters();
  AddUnbiasedWeight(*app, *options, group);
  AddSolverOptions(*app, options->fluid, cudaneuro::ValuesOf<VelocityMethod>(), "", *modes, group);
  for (CLI::Option * const option : AddSigma(*app, *sigma, group))
  {
    AddMode(*app,
            modes.get(),
            option,
            options->fluid.parameters,
            cudaneuro::OnlyWith(&cudaneuro::RegistrationParameters::velocityMethod, VelocityMethod::Gaussian));
  }
  AddDeformableOptions(*app, *options, *modes);
  options->files.processes = &processes;
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    options->Complete();
    RunDeform<itk::CudaSymmetricRegistrationFilter>(*app, "symmetric", *options, *sigma);
  });
}
