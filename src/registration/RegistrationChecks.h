// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationChecks_h
#define cudaneuro_registration_RegistrationChecks_h

#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/Registration.h"

#include <string>

/** Checks of the arguments of a registration. Each throws InvalidParameterError with the given value and its limit. */
namespace cudaneuro
{

/** Requires a field that is absent, or of 3 components (2 on a 2D grid) in memory that the context can reach. */
void
RequireField(const std::string & name, const Context & context, const Grid & grid, const ConstField & field);

/** Requires volumes, masks and fields in memory that the context can reach. */
void
RequireRegistrationImages(const Context &                context,
                          const RegistrationParameters & parameters,
                          const RegistrationImages &     images);
void
RequireRegistrationOutputs(const Context &             context,
                           const RegistrationImages &  images,
                           const RegistrationOutputs & outputs);

/** Requires voxels at which both images have a value.
 * \param suffix of the images' names, which names the channel; empty for the first one */
void
RequireOverlap(const std::string & suffix, std::int64_t numberOfSharedVoxels);

/** Requires an image that is not constant where the images overlap. */
void
RequireContrast(const std::string & name, const ImageStatistics & inOverlap);

void
RequireNoFolds(const std::string & name, const JacobianResult & jacobian);

/** Requires that the map, which does not fold, keeps the registration's bound of the Jacobian determinant. */
void
RequireBound(const std::string & name, const JacobianResult & jacobian, double minimumJacobian);

} // namespace cudaneuro

#endif
