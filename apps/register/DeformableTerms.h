// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_DeformableTerms_h
#define apps_register_DeformableTerms_h

#include "register/DeformableOptions.h"

/** Channels, points and labels of the subcommands that deform. */

/** Adds the options of channels, points and labels, and of grids for runs without images. */
void
AddTermOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes);

/** Returns the options of terms that a run does not have, for its report to leave out. */
std::vector<std::string>
UnusedOptions(const RegisterOptions & files);

/** Sets the channels of a run in the parameters. */
void
SetChannels(const DeformableOptions & options, cudaneuro::RegistrationParameters & parameters);

/** Reports how channels, points and labels are compared. */
void
NoteTerms(const DeformableOptions & options, const cudaneuro::RegistrationParameters & parameters, Report & report);

#endif
