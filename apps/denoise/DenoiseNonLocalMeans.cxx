// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "shared/Commands.h"

namespace
{

using cudaneuro::NonLocalMeansCenterWeight;
using cudaneuro::NonLocalMeansWeighting;

const Choice<NonLocalMeansWeighting> &
Weightings()
{
  static const Choice<NonLocalMeansWeighting> choice(
    { { "patch-distance", NonLocalMeansWeighting::PatchDistance }, { "patch-sum", NonLocalMeansWeighting::PatchSum } });
  return choice;
}

const Choice<NonLocalMeansCenterWeight> &
CenterWeights()
{
  static const Choice<NonLocalMeansCenterWeight> choice(
    { { "maximum", NonLocalMeansCenterWeight::Maximum }, { "one", NonLocalMeansCenterWeight::One } });
  return choice;
}

struct NonLocalMeansTask
{
  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>;

  std::string               weighting = "patch-distance";
  std::string               centerWeight = "maximum";
  std::vector<unsigned int> windowRadius{ 3 };
  std::vector<unsigned int> patchRadius{ 2 };
  std::optional<double>     smoothing;
  std::optional<double>     smoothingFactor;
  bool                      isRician = false;

  double
  GetSmoothingFactor() const
  {
    return smoothingFactor ? *smoothingFactor : cudaneuro::RecommendedSmoothingFactor(Weightings().GetValue(weighting));
  }

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport & report) const
  {
    filter.SetWeighting(Weightings().GetValue(weighting));
    filter.SetCenterWeight(CenterWeights().GetValue(centerWeight));
    filter.SetWindowRadius(AxisValues<typename TFilter::SizeType>(windowRadius, "--window-radius"));
    filter.SetPatchRadius(AxisValues<typename TFilter::SizeType>(patchRadius, "--patch-radius"));
    filter.SetSmoothingParameter(smoothing ? *smoothing : this->GetSmoothingFactor() * noise.Get());
    filter.SetRicianCorrection(isRician);
    if (isRician)
    {
      filter.SetNoiseStandardDeviation(noise.Get());
    }
    report.Set("/parameters/weighting", weighting);
    if (weighting == "patch-distance")
    {
      report.Set("/parameters/center_weight", centerWeight);
    }
    report.Set("/parameters/window_radius", windowRadius);
    report.Set("/parameters/patch_radius", patchRadius);
    report.Set("/parameters/h", filter.GetSmoothingParameter());
    report.Set("/parameters/rician_correction", isRician);
  }
};

constexpr const char * description =
  "Averages voxels of a window whose surroundings look alike (Buades et al. 2005).\n"
  "The best of the three by far, in ten times the time of bilateral. Choose it when in doubt, with --rician for\n"
  "magnitude MR images.";

constexpr const char * examples =
  "Examples:\n"
  "  cudaneuro-denoise non-local-means head.nii.gz denoised.nii.gz --rician\n"
  "  cudaneuro-denoise non-local-means head.nii.gz denoised.nii.gz --window-radius 5 --patch-radius 1 --smoothing 12";

} // namespace

void
AddNonLocalMeansCommand(CLI::App & program)
{
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<NonLocalMeansTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("non-local-means", description);
  const auto       group = "Filter";
  AddChoice(*app, "--weighting", task->weighting, Weightings().GetNames(), "How patches are compared")->group(group);
  modes->Add(AddChoice(*app,
                       "--center-weight",
                       task->centerWeight,
                       CenterWeights().GetNames(),
                       "Weight of a voxel in its own mean: the largest of the\n"
                       "others, or one")
               ->group(group),
             "--weighting",
             task->weighting,
             "patch-distance");
  AddAxisValues(*app, "-w,--window-radius", task->windowRadius, "Half-width of the search window in voxels, at least 1")
    ->check(AtLeast(1))
    ->group(group);
  AddAxisValues(*app, "-p,--patch-radius", task->patchRadius, "Half-width of the patches in voxels")
    ->check(AtLeast(0))
    ->group(group);
  AddNumberOrAuto(*app,
                  "-s,--smoothing",
                  task->smoothing,
                  "The smoothing parameter h, in intensity units. Default:\n"
                  "auto, the smoothing factor times the noise")
    ->group(group);
  modes->Add(AddNumberOrAuto(*app,
                             "--smoothing-factor",
                             task->smoothingFactor,
                             "Multiple of the noise that h is, without unit.\n"
                             "Default: auto, 0.7 for patch-distance, 0.01 for patch-sum")
               ->group(group),
             "--smoothing auto",
             [task] { return !task->smoothing; });
  app
    ->add_flag("--rician",
               task->isRician,
               "Remove the bias of Rician noise, which magnitude MR images\nhave. Images with many negative voxels, "
               "such as CT, are\nrefused")
    ->group(group);
  modes->Add(AddDenoiseOptions(*app, *options), "--smoothing auto or --rician", [task] {
    return !task->smoothing || task->isRician;
  });
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RunDenoise("non-local means", *options, *task);
  });
}
