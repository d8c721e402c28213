// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_population_AtlasChannels_h
#define apps_atlas_population_AtlasChannels_h

#include "atlas/population/AtlasOptions.h"
#include "shared/Report.h"

#include <cstddef>

/** Sets the further channels in the parameters of a registration.
 * \throws UserError for other numbers of values than channels, and for values out of range */
void
SetChannels(const AtlasOptions &                options,
            std::size_t                         numberOfFurtherChannels,
            cudaneuro::RegistrationParameters & parameters);

#endif
