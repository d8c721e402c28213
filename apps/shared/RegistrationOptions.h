// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_RegistrationOptions_h
#define apps_shared_RegistrationOptions_h

#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "shared/CommandOptions.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Options that all that registers has in common. */

/** What makes images alike. */
struct MetricOptions
{
  std::string  name;
  unsigned int correlationRadius = 3;
  unsigned int bins = 32;
  bool         keepOutliers = false;

  cudaneuro::RegistrationMetric
  Get() const;
  /** Notes the metric under a JSON pointer, the radius or the number of bins where it has one, and whether outliers are kept. */
  void
  Note(Report & report, const std::string & where) const;
};

/** Adds --metric.
 * \param names of the metrics that the command has, in the order in which \p description speaks of them */
void
AddMetric(CLI::App &                       app,
          MetricOptions &                  options,
          const std::vector<std::string> & names,
          const std::string &              description,
          const std::string &              group);

/** Adds --radius, which local correlation has. */
void
AddCorrelationRadius(CLI::App & app, MetricOptions & options, OptionModes & modes, const std::string & group);

/** Adds --bins, which mutual information has. */
void
AddHistogramBins(CLI::App & app, MetricOptions & options, OptionModes & modes, const std::string & group);

/** Adds --keep-outliers. */
void
AddKeepOutliers(CLI::App & app, MetricOptions & options, const std::string & group);

/** Resolutions to go through, and the iterations of each. */
struct LevelOptions
{
  unsigned int              levels = 4;
  std::vector<unsigned int> shrinkFactors;
  /** One value, one a level, or none for what the command has by default. */
  std::vector<unsigned int> iterations{ 100 };

  std::size_t
  GetNumberOfLevels() const
  {
    return shrinkFactors.empty() ? levels : shrinkFactors.size();
  }
  /** \throws UserError unless there is one number of iterations, one a level, or none. */
  void
  CheckIterations() const;
};

/** Adds --levels, --shrink-factors and --iterations.
 * \param image in whose voxels factors are
 * \param usualIterations what help says of the default, where that is no number */
void
AddLevelOptions(CLI::App &          app,
                LevelOptions &      options,
                const std::string & image,
                const std::string & usualIterations,
                const std::string & group);

/** Gives the levels to a filter, or to its schedule.
 * \throws UserError as CheckIterations */
template <typename TSchedule>
void
SetLevels(const LevelOptions & options, TSchedule & schedule)
{
  options.CheckIterations();
  options.shrinkFactors.empty() ? schedule.SetNumberOfLevels(options.levels)
                                : schedule.SetShrinkFactorsPerLevel(options.shrinkFactors);
  if (options.iterations.size() == 1)
  {
    schedule.SetNumberOfIterations(options.iterations.front());
  }
  else if (!options.iterations.empty())
  {
    schedule.SetNumberOfIterationsPerLevel(options.iterations);
  }
}

/** How images are deformed, by whatever velocity. */
struct FluidOptions
{
  MetricOptions       metric{ "mean-squares" };
  LevelOptions        levels;
  double              step = 0.5;
  double              convergence = 0.0;
  std::vector<double> fieldSigma{ 0.0 };

  /** Notes step, convergence and field-sigma under "/parameters". */
  void
  NoteSteps(Report & report) const;
};

/** Adds --metric, --radius and --keep-outliers.
 * \param names and description as AddMetric has them */
void
AddFluidMetric(CLI::App &                       app,
               FluidOptions &                   options,
               const std::vector<std::string> & names,
               const std::string &              description,
               OptionModes &                    modes,
               const std::string &              group);

/** What help says of the levels of a command: the arguments of AddLevelOptions, and of --convergence. */
struct FluidTexts
{
  std::string image;
  std::string usualIterations;
  std::string convergence;
};

/** Adds the options of levels, --step, --convergence and --field-sigma. */
void
AddFluidSteps(CLI::App & app, FluidOptions & options, const FluidTexts & texts, const std::string & group);

/** How a velocity is made of a force by an equation. */
struct SolverOptions
{
  std::string  name = "sor";
  double       alpha = 1.0;
  double       beta = 0.0;
  double       gamma = 0.02;
  unsigned int firstSweeps = 100;
  unsigned int sweeps = 5;

  cudaneuro::VelocityMethod
  Get() const;
  /** Notes those that have an effect under "/parameters". */
  void
  Note(Report & report) const;
  /** Gives them to a filter. */
  template <typename TFilter>
  void
  SetTo(TFilter & filter) const
  {
    filter.SetVelocityMethod(this->Get());
    filter.SetAlpha(alpha);
    filter.SetBeta(beta);
    filter.SetGamma(gamma);
    filter.SetFirstSweeps(firstSweeps);
    filter.SetSweeps(sweeps);
  }
};

/** Adds --solver, --alpha, --beta, --gamma, --first-sweeps and --sweeps.
 * \param names of the solvers that the command has; with "gaussian", which solves no equation, come options of its own */
void
AddSolverOptions(CLI::App &                       app,
                 SolverOptions &                  options,
                 const std::vector<std::string> & names,
                 const std::string &              description,
                 OptionModes &                    modes,
                 const std::string &              group);

/** Adds --align: by which linear maps images are aligned before they are deformed.
 * \param align "affine", "rigid" or "none"; empty for the default
 * \param usual what help says of the default */
void
AddAlign(CLI::App &          app,
         std::string &       align,
         const std::string & description,
         const std::string & usual,
         const std::string & group);

/** The transforms of --align affine and rigid. */
cudaneuro::LinearTransformType
AlignmentTypeOf(const std::string & align);

#endif
