// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceInterpolation_h
#define ReferenceInterpolation_h

#include "ReferenceFields.h"

/** Interpolation by many voxels in double precision, written from its definitions. */
namespace reference
{

/** Coefficients of the cubic B-spline that passes through the voxels of a mirrored image, by solving the linear
 * equations of each line. */
std::vector<double>
SplineCoefficients(const cudaneuro::Grid & grid, const std::vector<double> & values);

/** The cubic B-spline at an index on the grid. */
double
SplineAt(const cudaneuro::Grid & grid, const std::vector<double> & coefficients, const Point & index);

/** The sinc in the window of Lanczos at an index on the grid, divided by the sum of its weights. */
double
WindowedSincAt(const cudaneuro::Grid & grid, const std::vector<double> & values, const Point & index);

/** The weight of each of two labels or more at an index on the grid, by linear interpolation of the voxels in the mask,
 * with the label; the largest first, and of equal ones the smallest label. */
std::vector<std::pair<double, double>>
LabelWeights(const cudaneuro::Grid &            grid,
             const std::vector<double> &        labels,
             const std::vector<unsigned char> & mask,
             const Point &                      index);

/** Values with those that are not finite replaced by the next finite one before them in their row, or else after. */
std::vector<double>
FilledRows(const cudaneuro::Grid & grid, std::vector<double> values);

} // namespace reference

#endif
