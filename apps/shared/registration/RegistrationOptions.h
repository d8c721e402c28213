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

/** Common options of all commands that register. */

/** Adds --keep-outliers. */
void
AddKeepOutliers(CLI::App & app, bool & repairOutliers, const std::string & group);

/** Options of the levels and their iterations. */
struct LevelOptions
{
  unsigned int              levels = 4;
  std::vector<unsigned int> shrinkFactors;
  /** One value, one per level, or none for the command's default. */
  std::vector<unsigned int> iterations{ 100 };

  std::size_t
  GetNumberOfLevels() const
  {
    return shrinkFactors.empty() ? levels : shrinkFactors.size();
  }
  /** \throws UserError unless there is one number of iterations, one per level, or none. */
  void
  CheckIterations() const;
  /** Reports the number of levels and the iterations under a JSON pointer. */
  void
  Note(Report & report, const std::string & where, const CLI::App & command) const;
};

/** Adds --number-of-levels, --shrink-factors-per-level and --number-of-iterations.
 * \param image whose voxels are the unit of factors
 * \param usualIterations what help says of a default that is no number */
void
AddLevelOptions(CLI::App &          app,
                LevelOptions &      options,
                const std::string & image,
                const std::string & usualIterations,
                const std::string & group);

/** Sets the levels in a filter, or in its schedule.
 * \throws UserError of CheckIterations */
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

/** Options of deformations. */
struct FluidOptions
{
  /** The parameters without levels and without lengths along axes. */
  cudaneuro::RegistrationParameters parameters;
  LevelOptions                      levels;
  std::vector<double>               standardDeviations{ 0.0 };
  /** The command with the options. */
  const CLI::App * command = nullptr;

  /** Reports under "/parameters" the options with an effect, without levels and the Gaussian that makes the velocity.
   * \param unused names of options without an effect in this run */
  void
  Note(Report & report, const std::vector<std::string> & unused = {}) const;
};

/** Adds --metric, --correlation-radius and --keep-outliers.
 * \param metrics see AddMetric, as for \p help */
void
AddFluidMetric(CLI::App &                                         app,
               FluidOptions &                                     options,
               const std::vector<cudaneuro::RegistrationMetric> & metrics,
               const std::string &                                help,
               OptionModes &                                      modes,
               const std::string &                                group);

/** Adds the options of levels and of the steps of each.
 * \param image see AddLevelOptions, as for \p usualIterations */
void
AddFluidSteps(CLI::App &          app,
              FluidOptions &      options,
              OptionModes &       modes,
              const std::string & image,
              const std::string & usualIterations,
              const std::string & group);

/** Adds --velocity-method, and the options of its equation.
 * \param methods of the command; Gaussian, which solves no equation, has options of its own */
void
AddSolverOptions(CLI::App &                                     app,
                 FluidOptions &                                 options,
                 const std::vector<cudaneuro::VelocityMethod> & methods,
                 const std::string &                            help,
                 OptionModes &                                  modes,
                 const std::string &                            group);

/** Adds --align, which chooses the linear maps of the alignment before the deformation.
 * \param align "affine", "rigid" or "none"; empty for the default
 * \param usual what help says of the default */
void
AddAlign(CLI::App &          app,
         std::string &       align,
         const std::string & description,
         const std::string & usual,
         const std::string & group);

/** Returns the type of transform for --align affine and rigid. */
cudaneuro::LinearTransformType
AlignmentTypeOf(const std::string & align);

#endif
