// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_LinearOptions_h
#define apps_register_inputs_LinearOptions_h

#include "itkCudaLinearRegistrationFilter.h"
#include "register/inputs/ChannelOptions.h"
#include "register/inputs/RegisterOptions.h"
#include "register/inputs/RegisterReport.h"
#include "shared/registration/RegistrationOptions.h"

/** Options of linear registration. */
struct LinearOptions
{
  /** The parameters without levels, quantiles and start. */
  cudaneuro::LinearRegistrationParameters parameters;
  std::vector<double>                     quantiles{ 0.0, 1.0 };
  LevelOptions                            levels;
  ChannelOptions                          channels;
  /** Empty for the default. */
  std::string start;
  bool        isSuccessRequired = false;
  /** The command whose options have all parameters. */
  const CLI::App * command = nullptr;
};

using cudaneuro::LinearTransformType;

/** Adds the options of the metric and the levels. */
void
AddLinearMethodOptions(CLI::App & app, LinearOptions & options, OptionModes & modes);

/** Adds the options of channels. */
void
AddLinearChannels(CLI::App & app, LinearOptions & options, const RegisterOptions & files, OptionModes & modes);

/** Adds --start, --search-angle, --search-distance and --require-success.
 * \param addMode registers an option's mode, if it has any */
void
AddStartOptions(CLI::App &                                 app,
                LinearOptions &                            options,
                LinearTransformType                        type,
                const char *                               group,
                const std::function<void(CLI::Option *)> & addMode = {});

template <unsigned int VDimension>
using LinearFilter =
  itk::CudaLinearRegistrationFilter<itk::DeviceImage<float, VDimension>, itk::DeviceImage<float, VDimension>>;

/** Makes a filter with the options, and reports them under a JSON pointer.
 * \param files of the pair
 * \throws UserError for options that contradict each other */
template <unsigned int VDimension>
typename LinearFilter<VDimension>::Pointer
MakeLinearFilter(const LinearOptions &   options,
                 LinearTransformType     type,
                 const RegisterOptions & files,
                 RegisterReport &        report,
                 const std::string &     where);

#endif
