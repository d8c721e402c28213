// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_ChannelValues_h
#define apps_shared_registration_ChannelValues_h

#include "cudaneuro/RegistrationTerms.h"
#include "shared/CommandLine.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** The weights of all channels, that of the first one first; 1 each where none is given.
 * \param first what the first channel is called
 * \throws UserError unless there is one a channel, from 0 to 1e6, and one at least is above 0 */
std::vector<double>
WeightsOfChannels(const std::vector<double> & given, std::size_t numberOfFurtherChannels, const std::string & first);

/** Notes metrics and weights of channels in the report under a JSON pointer, where there are several. */
void
NoteChannels(Report &                                          report,
             const std::string &                               where,
             const CLI::App &                                  app,
             double                                            firstWeight,
             const std::vector<cudaneuro::ChannelParameters> & furtherChannels);

#endif
