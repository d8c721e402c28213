// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "shared/Commands.h"
#include "shared/ParameterOptions.h"

namespace
{

struct AdaptiveTask : DenoiseTask
{
  using Parameters = cudaneuro::AdaptiveNonLocalMeansParameters;

  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaAdaptiveNonLocalMeansImageFilter<TInputImage, TOutputImage>;

  /** Without the noise. */
  Parameters parameters;

  bool
  HasRicianNoise() const
  {
    return parameters.ricianCorrection;
  }

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport &) const
  {
    filter.SetParameters(parameters);
    if (filter.GetNoiseMapImage() == nullptr)
    {
      filter.SetNoiseStandardDeviation(noise.Get());
    }
  }
};

} // namespace

void
AddAdaptiveNonLocalMeansCommand(CLI::App & program)
{
  constexpr const char * description =
    "Shrinks groups of blocks that look alike by how much they vary (Lebrun et al. 2013), and finds the noise at each\n"
    "voxel by itself. The best of all. Choose it when in doubt, with --rician-correction for magnitude MR images.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-denoise adaptive-non-local-means head.nii.gz denoised.nii.gz --rician-correction\n"
    "  cudaneuro-denoise adaptive-non-local-means head.nii.gz denoised.nii.gz --noise 12 --output-residual "
    "residual.nii.gz";

  using Parameters = AdaptiveTask::Parameters;
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<AdaptiveTask>();
  CLI::App * const app = program.add_subcommand("adaptive-non-local-means", description);
  const auto       group = "Filter";
  AddParameter(
    *app,
    nullptr,
    task->parameters,
    &Parameters::smoothingFactor,
    { group, "", "Multiple of the noise that is taken away, without unit,\n0.01 to 100. More smooths more" });
  AddParameter(*app,
               nullptr,
               task->parameters,
               &Parameters::ricianCorrection,
               { group,
                 "--rician",
                 "Remove the bias of Rician noise, which magnitude MR images\nhave. Images with many negative voxels, "
                 "such as CT, are\nrefused" });
  AddDenoiseOptions(*app, *options, "map");
  app->footer(examples);
  app->callback([=] { RunDenoise("adaptive non-local means", *options, *task); });
}
