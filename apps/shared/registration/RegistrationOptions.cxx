// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/registration/RegistrationOptions.h"

#include "shared/registration/MetricOption.h"

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
    throw UserError("--number-of-iterations has " + std::to_string(iterations.size()) + " values; " +
                    std::to_string(count) + " levels need 1 or " + std::to_string(count));
  }
}

void
LevelOptions::Note(Report & report, const std::string & where, const CLI::App & command) const
{
  NoteOption(report, where, command, "--number-of-levels", this->GetNumberOfLevels());
  NoteOption(report, where, command, "--number-of-iterations", iterations);
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
      .add_option("-l,--number-of-levels,--levels",
                  options.levels,
                  "Number of resolutions, from coarse to fine, each half as fine\nas the next")
      ->check(AtLeast(1))
      ->option_text("N")
      ->group(group);
  const auto addCounts =
    [&](const char * name, std::vector<unsigned int> & values, double least, const std::string & text) {
      return AsList(app.add_option(name, values, text))->check(AtLeast(least))->group(group);
    };
  addCounts("--shrink-factors-per-level,--shrink-factors",
            options.shrinkFactors,
            1,
            "The same, spelled out, in voxels of the " + image + ": 4,2,1 for example")
    ->excludes(levels);
  addCounts("-n,--number-of-iterations,--iterations,--number-of-iterations-per-level",
            options.iterations,
            0,
            "Largest number of iterations of a level, one value or one a\nlevel" +
              (usualIterations.empty() ? std::string() : ". Default: " + usualIterations));
}

void
FluidOptions::Note(Report & report, const std::vector<std::string> & unused) const
{
  const std::string where = "/parameters";
  NoteParameters(report, where, *command, parameters, unused);
  NoteOption(report, where, *command, "--standard-deviations", standardDeviations);
  NoteOption(report, where, *command, "--keep-outliers", !parameters.repairOutliers);
}

void
AddFluidMetric(CLI::App &                              app,
               FluidOptions &                          options,
               const std::vector<RegistrationMetric> & metrics,
               const std::string &                     help,
               OptionModes &                           modes,
               const std::string &                     group)
{
  options.command = &app;
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
  AddAxesParameter(app, &P::standardDeviations, options.standardDeviations, { group, "--field-sigma" });
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
