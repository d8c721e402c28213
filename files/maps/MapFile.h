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

/** Reads and writes maps of space in all formats that cudaneuro-transform converts: transforms of ITK (.h5, .hdf5,
 * .tfm, .txt, .mat), images of displacements, .lta of FreeSurfer, and matrices of FLIRT, greedy and c3d. A map always
 * leads from fixed to moving points, for any format. */

/** The meaning of a file of 16 numbers. */
enum class MatrixFormat
{
  /** No matrix: the file, or the ending of its name, determines the format. */
  Auto,
  /** From the moving to the fixed image, in the coordinates of FSL, which belong to the two images. */
  Flirt,
  /** From the fixed to the moving image, between points in RAS, as in greedy and c3d. */
  Ras
};

/** Details of a format that the name of a file does not show. */
struct MapFormat
{
  MatrixFormat matrix = MatrixFormat::Auto;
  /** The two images. FLIRT's matrices need them, and writing an .lta. */
  std::optional<NamedGrid> fixed;
  std::optional<NamedGrid> moving;
};

/** Returns the number of axes of a map: 2 or 3.
 * \throws UserError that names the file */
unsigned int
AxesOfMap(const std::string & path, const MapFormat & format = {}, const ReadingOptions & reading = {});

/** Reads a map.
 * \param what the purpose, in the message about a map of other axes
 * \throws UserError that names the file and its error, or the missing image; Interrupted */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ReadMapFile(const std::string &    path,
            const MapFormat &      format = {},
            const ReadingOptions & reading = {},
            const std::string &    what = "the images");

/** Returns whether writing a map needs both images. */
bool
NeedsImages(const std::string & path, const MapFormat & format);

/** Checks that an ending belongs to an image, for displacements, or to a transform of ITK.
 * \throws UserError */
void
CheckMapEnding(const std::string & path);

/** Checks that a map can be written to a file of a name, as far as possible without the map.
 * \throws UserError for an unknown ending, and for an image that is missing or does not have 3 axes */
void
CheckMapFormat(const std::string & path, const MapFormat & format = {});

/** Returns the kind of map that StageMapFile writes, such as "AffineTransform" or "displacement field". */
template <unsigned int VDimension>
std::string
DescribeMapFile(const std::string & path, const MapType<VDimension> & map, const MapFormat & format = {});

/** Writes a map to a temporary place, from which Commit moves it. In formats of ITK a transform keeps its class and its
 * numbers; several linear ones become one if the format holds only one.
 * \param given the grid of displacements; by default that of a map that is one field
 * \param name of the map in messages, such as its file
 * \throws UserError that names the file, and what the format cannot hold; Interrupted */
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
