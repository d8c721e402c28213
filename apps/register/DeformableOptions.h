// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformableOptions_h
#define apps_register_DeformableOptions_h

#include "itkCudaFluidRegistrationFilter.h"
#include "register/inputs/ChannelOptions.h"
#include "register/inputs/LinearOptions.h"
#include "register/RegisterJob.h"

#include <array>
#include <string>
#include <vector>

/** Options of the subcommands that deform. */
struct DeformableOptions
{
  RegisterOptions files;
  /** "rigid", "affine" or "none"; empty for the default. */
  std::string   align;
  LinearOptions alignment;

  FluidOptions   fluid;
  ChannelOptions channels;
  /** As LABEL=W. */
  std::vector<std::string> weightsOfLabels;

  /** Sets in files what follows from the options, once these are read.
   * \throws UserError for options that contradict each other */
  void
  Complete();

  /** The alignment that was chosen: affine, but none where an initial transform or an initial field was given. */
  std::string
  GetAlign() const
  {
    return this->GetAlignOf(files);
  }
  /** The alignment of a pair in a list. */
  std::string
  GetAlignOf(const RegisterOptions & pair) const;
};

/** Adds all options of DeformableOptions. */
void
AddDeformableOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes);

/** Adds --unbiased-weight, the weight of the term against bias. */
void
AddUnbiasedWeight(CLI::App & app, DeformableOptions & options, const std::string & group);

/** The Gaussian that makes a velocity of the force. */
struct SigmaOptions
{
  /** Values of all levels, one or one an axis, or of each level; both empty for the usual values. */
  std::vector<double> ofAxes;
  std::vector<double> perLevel;

  /** \throws UserError unless there is one value, one an axis or one a level. */
  template <typename TFilter>
  void
  SetTo(TFilter & filter, const LevelOptions & levels) const
  {
    if (!ofAxes.empty())
    {
      filter.SetUpdateFieldStandardDeviations(
        AxisValues<typename TFilter::StandardDeviationsType>(ofAxes, "--update-field-standard-deviations"));
    }
    this->CheckLevels(levels);
    if (!perLevel.empty())
    {
      filter.SetUpdateFieldStandardDeviationsPerLevel(perLevel);
    }
  }

  void
  Note(RegisterReport & report, const FluidOptions & fluid) const;

private:
  void
  CheckLevels(const LevelOptions & levels) const;
};

/** Adds --update-field-standard-deviations and --update-field-standard-deviations-per-level.
 * \returns them */
std::array<CLI::Option *, 2>
AddSigma(CLI::App & app, SigmaOptions & options, const std::string & group);

/** Images are uploaded once. Results stay on the device; only requested outputs are downloaded. */
template <unsigned int VDimension>
using DeformableFilter = itk::CudaFluidRegistrationFilter<itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>>;

/** Sets the parameters that all methods have, and notes them in the report.
 * \throws UserError for options that contradict each other */
template <unsigned int VDimension>
void
Configure(const DeformableOptions & options, RegisterJob & job, DeformableFilter<VDimension> & filter);

#endif
