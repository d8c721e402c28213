// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_MapOutputs_h
#define apps_shared_MapOutputs_h

#include "files/maps/Maps.h"
#include "files/output/OutputFile.h"
#include "files/points/PointFile.h"
#include "itkImageBase.h"
#include "itkTransform.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

/** What is made of a map of space: moved points, and displacements on a grid. */

/** The options for the library of files, with progress bars. */
MapComputing
ComputingOf(const ComputeOptions & options);

/** Moves the points of a mesh on a device. All else of it stays.
 * \throws itk::ExceptionObject for points that the map takes to no place */
template <unsigned int VDimension>
PointData
MovePoints(const itk::Transform<double, VDimension, VDimension> & transform,
           const ComputeOptions &                                 compute,
           const PointData &                                      points)
{
  return MovePoints<VDimension>(transform, points, ComputingOf(compute));
}

/** Computes the displacements of a map on a grid, and writes them to a temporary place, from where Commit moves them.
 * \throws itk::ExceptionObject, UserError that names the file, Interrupted */
template <unsigned int VDimension>
StagedFile
StageField(const OutputFile &                                     file,
           const itk::Transform<double, VDimension, VDimension> & transform,
           const itk::ImageBase<VDimension> *                     grid,
           const ComputeOptions &                                 compute);

#endif
