// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/RegistrationOptions.h"

#include <algorithm>

using cudaneuro::LinearTransformType;
using cudaneuro::RegistrationMetric;
using cudaneuro::VelocityMethod;

RegistrationMetric
MetricOptions::Get() const
{
  static const Choice<RegistrationMetric> choice({ { "mean-squares", RegistrationMetric::MeanSquares },
                                                   { "local-correlation", RegistrationMetric::LocalCorrelation },
                                                   { "mutual-information", RegistrationMetric::MutualInformation } });
  return choice.GetValue(name);
}

void
MetricOptions::Note(Report & report, const std::string & where) const
{
  report.Set(where + "/metric", name);
  if (this->Get() == RegistrationMetric::LocalCorrelation)
  {
    report.Set(where + "/radius", correlationRadius);
  }
  if (this->Get() == RegistrationMetric::MutualInformation)
  {
    report.Set(where + "/bins", bins);
  }
  report.Set(where + "/keep_outliers", keepOutliers);
}

void
AddMetric(CLI::App &                       app,
          MetricOptions &                  options,
          const std::vector<std::string> & names,
          const std::string &              description,
          const std::string &              group)
{
  AddChoice(app, "--metric", options.name, names, description)->group(group);
}

void
AddCorrelationRadius(CLI::App & app, MetricOptions & options, OptionModes & modes, const std::string & group)
{
  CLI::Option * const radius =
    app.add_option("-r,--radius", options.correlationRadius, "Half-width of the neighborhood in voxels, 1 to 8")
      ->check(AtLeast(1).description("[1,8]"))
      ->option_text("N")
      ->group(group);
  modes.Add(radius, "--metric", options.name, "local-correlation");
}

void
AddHistogramBins(CLI::App & app, MetricOptions & options, OptionModes & modes, const std::string & group)
{
  CLI::Option * const bins =
    app.add_option("--bins", options.bins, "Number of bins of each image's intensities, 8 to 64")
      ->check(AtLeast(1).description("[8,64]"))
      ->option_text("N")
      ->group(group);
  modes.Add(bins, "--metric", options.name, "mutual-information");
}

void
AddKeepOutliers(CLI::App & app, MetricOptions & options, const std::string & group)
{
  app
    .add_flag("--keep-outliers",
              options.keepOutliers,
              "Leave outliers as they are. By default intensities far beyond\n"
              "nearly all others of an image, such as spikes, are replaced by\n"
              "those of their neighbors, or, of more than 3 x 3 x 3 voxels\n"
              "together (2D: 3 x 3), limited")
    ->group(group);
}

void
LevelOptions::CheckIterations() const
{
  const std::size_t count = this->GetNumberOfLevels();
  if (iterations.size() > 1 && iterations.size() != count)
  {
    throw UserError("--iterations has " + std::to_string(iterations.size()) + " values; " + std::to_string(count) +
                    " levels need 1 or " + std::to_string(count));
  }
}

void
AddLevelOptions(CLI::App &          app,
                LevelOptions &      options,
                const std::string & image,
                const std::string & usualIterations,
                const std::string & group)
{
  CLI::Option * const levels =
    app
      .add_option(
        "-l,--levels", options.levels, "Number of resolutions, from coarse to fine, each half as fine\nas the next")
      ->check(AtLeast(1))
      ->option_text("N")
      ->group(group);
  const auto addCounts =
    [&](const char * name, std::vector<unsigned int> & values, double least, const std::string & text) {
      return app.add_option(name, values, text)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(AtLeast(least))
        ->option_text("N[,N...]")
        ->group(group);
    };
  addCounts("--shrink-factors",
            options.shrinkFactors,
            1,
            "The same, spelled out, in voxels of the " + image + ": 4,2,1 for example")
    ->excludes(levels);
  addCounts("-n,--iterations",
            options.iterations,
            0,
            "Largest number of iterations of a level, one value or one a\nlevel" +
              (usualIterations.empty() ? std::string() : ". Default: " + usualIterations));
}

void
FluidOptions::NoteSteps(Report & report) const
{
  report.Set("/parameters/step", step);
  report.Set("/parameters/convergence", convergence);
  report.Set("/parameters/field_sigma", fieldSigma);
}

