// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_SeriesMover_h
#define apps_transform_SeriesMover_h

#include "files/images/OpenedImage.h"
#include "transform/ImageMover.h"

#include <functional>

/** Brings the volumes of series to a grid. */

/** Is given the values of each volume, in their order. */
using TakeVolume = std::function<void(const std::vector<double> & values)>;

/** Moves all volumes by the same map, whose places are found once.
 * \throws UserError that names the file, Interrupted, itk::ExceptionObject */
void
MoveSeries(const OpenedImage &       series,
           const SpaceMap<3> &       map,
           const itk::ImageBase<3> & grid,
           ImageMovement             movement,
           const TakeVolume &        take);

/** The same by the map and then a transform of each volume. Volumes are small: several are moved at a time.
 * \param readTransform reads that of a volume; called by several threads */
void
MoveSeriesByTransforms(const OpenedImage &                                             series,
                       const SpaceMap<3> &                                             map,
                       const std::function<SpaceMap<3>::Pointer(std::size_t volume)> & readTransform,
                       const itk::ImageBase<3> &                                       grid,
                       ImageMovement                                                   movement,
                       const TakeVolume &                                              take);

#endif
