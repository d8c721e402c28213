// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_ChannelOptions_h
#define apps_register_inputs_ChannelOptions_h

#include "cudaneuro/RegistrationTerms.h"
#include "register/inputs/RegisterOptions.h"
#include "shared/Report.h"

#include <string>
#include <utility>
#include <vector>

/** Options of the channels after the first one, in the order of the channels. Each has one value for all, or one per
 * channel, or none if that of the first channel holds for all. */
struct ChannelOptions
{
  /** Fixed and moving image of each channel. */
  std::vector<std::pair<std::string, std::string>> images;
  /** The word none stands for no file. */
  std::vector<std::string> fixedMasks;
  std::vector<std::string> movingMasks;
  std::vector<std::string> fixedTransforms;
  std::vector<std::string> movingTransforms;

  /** The weights of all channels, including the first one; empty for 1 each. */
  std::vector<double>      weights;
  std::vector<std::string> metrics;
  std::vector<int>         correlationRadii;
  std::vector<int>         numbersOfHistogramBins;
};

/** Adds --channel and the options of channels.
 * \param metrics that the command has */
void
AddChannelOptions(CLI::App &                                         app,
                  ChannelOptions &                                   options,
                  const RegisterOptions &                            files,
                  const std::vector<cudaneuro::RegistrationMetric> & metrics,
                  OptionModes &                                      modes);

/** Returns the files of the channels of a command line.
 * \throws UserError for too many channels, and for other numbers of files than channels */
std::vector<ChannelFiles>
ChannelsOf(const ChannelOptions & options);

/** Returns the weights of all channels, including the first one.
 * \throws UserError unless there is one per channel, and at least one is above 0 */
std::vector<double>
ChannelWeights(const ChannelOptions & options, std::size_t numberOfFurtherChannels);

/** Returns the parameters of the channels after the first one.
 * \param first the first channel's, the default of options
 * \throws UserError for other numbers of values than channels */
std::vector<cudaneuro::ChannelParameters>
FurtherChannels(const ChannelOptions &               options,
                std::size_t                          numberOfFurtherChannels,
                const cudaneuro::ChannelParameters & first);

#endif
