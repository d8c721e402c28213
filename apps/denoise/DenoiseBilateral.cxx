// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoise/DenoiseImage.h"
#include "itkCudaBilateralImageFilter.h"
#include "shared/Commands.h"
#include "shared/ParameterOptions.h"

namespace
{

struct BilateralTask : DenoiseTask
{
  template <typename TInputImage, typename TOutputImage>
  using FilterType = itk::CudaBilateralImageFilter<TInputImage, TOutputImage>;

  /** Empty: one voxel along each axis. */
  std::vector<double>       domainSigma;
  std::optional<double>     rangeSigma;
  double                    rangeFactor = cudaneuro::RecommendedRangeFactor();
  std::vector<unsigned int> radius{ 2 };
  bool                      useVoxelUnits = false;

  template <typename TFilter>
  void
  Configure(TFilter & filter, NoiseLevel & noise, DenoiseReport & report) const
  {
    using ArrayType = typename TFilter::ArrayType;
    auto sigma = ArrayType::Filled(1.0);
    for (unsigned int axis = 0; !useVoxelUnits && axis < TFilter::ImageDimension; ++axis)
    {
      sigma[axis] = filter.GetInput()->GetSpacing()[axis];
    }
    filter.SetDomainSigma(domainSigma.empty() ? sigma : AxisValues<ArrayType>(domainSigma, "--domain-sigma"));
    filter.SetRadius(AxisValues<typename TFilter::SizeType>(radius, "--radius"));
    filter.SetUseImageSpacing(!useVoxelUnits);
    if (filter.GetNoiseMapImage() != nullptr)
    {
      filter.SetRangeFactor(rangeFactor);
    }
    else
    {
      filter.SetRangeSigma(rangeSigma ? *rangeSigma : noise.Times({ "range sigma", "--range-factor", rangeFactor }));
    }
    const auto usedSigma = filter.GetDomainSigma();
    report.Set("/parameters/domain_sigma", std::vector<double>(usedSigma.begin(), usedSigma.end()));
    report.Set("/parameters/radius", radius);
    report.Set("/parameters/units", useVoxelUnits ? "voxels" : "mm");
  }

  template <typename TFilter>
  void
  NoteResults(const TFilter & filter, const std::string &, DenoiseReport & report) const
  {
    NoteMultipleOfMap(filter, "range", rangeFactor, "range_sigma", report);
  }
};

} // namespace

void
AddBilateralCommand(CLI::App & program)
{
  constexpr const char * description =
    "Averages neighbors that are near in space and in intensity (Tomasi and Manduchi 1998).\n"
    "The fastest of all: it takes a tenth of the time of non-local-means. Choose it where time counts.";
  constexpr const char * examples =
    "Examples:\n"
    "  cudaneuro-denoise bilateral head.nii.gz denoised.nii.gz\n"
    "  cudaneuro-denoise bilateral head.nii.gz denoised.nii.gz --noise map\n"
    "  cudaneuro-denoise bilateral head.nii.gz denoised.nii.gz --range-sigma 40 --radius 3,3,2 --device cpu";

  using P = cudaneuro::BilateralParameters;
  const auto       options = std::make_shared<DenoiseOptions>();
  const auto       task = std::make_shared<BilateralTask>();
  const auto       modes = std::make_shared<OptionModes>();
  CLI::App * const app = program.add_subcommand("bilateral", description);
  const auto       group = "Filter";
  AddAxesParameter(*app, &P::domainSigma, task->domainSigma, { group, "", "", {}, "one voxel along each axis" });
  AddAutomaticParameter(
    *app, &P::rangeSigma, task->rangeSigma, { group, "", "", {}, "the range factor times the noise" });
  const auto isAuto = [task] { return !task->rangeSigma; };
  modes->Add(
    app->add_option("--range-factor", task->rangeFactor, "Multiple of the noise that the range sigma is, without unit")
      ->check(Positive())
      ->option_text("X")
      ->group(group),
    "--range-sigma auto",
    isAuto);
  AddAxesParameter(*app, &P::radius, task->radius, { group, "-r,--radius" });
  app->add_flag("--voxel-units", task->useVoxelUnits, "--domain-sigma is in voxels rather than in mm")->group(group);
  modes->Add(AddDenoiseOptions(*app, *options), "--range-sigma auto", isAuto);
  app->footer(examples);
  app->callback([=] {
    modes->Check();
    RunDenoise("bilateral", *options, *task);
  });
}
