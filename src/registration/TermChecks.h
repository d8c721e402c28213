// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_TermChecks_h
#define cudaneuro_registration_TermChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Registration.h"

namespace cudaneuro
{

/** Requires something to register by: images, points or labels, with a weight. Requires of channels after the first one
 * images in memory that the context can reach, as many as there are parameters, and of points what PointPairs says.
 * \throws InvalidParameterError that names the channel or the point, the value and the limit */
void
RequireTerms(const Context & context, const RegistrationParameters & parameters, const RegistrationImages & images);

} // namespace cudaneuro

#endif
