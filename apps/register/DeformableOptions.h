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
  /** Texts LABEL=W. */
  std::vector<std::string> weightsOfLabels;

  /** Completes \c files after the options have been read.
   * \throws UserError for options that contradict each other */
  void
  Complete();

  /** Returns the alignment. The default is affine, or none with an initial transform or an initial field. */
  std::string
  GetAlign() const
  {
    return this->GetAlignOf(files);
  }
  /** Returns the alignment of a pair in a list. */
  std::string
  GetAlignOf(const RegisterOptions & pair) const;
};

/** Adds all options of DeformableOptions. */
void
AddDeformableOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes);

/** Adds --unbiased-weight. */
void
AddUnbiasedWeight(CLI::App & app, DeformableOptions & options, const std::string & group);

/** The Gaussian that makes the velocity from the force. */
struct SigmaOptions
{
  /** Values of all levels, one or one per axis, or of each level; both empty for the defaults. */
  std::vector<double> ofAxes;
  std::vector<double> perLevel;

  /** \throws UserError unless there is one value, one per axis or one per level. */
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

/** Adds and returns --update-field-standard-deviations and --update-field-standard-deviations-per-level. */
std::array<CLI::Option *, 2>
AddSigma(CLI::App & app, SigmaOptions & options, const std::string & group);

/** Images are uploaded once. Results stay on the device; only requested outputs are downloaded. */
template <unsigned int VDimension>
using DeformableFilter = itk::CudaFluidRegistrationFilter<itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>>;

/** Sets the parameters that all methods have, and reports them.
 * \throws UserError for options that contradict each other */
template <unsigned int VDimension>
void
Configure(const DeformableOptions & options, RegisterJob & job, DeformableFilter<VDimension> & filter);

#endif
