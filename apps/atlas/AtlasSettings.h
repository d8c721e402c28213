// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasSettings_h
#define apps_atlas_AtlasSettings_h

#include "atlas/AtlasOptions.h"
#include "cudaneuro/Atlas.h"
#include "itkImageBase.h"
#include "shared/Report.h"

/** From the options of the command line to the parameters of the engine. */

/** \param grid that of the template, from which the shrink factors of levels follow.
 * \throws UserError, itk::ExceptionObject */
template <unsigned int VDimension>
cudaneuro::AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid);

/** Notes all parameters that have an effect. */
void
NoteParameters(Report & report, const AtlasOptions & options, const cudaneuro::AtlasParameters & parameters);

#endif
