// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformableTerms_h
#define apps_register_DeformableTerms_h

#include "register/DeformableOptions.h"

/** Channels, points and labels of the subcommands that deform. */

/** Adds the options of channels, points and labels, and of what stands for images where there are none. */
void
AddTermOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes);

/** The options of terms that this run does not have, which its report leaves out. */
std::vector<std::string>
UnusedOptions(const RegisterOptions & files);

/** Gives the parameters the channels of a run. */
void
SetChannels(const DeformableOptions & options, cudaneuro::RegistrationParameters & parameters);

/** Notes how channels, points and labels are compared. */
void
NoteTerms(const DeformableOptions & options, const cudaneuro::RegistrationParameters & parameters, Report & report);

#endif
