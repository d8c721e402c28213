// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_LtaFile_h
#define files_transforms_LtaFile_h

#include "files/images/ImageDescription.h"
#include "files/transforms/SpaceMatrix.h"

#include <string>

namespace cudaneuro::files
{

/** Linear transforms of FreeSurfer (.lta): text with a matrix from the source to the target image, and the grids of
 * both. Matrices between points in RAS (type 1) and between voxels (type 0) can be read. */

/** Reads the map from target to source points in LPS, which is the inverse of the file's.
 * \throws UserError that names the file, and what in it cannot be right */
SpaceMatrix
ReadLta(const std::string & path);

/** An image that a file of a transform tells of. */
struct NamedGrid
{
  std::string      path;
  ImageDescription image;
};

/** Writes the map from target (fixed) to source (moving) points in LPS as a matrix between points in RAS. */
void
WriteLta(const std::string & path, const SpaceMatrix & map, const NamedGrid & source, const NamedGrid & target);

} // namespace cudaneuro::files

#endif
