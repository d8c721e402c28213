// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_MapFile_h
#define files_maps_MapFile_h

#include "files/images/ReadingOptions.h"
#include "files/maps/Maps.h"
#include "files/output/OutputFile.h"
#include "files/transforms/LtaFile.h"

#include <optional>
#include <string>

namespace cudaneuro::files
{

/** Maps of space in files of all formats that cudaneuro-transform converts: transforms of ITK (.h5, .hdf5, .tfm, .txt,
 * .mat), images of displacements, .lta of FreeSurfer, and matrices of FLIRT, greedy and c3d. A map leads from fixed to
 * moving points, whichever way a format has it. */

/** What a file of 16 numbers is. */
enum class MatrixFormat
{
  /** None: the file, or the ending of its name, tells what it is. */
  Auto,
  /** From the moving to the fixed image, in the coordinates of FSL, which belong to the two images. */
  Flirt,
  /** From the fixed to the moving image, between points in RAS, as greedy and c3d have it. */
  Ras
};

/** What the name of a file does not tell of its format. */
struct MapFormat
{
  MatrixFormat matrix = MatrixFormat::Auto;
  /** The two images, which matrices of FLIRT need, and an .lta that is written. */
  std::optional<NamedGrid> fixed;
  std::optional<NamedGrid> moving;
};

/** The number of axes of a map: 2 or 3.
 * \throws UserError that names the file */
unsigned int
AxesOfMap(const std::string & path, const MapFormat & format = {}, const ReadingOptions & reading = {});

/** Reads a map.
 * \param what what it is for, in the message about a map of other axes
 * \throws UserError that names the file, and what in it cannot be right, or the image that is missing; Interrupted */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ReadMapFile(const std::string &    path,
            const MapFormat &      format = {},
            const ReadingOptions & reading = {},
            const std::string &    what = "the images");

/** Whether a map can be written only where both images are known. */
bool
NeedsImages(const std::string & path, const MapFormat & format);

/** Checks that an ending is that of an image, which gets displacements, or of a transform of ITK.
 * \throws UserError */
void
CheckMapEnding(const std::string & path);

/** Checks that a map can be written to a file of that name, as far as that can be told without the map.
 * \throws UserError for an ending that is that of no format, and for an image that is missing or has no 3 axes */
void
CheckMapFormat(const std::string & path, const MapFormat & format = {});

/** What StageMapFile writes of a map, such as "AffineTransform" or "displacement field". */
template <unsigned int VDimension>
std::string
DescribeMapFile(const std::string & path, const MapType<VDimension> & map, const MapFormat & format = {});

/** Writes a map to a temporary place, from where Commit moves it. In formats of ITK a transform keeps its class and its
 * numbers; several linear ones become one where the format holds one.
 * \param given the grid of displacements; without one, that of a map that is one field
 * \param name what messages call the map, as its file
 * \throws UserError that names the file, and what the format does not hold; Interrupted */
template <unsigned int VDimension>
StagedFile
StageMapFile(const OutputFile &          file,
             const MapType<VDimension> & map,
             const MapFormat &           format = {},
             const MapGrid<VDimension> & given = {},
             const MapComputing &        computing = {},
             const std::string &         name = "the transform");

} // namespace cudaneuro::files

#endif
