// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaNonLocalMeansImageFilter.h"
#include "shared/Commands.h"
#include "shared/ParameterOptions.h"

namespace
{

using cudaneuro::NonLocalMeansCenterWeight;
using cudaneuro::NonLocalMeansWeighting;
struct NonLocalMeansTask : DenoiseTask
{
  using Parameters = cudaneuro::NonLocalMeansParameters;

  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaNonLocalMeansImageFilter<TInputImage, TOutputImage>;

  /** Without radii, smoothing parameter and noise. */
  Parameters                parameters;
  std::vector<unsigned int> windowRadius{ 3 };
  std::vector<unsigned int> patchRadius{ 2 };
  std::optional<double>     smoothing;
  std::optional<double>     smoothingFactor;

  bool
  HasRicianNoise() const
  {
    return parameters.ricianCorrection;
  }

  double
  GetSmoothingFactor() const
  {
    return smoothingFactor ? *smoothingFactor : cudaneuro::RecommendedSmoothingFactor(parameters.weighting);
  }

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport & report) const
  {
    filter.SetParameters(parameters);
    filter.SetWindowRadius(AxisValues<typename TFilter::SizeType>(windowRadius, "--window-radius"));
    filter.SetPatchRadius(AxisValues<typename TFilter::SizeType>(patchRadius, "--patch-radius"));
    if (filter.GetNoiseMapImage() != nullptr)
    {
      filter.AutomaticSmoothingOn();
      filter.SetSmoothingFactor(this->GetSmoothingFactor());
    }
    else
    {
      const MultipleOfNoise automatic{ "smoothing parameter", "--smoothing-factor", this->GetSmoothingFactor() };
      filter.SetSmoothingParameter(smoothing ? *smoothing : noise.Times(automatic));
    }
    if (parameters.ricianCorrection && filter.GetNoiseMapImage() == nullptr)
    {
      filter.SetNoiseStandardDeviation(noise.Get());
    }
    report.Set("/parameters/window_radius", windowRadius);
    report.Set("/parameters/patch_radius", patchRadius);
    report.AddOldName("/parameters/h", "/parameters/smoothing_parameter");
  }

  template <typename TFilter>
  void
  NoteResults(const TFilter & filter, const std::string &, DenoiseReport & report) const
  {
    NoteMultipleOfMap(filter, "smoothing", this->GetSmoothingFactor(), "smoothing_parameter", report);
  }
};

} // namespace

void
AddNonLocalMeansCommand(CLI::App & program)
{
  constexpr const char * description =
    "Averages voxels of a window whose surroundings look alike (Buades et al. 2005).\n"
    "Better than bilateral by far, in ten times its time. Choose it where adaptive-non-local-means takes too long,\n"
    "with --rician-correction for magnitude MR images.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-denoise non-local-means head.nii.gz denoised.nii.gz --rician-correction\n"
    "  cudaneuro-denoise non-local-means head.nii.gz denoised.nii.gz --window-radius 5 --patch-radius 1 \\\n"
    "    --smoothing-parameter 12";

  using Parameters = NonLocalMeansTask::Parameters;
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<NonLocalMeansTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("non-local-means", description);
  const auto       group = "Filter";
  AddEnumParameter(
    *app, nullptr, task->parameters, &Parameters::weighting, ChoiceOf<NonLocalMeansWeighting>(), { group });
  AddEnumParameter(
    *app, modes.get(), task->parameters, &Parameters::centerWeight, ChoiceOf<NonLocalMeansCenterWeight>(), { group });
  AddAxesParameter(*app, &Parameters::windowRadius, task->windowRadius, { group, "-w,--window-radius" });
  AddAxesParameter(*app, &Parameters::patchRadius, task->patchRadius, { group, "-p,--patch-radius" });
  AddAutomaticParameter(*app,
                        &Parameters::smoothingParameter,
                        task->smoothing,
                        { group, "-s,--smoothing", "", {}, "the smoothing factor times the noise" });
  modes->Add(AddNumberOrAuto(*app,
                             "--smoothing-factor",
                             task->smoothingFactor,
                             "Multiple of the noise that h is, without unit.\n"
                             "Default: auto, 0.7 for patch-distance, 0.01 for patch-sum")
               ->group(group),
             "--smoothing-parameter auto",
             [task] { return !task->smoothing; });
  AddParameter(*app,
               nullptr,
               task->parameters,
               &Parameters::ricianCorrection,
               { group,
                 "--rician",
                 "Remove the bias of Rician noise, which magnitude MR images\nhave. Images with many negative voxels, "
                 "such as CT, are\nrefused" });
  modes->Add(AddDenoiseOptions(*app, *options), "--smoothing-parameter auto or --rician-correction", [task, options] {
    return !task->smoothing || (task->parameters.ricianCorrection && !options->noise.IsMap());
  });
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RunDenoise("non-local means", *options, *task);
  });
}
