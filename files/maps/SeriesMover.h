// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_SeriesMover_h
#define files_maps_SeriesMover_h

#include "files/images/ImageWriter.h"
#include "files/images/OpenedImage.h"
#include "files/maps/ImageMover.h"

#include <functional>

namespace cudaneuro::files
{

/** Brings the volumes of series to a grid: values, or labels where the interpolation is that of labels. */
struct SeriesMovement
{
  const OpenedImage &       series;
  const itk::ImageBase<3> & grid;
  /** Applied to points first. */
  const SpaceMap<3> & map;
  /** Gives the transform of a volume, which comes after the map; empty where there is none. Several threads call it. */
  std::function<SpaceMap<3>::Pointer(std::size_t volume)> transformOf;
  /** How each volume moves. */
  ImageMovement ofVolume;
};

struct MovedSeries
{
  StagedFile file;
  bool       isAllBackground;
};

/** Moves all volumes, and writes them in the type of the output, to a temporary place. Volumes are small: several are
 * read, moved and written at a time. A volume gets the bits that it gets alone, whatever the number of threads.
 * \param output without pixels
 * \throws UserError that names the file, or a label that the type of the output has not; Interrupted,
 * itk::ExceptionObject */
MovedSeries
StageMovedSeries(const OutputFile & file, const ImageToWrite & output, const SeriesMovement & movement);

} // namespace cudaneuro::files

#endif
