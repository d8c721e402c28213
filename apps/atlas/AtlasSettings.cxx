// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSettings.h"

#include "itkCudaGreedyFluidRegistrationFilter.h"

using cudaneuro::AtlasMean;
using cudaneuro::AtlasParameters;
using cudaneuro::RegistrationMetric;
using cudaneuro::RegistrationParameters;
using cudaneuro::VelocityMethod;

const Choice<RegistrationMetric> &
AtlasMetrics()
{
  static const Choice<RegistrationMetric> choice({ { "mean-squares", RegistrationMetric::MeanSquares },
                                                   { "local-correlation", RegistrationMetric::LocalCorrelation } });
  return choice;
}

const Choice<VelocityMethod> &
AtlasSolvers()
{
  static const Choice<VelocityMethod> choice({ { "sor", VelocityMethod::SuccessiveOverRelaxation },
                                               { "fourier", VelocityMethod::FourierTransform },
                                               { "gaussian", VelocityMethod::Gaussian } });
  return choice;
}

const Choice<AtlasMean> &
AtlasMeans()
{
  static const Choice<AtlasMean> choice(
    { { "mean", AtlasMean::Mean }, { "trimmed", AtlasMean::TrimmedMean }, { "median", AtlasMean::Median } });
  return choice;
}

namespace
{

/** The levels of the atlas, and how many iterations each has. */
template <unsigned int VDimension>
std::vector<cudaneuro::RegistrationLevel>
MakeLevels(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid)
{
  auto              levels = LevelsOf<VDimension>(grid, options.levels, options.shrinkFactors);
  const std::size_t count = levels.size();
  const std::size_t given = options.iterations.size();
  if (given > 1 && given != count)
  {
    throw ProgramError("--iterations has " + std::to_string(given) + " values; " + std::to_string(count) +
                       " levels need 1 or " + std::to_string(count));
  }
  constexpr unsigned int usual = 50;
  constexpr unsigned int usualOnFinest = 25;
  for (std::size_t level = 0; level < count; ++level)
  {
    const unsigned int iterations = given > 0            ? options.iterations[given == 1 ? 0 : level]
                                    : level + 1 == count ? usualOnFinest
                                                         : usual;
    levels[level].iterations = itk::CudaNeuroDetail::ThreeAxes<int>(&iterations, 1, 0)[0];
  }
  return levels;
}

template <unsigned int VDimension>
std::array<double, 3>
AxesOf(const std::vector<double> & values, const std::string & name, double fill)
{
  return itk::CudaNeuroDetail::ThreeAxes<double>(
    AxisValues<itk::FixedArray<double, VDimension>>(values, name), VDimension, fill);
}

} // namespace

template <unsigned int VDimension>
std::vector<cudaneuro::RegistrationLevel>
LevelsOf(const itk::ImageBase<VDimension> & grid,
         unsigned int                       numberOfLevels,
         const std::vector<unsigned int> &  shrinkFactors)
{
  using ImageType = itk::Image<float, VDimension>;
  const auto fixed = ImageType::New(); // without pixels
  fixed->CopyInformation(&grid);
  fixed->SetRegions(grid.GetLargestPossibleRegion());
  const auto filter =
    itk::CudaGreedyFluidRegistrationFilter<ImageType,
                                           ImageType,
                                           itk::Image<itk::Vector<float, VDimension>, VDimension>>::New();
  filter->SetFixedImage(fixed);
  shrinkFactors.empty() ? filter->SetNumberOfLevels(numberOfLevels) : filter->SetShrinkFactorsPerLevel(shrinkFactors);
  std::vector<cudaneuro::RegistrationLevel> levels(shrinkFactors.empty() ? numberOfLevels : shrinkFactors.size());
  for (std::size_t level = 0; level < levels.size(); ++level)
  {
    const auto factors = filter->GetShrinkFactorsPerDimension(static_cast<unsigned int>(level));
    levels[level].shrinkFactors = itk::CudaNeuroDetail::ThreeAxes<int>(factors, VDimension, 1);
  }
  return levels;
}

template <unsigned int VDimension>
AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid)
{
  AtlasParameters          parameters;
  RegistrationParameters & registration = parameters.registration;
  registration.metric = AtlasMetrics().GetValue(options.metric);
  registration.correlationRadius = static_cast<int>(options.correlationRadius);
  registration.solver = AtlasSolvers().GetValue(options.solver);
  registration.sigma = AxesOf<VDimension>(options.sigma, "--sigma", options.sigma.front());
  registration.alpha = options.alpha;
  registration.beta = options.beta;
  registration.gamma = options.gamma;
  registration.firstSweeps = static_cast<int>(options.firstSweeps);
  registration.sweeps = static_cast<int>(options.sweeps);
  registration.maximumStep = options.step;
  registration.fieldSigma = AxesOf<VDimension>(options.fieldSigma, "--field-sigma", 0.0);
  registration.convergenceThreshold = options.convergence;
  registration.levels = MakeLevels<VDimension>(options, grid);

  parameters.mean = AtlasMeans().GetValue(options.mean);
  parameters.trimmedFraction = options.trim;
  parameters.sharpening = options.sharpening;
  parameters.shapeUpdateInterval = options.shapeUpdate;
  parameters.keepPose = options.keepPose;
  parameters.trimToBoundingBox = !options.noTrimBox;
  parameters.measureEntropy = true;
  return parameters;
}

void
NoteParameters(Report & report, const AtlasOptions & options, const AtlasParameters & parameters)
{
  const auto note = [&](const char * name, const auto & value) {
    report.Set(std::string("/parameters/") + name, value);
  };
  note("align", options.align);
  if (options.Aligns())
  {
    note("align_rounds", options.GetAlignRounds());
  }
  note("mean", options.mean);
  if (parameters.mean == AtlasMean::TrimmedMean)
  {
    note("trim", options.trim);
  }
  note("sharpening", options.sharpening);
  note("shape_update", options.shapeUpdate);
  note("keep_pose", options.keepPose);
  note("trim_box", !options.noTrimBox);
  note("metric", options.metric);
  if (parameters.registration.metric == RegistrationMetric::LocalCorrelation)
  {
    note("radius", options.correlationRadius);
  }
  note("solver", options.solver);
  if (parameters.registration.solver == VelocityMethod::Gaussian)
  {
    note("sigma", options.sigma);
  }
  else
  {
    note("alpha", options.alpha);
    note("beta", options.beta);
    note("gamma", options.gamma);
  }
  if (parameters.registration.solver == VelocityMethod::SuccessiveOverRelaxation)
  {
    note("first_sweeps", options.firstSweeps);
    note("sweeps", options.sweeps);
  }
  Report::Json shrinkFactors = Report::Json::array();
  Report::Json iterations = Report::Json::array();
  for (const cudaneuro::RegistrationLevel & level : parameters.registration.levels)
  {
    shrinkFactors.push_back(level.shrinkFactors);
    iterations.push_back(level.iterations);
  }
  note("shrink_factors", shrinkFactors);
  note("iterations", iterations);
  note("step", options.step);
  note("convergence", options.convergence);
  note("field_sigma", options.fieldSigma);
}

#define INSTANTIATE(VDimension) \
  template std::vector<cudaneuro::RegistrationLevel> LevelsOf( \
    const itk::ImageBase<VDimension> &, unsigned int, const std::vector<unsigned int> &); \
  template AtlasParameters MakeAtlasParameters(const AtlasOptions &, const itk::ImageBase<VDimension> &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
