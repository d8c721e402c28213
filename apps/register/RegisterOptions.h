// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterOptions_h
#define apps_register_RegisterOptions_h

#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"

#include <string>
#include <vector>

/** The files of a subcommand that registers, and where it computes. Subcommands have some of these options. */
struct RegisterOptions
{
  std::string fixed;
  std::string moving;

  std::string outputWarped;
  std::string outputField;
  std::string outputInverseField;
  std::string outputJacobian;
  /** The whole map. */
  std::string outputTransform;
  /** The inverse of a linear map. */
  std::string outputInverseTransform;
  /** The linear part of a map that deforms. */
  std::string outputAlignment;
  std::string outputLabels;
  std::string outputType;
  std::string json;

  std::vector<std::string> initialTransforms;
  std::string              initialField;
  std::string              fixedMask;
  std::string              movingMask;
  std::string              fixedLabels;
  std::string              movingLabels;

  ComputeOptions compute;
};

/** Adds an option that names a file. */
CLI::Option *
AddFile(CLI::App & app, const std::string & name, std::string & path, const std::string & what, const char * group);

/** The heading of options that name outputs. */
constexpr const char * groupOfOutputs = "Outputs (at least one; the ending decides the format)";

/** The heading of options that name inputs. */
constexpr const char * groupOfInputs = "Inputs";

/** Adds the outputs that all subcommands have: the warped image, its type, warped labels, and the report. */
void
AddCommonOutputs(CLI::App & app, RegisterOptions & options, OptionModes & modes);

/** Adds the inputs that all subcommands have: images, masks, labels, and the initial transform, of which \p kinds tells
 * what may be given. */
void
AddCommonInputs(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & kinds);

/** Resolutions to go through, and the iterations of each. */
struct LevelOptions
{
  unsigned int              levels = 4;
  std::vector<unsigned int> shrinkFactors;
  std::vector<unsigned int> iterations{ 100 };

  std::size_t
  GetNumberOfLevels() const
  {
    return shrinkFactors.empty() ? levels : shrinkFactors.size();
  }
};

/** Adds --levels, --shrink-factors and --iterations. */
void
AddLevelOptions(CLI::App & app, LevelOptions & options, const std::string & group);

/** Gives the levels to a filter.
 * \throws ProgramError unless there is one number of iterations, or one a level. */
template <typename TFilter>
void
SetLevels(const LevelOptions & options, TFilter & filter)
{
  const std::size_t levels = options.GetNumberOfLevels();
  if (options.iterations.size() != 1 && options.iterations.size() != levels)
  {
    throw ProgramError("--iterations has " + std::to_string(options.iterations.size()) + " values; " +
                       std::to_string(levels) + " levels need 1 or " + std::to_string(levels));
  }
  options.shrinkFactors.empty() ? filter.SetNumberOfLevels(options.levels)
                                : filter.SetShrinkFactorsPerLevel(options.shrinkFactors);
  options.iterations.size() == 1 ? filter.SetNumberOfIterations(options.iterations.front())
                                 : filter.SetNumberOfIterationsPerLevel(options.iterations);
}

#endif
