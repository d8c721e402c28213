// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_ChannelValues_h
#define apps_shared_registration_ChannelValues_h

#include "cudaneuro/RegistrationTerms.h"
#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Returns the weights of all channels, the first one first; 1 each if none are given.
 * \param first the name of the first channel
 * \throws UserError unless there is one per channel, from 0 to 1e6, and at least one is above 0 */
std::vector<double>
WeightsOfChannels(const std::vector<double> & given, std::size_t numberOfFurtherChannels, const std::string & first);

/** Reports metrics and weights of channels under a JSON pointer, if there are several channels. */
void
NoteChannels(Report &                                          report,
             const std::string &                               where,
             const CLI::App &                                  app,
             double                                            firstWeight,
             const std::vector<cudaneuro::ChannelParameters> & furtherChannels);

#endif
