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

/** Brings the volumes of series to a grid: values, or labels where the interpolation is that of labels. */
struct SeriesMovement
{
  const OpenedImage & series;
  /** The image whose grid the series gets. */
  const OpenedImage & reference;
  /** Applied to points first. */
  const SpaceMap<3> & map;
  /** Gives the transform of a volume, which comes after the map; empty where there is none. Several threads call it. */
  std::function<MapType<3>::ConstPointer(std::size_t volume)> transformOf;
  /** How each volume moves. */
  ImageMovement ofVolume;
  /** The type of the numbers that are written. */
  itk::IOComponentEnum outputType = itk::IOComponentEnum::FLOAT;
};

/** A series that was moved, in its temporary place. */
struct MovedSeries
{
  StagedFile file;
  /** Voxels of all volumes whose values the type of the output does not hold. */
  std::uint64_t limitedVoxels = 0;
};

/** Moves all volumes, and writes them, with what the header says of time, to a temporary place. Volumes are small:
 * several are read, moved and written at a time. A volume gets the bits that it gets alone, whatever the number of
 * threads. Warns where all is background, and of voxels whose values the type of the output does not hold.
 * \throws UserError that names the file, or a label that the type of the output has not; Interrupted,
 * itk::ExceptionObject */
MovedSeries
StageMovedSeries(const OutputFile & file, const SeriesMovement & movement);

} // namespace cudaneuro::files

#endif
