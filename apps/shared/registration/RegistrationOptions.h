// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_RegistrationOptions_h
#define apps_shared_registration_RegistrationOptions_h

#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "shared/CommandOptions.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Options that all that registers has in common. */

/** Adds --keep-outliers. */
void
AddKeepOutliers(CLI::App & app, bool & repairOutliers, const std::string & group);

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
  /** Notes the number of levels and the iterations under a JSON pointer. */
  void
  Note(Report & report, const std::string & where, const CLI::App & command) const;
};

/** Adds --number-of-levels, --shrink-factors-per-level and --number-of-iterations.
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

/** How images are deformed. */
struct FluidOptions
{
  /** Without levels, and without lengths that are given for each axis. */
  cudaneuro::RegistrationParameters parameters;
  LevelOptions                      levels;
  std::vector<double>               standardDeviations{ 0.0 };
  /** The command, which has the options. */
  const CLI::App * command = nullptr;

  /** Notes under "/parameters" what has an effect, but neither levels nor the Gaussian that makes a velocity.
   * \param unused names of options that have none in this run */
  void
  Note(Report & report, const std::vector<std::string> & unused = {}) const;
};

/** Adds --metric, --correlation-radius and --keep-outliers.
 * \param metrics and help as AddMetric has them */
void
AddFluidMetric(CLI::App &                                         app,
               FluidOptions &                                     options,
               const std::vector<cudaneuro::RegistrationMetric> & metrics,
               const std::string &                                help,
               OptionModes &                                      modes,
               const std::string &                                group);

/** Adds the options of levels and of the steps of each.
 * \param image and usualIterations as AddLevelOptions has them */
void
AddFluidSteps(CLI::App &          app,
              FluidOptions &      options,
              OptionModes &       modes,
              const std::string & image,
              const std::string & usualIterations,
              const std::string & group);

/** Adds --velocity-method, and what its equation has.
 * \param methods that the command has; with Gaussian, which solves no equation, come options of its own */
void
AddSolverOptions(CLI::App &                                     app,
                 FluidOptions &                                 options,
                 const std::vector<cudaneuro::VelocityMethod> & methods,
                 const std::string &                            help,
                 OptionModes &                                  modes,
                 const std::string &                            group);

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
