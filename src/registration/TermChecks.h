// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_TermChecks_h
#define cudaneuro_registration_TermChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Registration.h"

namespace cudaneuro
{

/** Requires images, points or labels with a weight. Channels after the first one must have images in memory that the
 * context can reach, and as many parameters; points must satisfy PointPairs.
 * \throws InvalidParameterError that names the channel or the point, the value and the limit */
void
RequireTerms(const Context & context, const RegistrationParameters & parameters, const RegistrationImages & images);

} // namespace cudaneuro

#endif
