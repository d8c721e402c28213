// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationChecks_h
#define cudaneuro_registration_RegistrationChecks_h

#include "cudaneuro/ImageStatistics.h"
#include "cudaneuro/Registration.h"

#include <string>

/** Each throws InvalidParameterError with what was given and what is accepted, or does nothing. */
namespace cudaneuro
{

void
RequireRegistrationParameters(const RegistrationParameters & parameters, const Grid & fixedGrid);

/** Volumes, masks and fields that this context reaches. */
void
RequireRegistrationImages(const Context & context, const RegistrationImages & images);
void
RequireRegistrationOutputs(const Context &             context,
                           const RegistrationImages &  images,
                           const RegistrationOutputs & outputs);

/** Finite everywhere, and a mask that is not empty. \p inMask are the statistics inside the mask. */
void
RequireUsableImage(const std::string & name, const ImageStatistics & whole, const ImageStatistics & inMask);

/** The images share voxels. */
void
RequireOverlap(std::int64_t numberOfSharedVoxels);

/** Not constant where the images overlap. */
void
RequireContrast(const std::string & name, const ImageStatistics & inOverlap);

void
RequireNoFolds(const std::string & name, const JacobianResult & jacobian);

} // namespace cudaneuro

#endif