void
AddFluidMetric(CLI::App &                       app,
               FluidOptions &                   options,
               const std::vector<std::string> & names,
               const std::string &              description,
               OptionModes &                    modes,
               const std::string &              group)
{
  AddMetric(app, options.metric, names, description, group);
  AddCorrelationRadius(app, options.metric, modes, group);
  AddKeepOutliers(app, options.metric, group);
}

void
AddFluidSteps(CLI::App & app, FluidOptions & options, const FluidTexts & texts, const std::string & group)
{
  AddLevelOptions(app, options.levels, texts.image, texts.usualIterations, group);
  app.add_option("--step", options.step, "Voxels that the fastest voxel moves in an iteration, up to 1")
    ->check(Positive().description("[0.01,1]"))
    ->option_text("X")
    ->group(group);
  app.add_option("--convergence", options.convergence, texts.convergence)
    ->check(AtLeast(0))
    ->option_text("X")
    ->group(group);
  AddAxisValues(
    app,
    "--field-sigma",
    options.fieldSigma,
    "Standard deviation, in voxels, of a Gaussian that smooths the\ndisplacements in each iteration; 0 is\nnone")
    ->check(AtLeast(0))
    ->group(group);
}

VelocityMethod
SolverOptions::Get() const
{
  static const Choice<VelocityMethod> choice({ { "sor", VelocityMethod::SuccessiveOverRelaxation },
                                               { "fourier", VelocityMethod::FourierTransform },
                                               { "gaussian", VelocityMethod::Gaussian } });
  return choice.GetValue(name);
}

void
SolverOptions::Note(Report & report) const
{
  report.Set("/parameters/solver", name);
  if (this->Get() != VelocityMethod::Gaussian)
  {
    report.Set("/parameters/alpha", alpha);
    report.Set("/parameters/beta", beta);
    report.Set("/parameters/gamma", gamma);
  }
  if (this->Get() == VelocityMethod::SuccessiveOverRelaxation)
  {
    report.Set("/parameters/first_sweeps", firstSweeps);
    report.Set("/parameters/sweeps", sweeps);
  }
}

void
AddSolverOptions(CLI::App &                       app,
                 SolverOptions &                  options,
                 const std::vector<std::string> & names,
                 const std::string &              description,
                 OptionModes &                    modes,
                 const std::string &              group)
{
  AddChoice(app, "--solver", options.name, names, description)->group(group);
  const bool hasOthers = std::find(names.begin(), names.end(), "gaussian") != names.end();
  const auto addNumber = [&](const char * name, double & value, const char * text) {
    return app.add_option(name, value, text)->option_text("X")->group(group);
  };
  const auto addOfEquation = [&](const char * name, double & value, const char * text) {
    CLI::Option * const option = addNumber(name, value, text)->check(Positive());
    if (hasOthers)
    {
      modes.Add(option, "--solver sor or fourier", [&options] { return options.name != "gaussian"; });
    }
  };
  const auto addCount = [&](const char * name, unsigned int & value, const char * text) {
    CLI::Option * const option = app.add_option(name, value, text)->check(AtLeast(1))->option_text("N")->group(group);
    modes.Add(option, "--solver", options.name, "sor");
  };
  addOfEquation("--alpha", options.alpha, "How strongly the velocity is smoothed, in squared voxels of a\nlevel");
  modes.Add(addNumber("--beta", options.beta, "How strongly its divergence is, in squared voxels of a level")
              ->check(AtLeast(0)),
            "--solver",
            options.name,
            "fourier");
  addOfEquation(
    "--gamma", options.gamma, "Resistance, without unit: forces reach sqrt(alpha / gamma)\nvoxels of a level");
  addCount("--first-sweeps", options.firstSweeps, "Number of sweeps in the first iteration of a level");
  addCount("--sweeps", options.sweeps, "Number of sweeps in each later iteration");
}

void
AddAlign(CLI::App &          app,
         std::string &       align,
         const std::string & description,
         const std::string & usual,
         const std::string & group)
{
  AddChoice(app, "--align", align, { "affine", "rigid", "none" }, description, usual)->group(group);
}

LinearTransformType
AlignmentTypeOf(const std::string & align)
{
  return align == "rigid" ? LinearTransformType::Rigid : LinearTransformType::Affine;
}
