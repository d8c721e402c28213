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

/** The options of MoveSeries. */
struct SeriesOptions
{
  cudaneuro::Interpolation interpolation = cudaneuro::Interpolation::Linear;
  /** The value of voxels outside the volume, in intensity units: a number of the output's type, and an integer for
   * labels. */
  double background = 0.0;
  /** The type to write; empty for that of the input. For an integer type values are rounded and clamped, but it must
   * hold all labels. */
  std::optional<itk::IOComponentEnum> outputType;
  /** The matrix of NIfTI headers to use. */
  NiftiPlace   place = NiftiPlace::Sform;
  MapComputing computing;
};

/** Resamples all volumes of a NIfTI series to the grid of an image in one interpolation, and writes them as one series,
 * with the same bits as cudaneuro-transform apply. Several volumes are read, moved and written at a time, and only
 * these are in memory; but a compressed input is decompressed as a whole. Warns of an output of background alone, and
 * of voxels whose values the type does not hold.
 * \param reference the fixed image, whose grid the volumes get; it may be a series
 * \param map from points of the fixed image to the moving one; null if there is none
 * \param volumeTransforms one for each volume, or none at all. They are applied after the map, and lead to points of
 *        the volume
 * \throws UserError that names the file and the value: for an input that is no series, a reference of 2 axes, an output
 *         that is not NIfTI or that is an input, a background that the type does not hold, another number of transforms
 *         than volumes, a singular transform (all these before voxels are read), a label that the type does not hold,
 *         and files that cannot be read or written; Interrupted; itk::ExceptionObject of the device. No output is
 *         written then */
void
MoveSeries(const std::string &                           input,
           const std::string &                           output,
           const std::string &                           reference,
           const MapType<3> *                            map,
           const std::vector<MapType<3>::ConstPointer> & volumeTransforms = {},
           const SeriesOptions &                         options = {});

} // namespace cudaneuro::files

#endif
