// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaAnisotropicDiffusionImageFilter.h"
#include "shared/Commands.h"
#include "shared/ParameterOptions.h"

#include <cmath>

namespace
{

struct DiffusionTask : DenoiseTask
{
  using Parameters = cudaneuro::AnisotropicDiffusionParameters;

  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaAnisotropicDiffusionImageFilter<TInputImage, TOutputImage>;

  /** The automatic time step over the largest stable one; it gives 1/32 for 26 neighbors at 1 mm. */
  static constexpr double timeStepShare = 0.6;

  /** Without time step and kappa where they are automatic. */
  Parameters            parameters;
  std::optional<double> timeStep;
  std::optional<double> kappa;
  std::optional<double> kappaFactor;
  bool                  useVoxelUnits = false;

  double
  GetKappaFactor() const
  {
    return kappaFactor ? *kappaFactor : cudaneuro::UsualKappaFactor(parameters.stencil);
  }

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport & report) const
  {
    filter.SetParameters(parameters);
    filter.SetUseImageSpacing(!useVoxelUnits);
    // One voxel alone has no neighbors: any step is stable, and there is no difference of which noise makes something.
    const bool   isAlone = !std::isfinite(filter.GetStableTimeStep());
    const double stable = isAlone ? 1.0 : filter.GetStableTimeStep();
    const double conductanceNoise = isAlone ? 1.0 : filter.GetConductanceNoise();
    filter.SetTimeStep(timeStep ? *timeStep : timeStepShare * stable);
    const MultipleOfNoise automaticKappa{ "kappa", "--kappa-factor", this->GetKappaFactor(), conductanceNoise };
    if (filter.GetNoiseMapImage() != nullptr)
    {
      filter.SetKappaFactor(this->GetKappaFactor());
    }
    else
    {
      filter.SetKappa(kappa ? *kappa : noise.Times(automaticKappa));
    }
    report.Set("/parameters/units", useVoxelUnits ? "voxels" : "mm");
  }

  template <typename TFilter>
  void
  NoteResults(const TFilter & filter, const std::string &, DenoiseReport & report) const
  {
    NoteMultipleOfMap(filter, "kappa", this->GetKappaFactor(), "kappa", report);
  }
};

} // namespace

void
AddDiffusionCommand(CLI::App & program)
{
  constexpr const char * description =
    "Explicit steps of anisotropic diffusion, which stops at edges (Perona and Malik 1990).\n"
    "Choose it where non-local-means takes too long and noise is strong, where it does better than bilateral, or\n"
    "where the sum of all voxels is to be kept.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-denoise diffusion head.nii.gz denoised.nii.gz\n"
    "  cudaneuro-denoise diffusion head.nii.gz denoised.nii.gz --noise map\n"
    "  cudaneuro-denoise diffusion head.nii.gz denoised.nii.gz --number-of-iterations 50 --kappa 25 --stencil gerig-26";

  using Parameters = DiffusionTask::Parameters;
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<DiffusionTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("diffusion", description);
  const auto       group = "Filter";
  using cudaneuro::DiffusionConductance;
  using cudaneuro::DiffusionStencil;
  AddEnumParameter(*app,
                   nullptr,
                   task->parameters,
                   &Parameters::stencil,
                   ChoiceOf<DiffusionStencil>(),
                   { group,
                     "",
                     "Which neighbors exchange, and how edges are found;\n"
                     "weickert-26 leaks across strong edges" });
  AddEnumParameter(
    *app, nullptr, task->parameters, &Parameters::conductance, ChoiceOf<DiffusionConductance>(), { group });
  AddParameter(*app, nullptr, task->parameters, &Parameters::numberOfIterations, { group, "-n,--iterations" });
  AddAutomaticParameter(*app,
                        &Parameters::timeStep,
                        task->timeStep,
                        { group,
                          "",
                          "",
                          {},
                          "0.6 of the largest stable step, which makes 1/32 for 26\n"
                          "neighbors and voxels of 1 mm" });
  AddAutomaticParameter(*app,
                        &Parameters::kappa,
                        task->kappa,
                        { group,
                          "",
                          "Edges much stronger than this are kept. In intensity units\n"
                          "per mm for geometric-mean-26 and weickert-26, else in\n"
                          "intensity units",
                          {},
                          "the kappa factor times what noise alone makes of a\n"
                          "difference, sqrt(2) noise, or of a gradient, noise times the\n"
                          "root of the sum of 7 / (8 spacing^2) for geometric-mean-26,\n"
                          "1 / (2 spacing^2) for weickert-26" });
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
