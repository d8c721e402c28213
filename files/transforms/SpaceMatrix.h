// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_SpaceMatrix_h
#define files_transforms_SpaceMatrix_h

#include "files/images/ImageDescription.h"
#include <vnl/vnl_matrix_fixed.h>

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Linear maps of three dimensions as matrices of 4 x 4 numbers whose last row is 0 0 0 1, and files that are just
 * that. */
using SpaceMatrix = vnl_matrix_fixed<double, 4, 4>;

/** The same map between points in RAS, of one between points in LPS; or back. */
SpaceMatrix
Flipped(const SpaceMatrix & map);

/** A determinant, and whether it is 0 but for rounding. */
struct Determinant
{
  double value;
  bool   isSingular;
};

Determinant
DeterminantOf(const vnl_matrix_fixed<double, 3, 3> & matrix);

/** \throws UserError that names the file when the matrix of it is singular, with the determinant */
SpaceMatrix
InverseOf(const std::string & path, const SpaceMatrix & map);

/** From indices of voxels to points in LPS. */
SpaceMatrix
IndexToPoint(const ImageDescription & image);

/** From the coordinates of FSL to points in LPS: mm from the center of the first voxel along the axes of the image,
 * the first of which is turned around where the axes are right-handed. */
SpaceMatrix
FslToPoint(const ImageDescription & image);

/** The matrix of 16 numbers of a file, by rows.
 * \throws UserError that names the file when they are not 16, or the last row is not 0 0 0 1 */
SpaceMatrix
MatrixOf(const std::string & path, const std::vector<double> & numbers);

/** Reads 16 numbers, four a line.
 * \throws UserError that names the file, and what in it cannot be right */
SpaceMatrix
ReadMatrixFile(const std::string & path);

/** Writes them with as many digits as a double has. */
void
WriteMatrixFile(const std::string & path, const SpaceMatrix & matrix);

} // namespace cudaneuro::files

#endif
