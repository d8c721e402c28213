// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_SeriesMover_h
#define files_maps_SeriesMover_h

#include "files/images/ImageWriter.h"
#include "files/images/OpenedImage.h"
#include "files/maps/ImageMover.h"
#include "files/maps/Maps.h"

#include <cstdint>
#include <functional>

namespace cudaneuro::files
{

/** How the volumes of a series are resampled to a grid: as values, or as labels if the interpolation is Label. */
struct SeriesMovement
{
  const OpenedImage & series;
  /** The image whose grid the series gets. */
  const OpenedImage & reference;
  /** The map that is applied to points first. */
  const SpaceMap<3> & map;
  /** Returns the transform of a volume, which is applied after the map; empty if there is none. Several threads call
   * it. */
  std::function<MapType<3>::ConstPointer(std::size_t volume)> transformOf;
  /** How each volume moves. */
  ImageMovement ofVolume;
  /** The type of the numbers to write. */
  itk::IOComponentEnum outputType = itk::IOComponentEnum::FLOAT;
};

/** A moved series in its temporary place. */
struct MovedSeries
{
  StagedFile file;
  /** The number of voxels of all volumes whose values the output's type does not hold. */
  std::uint64_t limitedVoxels = 0;
};

/** Moves all volumes, and writes them to a temporary place, with the header's times. Several volumes, which are small,
 * are read, moved and written at a time. A volume gets the same bits as alone, with any number of
 * threads. Warns of background alone, and of voxels whose values the output's type does not hold.
 * \throws UserError that names the file, or a label that the output's type does not hold; Interrupted,
 * itk::ExceptionObject */
MovedSeries
StageMovedSeries(const OutputFile & file, const SeriesMovement & movement);

} // namespace cudaneuro::files

#endif
