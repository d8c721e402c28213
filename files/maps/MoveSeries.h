// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_MoveSeries_h
#define files_maps_MoveSeries_h

#include "cudaneuro/DisplacementField.h"
#include "files/images/ReadingOptions.h"
#include "files/maps/Maps.h"
#include "itkCommonEnums.h"

#include <optional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** How MoveSeries moves volumes. */
struct SeriesOptions
{
  cudaneuro::Interpolation interpolation = cudaneuro::Interpolation::Linear;
  /** What voxels get that are taken to no place on the volume, in intensity units: a number of the type that is
   * written, and a whole one for labels. */
  double background = 0.0;
  /** The type to write; without one that of the input. Whole numbers are rounded, and become the nearest that the type
   * has, but for labels, of which it must have all. */
  std::optional<itk::IOComponentEnum> outputType;
  /** Which matrix of the headers counts. */
  NiftiPlace   place = NiftiPlace::Sform;
  MapComputing computing;
};

/** Brings all volumes of a NIfTI series to the grid of an image with one interpolation, and writes them as one series,
 * with the bits that cudaneuro-transform apply writes. Several volumes are read, moved and written at a time, and only
 * these are in memory, but for a compressed input, which is decompressed as a whole. Where all is background, that is a
 * warning, and so are voxels whose values the type does not hold.
 * \param reference the fixed image, whose grid the volumes get; of a series the grid of its volumes
 * \param map from points of the fixed image to the moving one; null where there is none
 * \param volumeTransforms one for each volume, or none at all. They are applied after the map: from points of the fixed
 *        image, or where the map leads, to points of the volume
 * \throws UserError that names the file and the value: for an input that is no series, a reference of 2 axes, an output
 *         that is not NIfTI or that is an input, a background that the type has not, another number of transforms than
 *         of volumes, a singular transform (all these before voxels are read), a label that the type has not, and files
 *         that cannot be read or written; Interrupted; itk::ExceptionObject of the device. No output is written then */
void
MoveSeries(const std::string &                           input,
           const std::string &                           output,
           const std::string &                           reference,
           const MapType<3> *                            map,
           const std::vector<MapType<3>::ConstPointer> & volumeTransforms = {},
           const SeriesOptions &                         options = {});

} // namespace cudaneuro::files

#endif
