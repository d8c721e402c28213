// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_MapOutputs_h
#define apps_shared_registration_MapOutputs_h

#include "files/maps/Maps.h"
#include "files/output/OutputFile.h"
#include "itkImageBase.h"
#include "itkTransform.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"

/** Functions of maps for programs, with progress bars, and the displacements that programs write. */

/** Returns the options for the library of files, with progress bars. */
MapComputing
ComputingOf(const ComputeOptions & options);

/** Computes the displacements of a map on a grid, and writes them to a temporary place, from which Commit moves them.
 * \throws itk::ExceptionObject, UserError that names the file, Interrupted */
template <unsigned int VDimension>
StagedFile
StageField(const OutputFile &                                     file,
           const itk::Transform<double, VDimension, VDimension> & transform,
           const itk::ImageBase<VDimension> *                     grid,
           const ComputeOptions &                                 compute);

#endif
