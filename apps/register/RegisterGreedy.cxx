// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaGreedyFluidRegistrationFilter.h"
#include "register/DeformFiles.h"
#include "register/RegisterCommands.h"

namespace
{

using cudaneuro::VelocityMethod;

const Choice<VelocityMethod> &
Solvers()
{
  static const Choice<VelocityMethod> choice(
    { { "sor", VelocityMethod::SuccessiveOverRelaxation }, { "fourier", VelocityMethod::FourierTransform } });
  return choice;
}

struct GreedyTask
{
  std::string  solver = "sor";
  double       alpha = 1.0;
  double       beta = 0.0;
  double       gamma = 0.02;
  unsigned int firstSweeps = 100;
  unsigned int sweeps = 5;

  template <unsigned int VDimension>
  typename DeformableFilter<VDimension>::Pointer
  MakeFilter() const
  {
    const auto filter =
      itk::CudaGreedyFluidRegistrationFilter<typename DeformableFilter<VDimension>::FixedImageType,
                                             typename DeformableFilter<VDimension>::MovingImageType,
                                             typename DeformableFilter<VDimension>::DisplacementFieldType>::New();
    filter->SetVelocityMethod(Solvers().GetValue(solver));
    filter->SetAlpha(alpha);
    filter->SetBeta(beta);
    filter->SetGamma(gamma);
    filter->SetFirstSweeps(firstSweeps);
    filter->SetSweeps(sweeps);
    return filter.GetPointer();
  }

  void
  Note(RegisterReport & report) const
  {
    report.Set("/parameters/solver", solver);
    report.Set("/parameters/alpha", alpha);
    report.Set("/parameters/beta", beta);
    report.Set("/parameters/gamma", gamma);
    if (solver == "sor")
    {
      report.Set("/parameters/first_sweeps", firstSweeps);
      report.Set("/parameters/sweeps", sweeps);
    }
  }
};

constexpr const char * description =
  "Greedy registration by a viscous fluid, the step of an atlas of Ha et al.\n"
  "Choose it for the best fit of two brains to each other; its maps stretch and shrink more than those of unbiased.";

constexpr const char * examples =
  "Examples:\n"
  "  cudaneuro-register greedy fixed.nii.gz moving.nii.gz --output-warped warped.nii.gz --output-field field.nii.gz\n"
  "  cudaneuro-register greedy fixed.nii.gz moving.nii.gz --initial-transform affine.tfm --solver fourier \\\n"
  "    --output-transform map.h5";

} // namespace

void
AddGreedyCommand(CLI::App & program)
{
  const auto       options = std::make_shared<DeformableOptions>();
  const auto       task = std::make_shared<GreedyTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("greedy", description);
  const auto       group = "Method";
  const auto       addNumber = [&](const char * name, double & value, const char * text) {
    return app->add_option(name, value, text)->option_text("X")->group(group);
  };
  AddChoice(*app, "--solver", task->solver, Solvers().GetNames(), "How the velocity's equation is solved")
    ->group(group);
  const auto addCount = [&](const char * name, unsigned int & value, const char * text) {
    return app->add_option(name, value, text)->check(AtLeast(1))->option_text("N")->group(group);
  };
  const auto isSor = [task] { return task->solver == "sor"; };
  addNumber("--alpha", task->alpha, "How strongly the velocity is smoothed, in squared voxels of a\nlevel. Default: 1")
    ->check(Positive());
  modes->Add(
    addNumber("--beta", task->beta, "How strongly its divergence is, in squared voxels of a level.\nDefault: 0")
      ->check(AtLeast(0)),
    "--solver fourier",
    [=] { return !isSor(); });
  addNumber("--gamma",
            task->gamma,
            "Resistance, without unit: forces reach sqrt(alpha / gamma)\nvoxels of a level. Default: 0.02")
    ->check(Positive());
  modes->Add(
    addCount("--first-sweeps", task->firstSweeps, "Number of sweeps in the first iteration of a level. Default: 100"),
    "--solver sor",
    isSor);
  modes->Add(
    addCount("--sweeps", task->sweeps, "Number of sweeps in each later iteration. Default: 5"), "--solver sor", isSor);
  AddDeformableOptions(*app, *options, *modes);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RunDeform("greedy", *options, *task);
  });
}
