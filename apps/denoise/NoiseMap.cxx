// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaNoiseMapImageFilter.h"
#include "shared/Commands.h"
#include "shared/ParameterOptions.h"
#include "shared/SlicerDescription.h"

#include <limits>
#include <sstream>
#include <type_traits>

namespace
{

/** Requires that a type of integers holds the noise. It must not become 0, which stands for noise that is not known.
 * \throws UserError */
template <typename TPixel, typename TFilter>
void
RequireNoiseWithin(const TFilter & filter, const std::string & name)
{
  if constexpr (std::is_integral_v<TPixel>)
  {
    const double least = filter.GetMinimumNoise();
    const double largest = filter.GetMaximumNoise();
    if (least <= 0.5 || largest > std::numeric_limits<TPixel>::max())
    {
      std::ostringstream range;
      range << least << " to " << largest;
      throw UserError("the noise of " + name + " is " + range.str() +
                      ", which the type of --output-type holds as 0, or not at all; leave it float");
    }
  }
}

struct NoiseMapTask : DenoiseTask
{
  using Parameters = cudaneuro::NoiseMapParameters;

  static constexpr bool      takesNoiseMap = false;
  static constexpr bool      averages = false;
  static constexpr TaskWords words{ "estimate the noise of", "Estimating noise", "/seconds/estimating" };

  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaNoiseMapImageFilter<TInputImage, TOutputImage>;

  std::optional<double> smoothingSigma;
  Parameters            parameters;

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel &, DenoiseReport &) const
  {
    filter.SetParameters(parameters);
    filter.SetSmoothingSigma(smoothingSigma.value_or(0.0));
  }

  template <typename TFilter>
  void
  NoteResults(const TFilter & filter, const std::string & name, DenoiseReport & report) const
  {
    RequireKnownNoise(filter, name, "");
    RequireNoiseWithin<typename TFilter::OutputImageType::PixelType>(filter, name);
    report.Set("/parameters/smoothing_sigma", filter.GetUsedSmoothingSigma());
    report.Set("/noise", filter.GetMeanNoise());
    report.Set("/noise_minimum", filter.GetMinimumNoise());
    report.Set("/noise_maximum", filter.GetMaximumNoise());
    report.Set("/excluded_voxels", filter.GetNumberOfExcludedVoxels());
  }
};

} // namespace

void
AddNoiseMapCommand(CLI::App & program)
{
  constexpr const char * description =
    "Writes the standard deviation of the noise at each voxel, in intensity units.\n"
    "Choose it to see whether the noise varies, and where. It is 0 where nothing tells of it: outside the mask, and\n"
    "in regions of one value.";
  constexpr const char * examples = "Examples:\n"
                                    "  cudaneuro-denoise noise-map head.nii.gz noise.nii.gz --rician-correction\n"
                                    "  cudaneuro-denoise noise-map head.nii.gz noise.nii.gz --mask brain.nii.gz";

  using Parameters = NoiseMapTask::Parameters;
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<NoiseMapTask>();
  CLI::App * const app = program.add_subcommand("noise-map", description);
  const auto       group = "Filter";
  AddAutomaticParameter(
    *app, &Parameters::smoothingSigma, task->smoothingSigma, { group, "", "", {}, "8 voxels, and 16 in planes" });
  AddParameter(*app, nullptr, task->parameters, &Parameters::ricianCorrection, { group, "--rician" });
  options->usualType = "float";
  AddDenoiseFiles(*app, *options, "MAP");
  DeclareResults(*app,
                 { { "noise_level", "/noise", "Mean of the map where it is above 0" },
                   { "noise_minimum", "/noise_minimum", "Least value of the map above 0" },
                   { "noise_maximum", "/noise_maximum", "Largest value of the map" } });
  app->footer(examples);
  app->callback([=] { RunDenoise("noise map", *options, *task); });
}
