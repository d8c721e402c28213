// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/RegistrationOptions.h"

#include <algorithm>

using cudaneuro::LinearTransformType;
using cudaneuro::RegistrationMetric;
using cudaneuro::RegistrationParameters;
using cudaneuro::VelocityMethod;

void
AddKeepOutliers(CLI::App & app, bool & repairOutliers, const std::string & group)
{
  AddOffFlag(app,
             "--keep-outliers",
             repairOutliers,
             "Leave outliers as they are. By default intensities far beyond\n"
             "nearly all others of an image, such as spikes, are replaced by\n"
             "those of their neighbors, or, of more than 3 x 3 x 3 voxels\n"
             "together (2D: 3 x 3), limited",
             group);
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
      .add_option("-l,--levels,--number-of-levels",
                  options.levels,
                  "Number of resolutions, from coarse to fine, each half as fine\nas the next")
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
  addCounts("-n,--iterations,--number-of-iterations,--number-of-iterations-per-level",
            options.iterations,
            0,
            "Largest number of iterations of a level, one value or one a\nlevel" +
              (usualIterations.empty() ? std::string() : ". Default: " + usualIterations));
}

void
FluidOptions::NoteSteps(Report & report) const
{
  report.Set("/parameters/step", parameters.maximumStep);
  report.Set("/parameters/convergence", parameters.convergenceThreshold);
  report.Set("/parameters/field_sigma", fieldSigma);
}

void
FluidOptions::NoteSolver(Report & report) const
{
  report.Set("/parameters/solver", OptionWordsOf(parameters.velocityMethod));
  if (parameters.velocityMethod != VelocityMethod::Gaussian)
  {
    report.Set("/parameters/alpha", parameters.alpha);
    report.Set("/parameters/beta", parameters.beta);
    report.Set("/parameters/gamma", parameters.gamma);
  }
  if (parameters.velocityMethod == VelocityMethod::SuccessiveOverRelaxation)
  {
    report.Set("/parameters/first_sweeps", parameters.firstSweeps);
    report.Set("/parameters/sweeps", parameters.sweeps);
  }
}

void
AddFluidMetric(CLI::App &                              app,
               FluidOptions &                          options,
               const std::vector<RegistrationMetric> & metrics,
               const std::string &                     help,
               OptionModes &                           modes,
               const std::string &                     group)
{
  AddMetric(app, &modes, options.parameters, metrics, help, group);
  AddParameter(app, &modes, options.parameters, &RegistrationParameters::correlationRadius, { group, "-r,--radius" });
  AddKeepOutliers(app, options.parameters.repairOutliers, group);
}

void
AddFluidSteps(CLI::App &          app,
              FluidOptions &      options,
              OptionModes &       modes,
              const std::string & image,
              const std::string & usualIterations,
              const std::string & group)
{
  using P = RegistrationParameters;
  AddLevelOptions(app, options.levels, image, usualIterations, group);
  AddParameter(app, &modes, options.parameters, &P::maximumStep, { group, "--step" });
  AddParameter(app, &modes, options.parameters, &P::convergenceThreshold, { group, "--convergence" });
  AddAxisValues(
    app,
    "--field-sigma,--standard-deviations",
    options.fieldSigma,
    "Standard deviation, in voxels, of a Gaussian that smooths the\ndisplacements in each iteration; 0 is\nnone")
    ->check(AtLeast(0))
    ->group(group);
}

void
AddSolverOptions(CLI::App &                          app,
                 FluidOptions &                      options,
                 const std::vector<VelocityMethod> & methods,
                 const std::string &                 help,
                 OptionModes &                       modes,
                 const std::string &                 group)
{
  using P = RegistrationParameters;
  P &        parameters = options.parameters;
  const bool hasGaussian = std::find(methods.begin(), methods.end(), VelocityMethod::Gaussian) != methods.end();
  AddEnumParameter(app,
                   &modes,
                   parameters,
                   &P::velocityMethod,
                   ChoiceOf(methods),
                   { group,
                     "--solver",
                     help,
                     { { "sor", OptionWordsOf(VelocityMethod::SuccessiveOverRelaxation) },
                       { "fourier", OptionWordsOf(VelocityMethod::FourierTransform) } } });
  AddParameter(app, hasGaussian ? &modes : nullptr, parameters, &P::alpha, { group });
  AddParameter(app, &modes, parameters, &P::beta, { group });
  AddParameter(app, hasGaussian ? &modes : nullptr, parameters, &P::gamma, { group });
  AddParameter(app, &modes, parameters, &P::firstSweeps, { group });
  AddParameter(app, &modes, parameters, &P::sweeps, { group });
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
