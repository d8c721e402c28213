// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasSettings_h
#define apps_atlas_AtlasSettings_h

#include "atlas/AtlasOptions.h"
#include "cudaneuro/Atlas.h"
#include "itkImageBase.h"
#include "shared/Report.h"

/** From the options of the command line to the parameters of the engine. */

const Choice<cudaneuro::RegistrationMetric> &
AtlasMetrics();
const Choice<cudaneuro::VelocityMethod> &
AtlasSolvers();
const Choice<cudaneuro::AtlasMean> &
AtlasMeans();

/** The shrink factors of all levels, as the registration filters choose them from a grid.
 * \param shrinkFactors where they are given, there are as many levels */
template <unsigned int VDimension>
std::vector<cudaneuro::RegistrationLevel>
LevelsOf(const itk::ImageBase<VDimension> & grid,
         unsigned int                       numberOfLevels,
         const std::vector<unsigned int> &  shrinkFactors);

/** \param grid that of the template, from which the shrink factors of levels follow.
 * \throws ProgramError, itk::ExceptionObject */
template <unsigned int VDimension>
cudaneuro::AtlasParameters
MakeAtlasParameters(const AtlasOptions & options, const itk::ImageBase<VDimension> & grid);

/** Notes all parameters that have an effect. */
void
NoteParameters(Report & report, const AtlasOptions & options, const cudaneuro::AtlasParameters & parameters);

#endif
