// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceLabelLevels_h
#define ReferenceLabelLevels_h

#include "labels/LabelGrid.h"

#include <vector>

/** Level sets of labels in double precision, with dense matrices: for bands of some hundred voxels. */
namespace reference
{

/** A symmetric matrix by rows. */
using Matrix = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

/** The Laplacian of a band, from the places of its voxels. */
Matrix
LaplacianOf(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band);

/** The distances of a version's labels after a Gaussian. Beyond the box is background. */
Numbers
Pilot(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, double sigma, int version);

/** The level sets of a version, with as many rounds and steps as a fit has; each step solves a system of equations.
 * \param votes of the voxels */
Numbers
Fitted(const cudaneuro::LabelBand & band,
       const Matrix &               laplacian,
       const cudaneuro::LabelFit &  fit,
       int                          version,
       const Numbers &              pilot,
       const Numbers &              votes);

/** The heat that is at each voxel at the time sigma^2 / 2, by many small steps. */
Numbers
Diffused(const Matrix & laplacian, const Numbers & values, double sigma);

/** level / max(|gradient|, 0.3), where a neighbor that is missing is the voxel itself. */
Numbers
Distances(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, const Numbers & levels);

/** -log(0.002 + 0.996 / (1 + exp(-distance / width))). */
double
Loss(double distance, double width);

} // namespace reference

#endif
