// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformableOptions_h
#define apps_register_DeformableOptions_h

#include "itkCudaFluidRegistrationFilter.h"
#include "register/LinearOptions.h"
#include "register/RegisterJob.h"

/** Options of the subcommands that deform. */
struct DeformableOptions
{
  RegisterOptions files;
  /** "rigid", "affine" or "none"; empty for the default. */
  std::string   align;
  LinearOptions alignment;

  FluidOptions fluid;
  bool         matchIntensities = false;
  double       minimumJacobian = 0.02;

  /** The alignment that was chosen: affine, but none where an initial transform or an initial field was given. */
  std::string
  GetAlign() const;
};

/** Adds all options of DeformableOptions. */
void
AddDeformableOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes);

/** Adds --lambda, the weight of the term against bias. */
void
AddLambda(CLI::App & app, double & lambda, const std::string & group);

/** Adds --sigma, of the Gaussian that makes a velocity of the force. */
CLI::Option *
AddSigma(CLI::App & app, std::vector<double> & sigma, const std::string & group);

/** Images are uploaded once. Results stay on the device; only requested outputs are downloaded. */
template <unsigned int VDimension>
using DeformableFilter = itk::CudaFluidRegistrationFilter<itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<float, VDimension>,
                                                          itk::DeviceImage<itk::Vector<float, VDimension>, VDimension>>;

/** Sets the parameters that all methods have, and notes them in the report.
 * \throws ProgramError for options that contradict each other */
template <unsigned int VDimension>
void
Configure(const DeformableOptions & options, RegisterJob & job, DeformableFilter<VDimension> & filter);

#endif
