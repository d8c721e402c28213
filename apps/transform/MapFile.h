// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_MapFile_h
#define apps_transform_MapFile_h

#include "files/images/OpenedImage.h"
#include "files/output/OutputFile.h"
#include "itkImageBase.h"
#include "shared/ComputeOptions.h"
#include "shared/Files.h"
#include "transform/MapSteps.h"

#include <optional>
#include <string>

/** What is known of maps, and writing them. */

template <unsigned int VDimension>
bool
IsLinear(const itk::Transform<double, VDimension, VDimension> & map);

/** A linear map as one affine transform, without the rounding that asking for points would bring.
 * \return null where the map is not linear */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
AsAffine(const itk::Transform<double, VDimension, VDimension> & map);

/** The grid of a map that is one displacement field; null for others. */
template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::ConstPointer
GridOfField(const itk::Transform<double, VDimension, VDimension> & map);

/** The one transform of a composite, or a composite of all its parts without composites in it, which files do not
 * hold. */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::ConstPointer
WithoutComposite(const itk::Transform<double, VDimension, VDimension> & map);

/** A grid, and what its file says of its place. */
template <unsigned int VDimension>
struct MapGrid
{
  typename itk::ImageBase<VDimension>::ConstPointer grid;
  itk::MetaDataDictionary                           metadata;
};

/** The grid of an image that the user names, or else that of the map's one field.
 * \param name of the image; empty where the user names none
 * \throws UserError where there is neither, which asks for \p name */
template <unsigned int VDimension>
MapGrid<VDimension>
GridFor(const itk::Transform<double, VDimension, VDimension> & map, const std::string & name, OpenedImages & opened);

/** Writes the displacements of a map on a grid, as an image or a transform by the ending of the name. */
template <unsigned int VDimension>
StagedFile
StageMapAsField(const OutputFile &                                     file,
                const itk::Transform<double, VDimension, VDimension> & map,
                const MapGrid<VDimension> &                            grid,
                const ComputeOptions &                                 compute);

#endif
