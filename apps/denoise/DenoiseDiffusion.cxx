// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "shared/Commands.h"

namespace
{

using cudaneuro::DiffusionConductance;
using cudaneuro::DiffusionStencil;

const Choice<DiffusionStencil> &
Stencils()
{
  static const Choice<DiffusionStencil> choice({ { "geometric-mean-26", DiffusionStencil::GeometricMean26 },
                                                 { "weickert-26", DiffusionStencil::Weickert26 },
                                                 { "gerig-26", DiffusionStencil::Gerig26 },
                                                 { "perona-malik-6", DiffusionStencil::PeronaMalik6 } });
  return choice;
}

const Choice<DiffusionConductance> &
Conductances()
{
  static const Choice<DiffusionConductance> choice(
    { { "perona-malik-rational", DiffusionConductance::PeronaMalikRational },
      { "perona-malik-exponential", DiffusionConductance::PeronaMalikExponential },
      { "charbonnier", DiffusionConductance::Charbonnier },
      { "tukey-biweight", DiffusionConductance::TukeyBiweight } });
  return choice;
}

struct DiffusionTask
{
  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>;

  /** The automatic time step over the largest stable one; it gives 1/32 for 26 neighbors at 1 mm. */
  static constexpr double timeStepShare = 0.6;

  std::string           stencil = "geometric-mean-26";
  std::string           conductance = "perona-malik-rational";
  unsigned int          numberOfIterations = 20;
  std::optional<double> timeStep;
  std::optional<double> kappa;
  std::optional<double> kappaFactor;
  bool                  useVoxelUnits = false;

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport & report) const
  {
    filter.SetStencil(Stencils().GetValue(stencil));
    filter.SetConductance(Conductances().GetValue(conductance));
    filter.SetNumberOfIterations(numberOfIterations);
    filter.SetUseImageSpacing(!useVoxelUnits);
    filter.SetTimeStep(timeStep ? *timeStep : timeStepShare * filter.GetStableTimeStep());
    const auto automaticKappa = [&] {
      const double factor = kappaFactor ? *kappaFactor : cudaneuro::UsualKappaFactor(filter.GetStencil());
      return factor * noise.Get() * filter.GetConductanceNoise();
    };
    filter.SetKappa(kappa ? *kappa : automaticKappa());
    report.Set("/parameters/stencil", stencil);
    report.Set("/parameters/conductance", conductance);
    report.Set("/parameters/iterations", numberOfIterations);
    report.Set("/parameters/time_step", filter.GetTimeStep());
    report.Set("/parameters/kappa", filter.GetKappa());
    report.Set("/parameters/units", useVoxelUnits ? "voxels" : "mm");
  }
};

constexpr const char * description =
  "Explicit steps of anisotropic diffusion, which stops at edges (Perona and Malik 1990).\n"
  "Choose it where non-local-means takes too long and noise is strong, where it does better than bilateral, or\n"
  "where the sum of all voxels is to be kept.";

constexpr const char * examples =
  "Examples:\n"
  "  cudaneuro-denoise diffusion head.nii.gz denoised.nii.gz\n"
  "  cudaneuro-denoise diffusion head.nii.gz denoised.nii.gz --iterations 50 --kappa 25 --stencil gerig-26";

} // namespace

void
AddDiffusionCommand(CLI::App & program)
{
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<DiffusionTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("diffusion", description);
  const auto       group = "Filter";
  AddChoice(*app,
            "--stencil",
            task->stencil,
            Stencils().GetNames(),
            "Which neighbors exchange, and how edges are found;\n"
            "weickert-26 leaks across strong edges")
    ->group(group);
  AddChoice(*app, "--conductance", task->conductance, Conductances().GetNames(), "How edges hold back the flow")
    ->group(group);
  app->add_option("-n,--iterations", task->numberOfIterations, "Number of steps, at least 1")
    ->check(AtLeast(1))
    ->option_text("N")
    ->group(group);
  AddNumberOrAuto(*app,
                  "--time-step",
                  task->timeStep,
                  "Length of a step, in mm^2 for a diffusivity of 1. Default: auto,\n"
                  "0.6 of the largest stable step, which makes 1/32 for 26\n"
                  "neighbors and voxels of 1 mm")
    ->group(group);
  AddNumberOrAuto(*app,
                  "--kappa",
                  task->kappa,
                  "Edges much stronger than this are kept. In intensity units\n"
                  "per mm for geometric-mean-26 and weickert-26, else in\n"
                  "intensity units. Default:\n"
                  "auto, the kappa factor times what noise alone makes of a\n"
                  "difference, sqrt(2) noise, or of a gradient, noise times the\n"
                  "root of the sum of 7 / (8 spacing^2) for geometric-mean-26,\n"
                  "1 / (2 spacing^2) for weickert-26")
    ->group(group);
  const auto isAuto = [task] { return !task->kappa; };
  modes->Add(AddNumberOrAuto(*app,
                             "--kappa-factor",
                             task->kappaFactor,
                             "Multiple of what noise alone amounts to that kappa is,\n"
                             "without unit. Default: auto, 0.3 for geometric-mean-26, 0.25 for\n"
                             "weickert-26, 0.4 for the others")
               ->group(group),
             "--kappa auto",
             isAuto);
  app->add_flag("--voxel-units", task->useVoxelUnits, "Measure distances in voxels rather than in mm")->group(group);
  modes->Add(AddDenoiseOptions(*app, *options), "--kappa auto", isAuto);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RunDenoise("diffusion", *options, *task);
  });
}
