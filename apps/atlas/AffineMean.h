// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AffineMean_h
#define apps_atlas_AffineMean_h

#include "cudaneuro/Geometry.h"

#include <vector>

/** The mean size and shape of a population, computed from linear maps.
 *
 * The map of image k goes from points of the template to points of the image: T_k(c + x) = T_k(c) + A_k x, with c any
 * center. In the polar decomposition A_k = R_k U_k the rotation R_k is the image's pose, and the stretch U_k = (A_k^T
 * A_k)^(1/2), which is symmetric and positive, is the factor by which the image is larger than the template along each
 * direction of the template. The template has the mean size and shape of the population if, with weights w_k of sum
 * 1,
 *
 *   mean_k log U_k = sum_k w_k 1/2 log(A_k^T A_k) = 0,
 *
 * the log-Euclidean mean (Arsigny et al. 2006): the mean of the factors 1/2 and 2 is 1. Poses do not count. */

/** Returns the mean logarithm of the stretches, by rows. Its eigenvalues are the logarithms of the factors by which the
 * images are larger than the template, along its eigenvectors. */
std::array<double, 9>
MeanLogarithmOfStretches(const std::vector<cudaneuro::AffineMap> & maps, const std::vector<double> & weights);

/** Gives the template the mean size and shape, by composing each map with the same map Q of the template:
 *
 *   T_k <- T_k o Q,  Q(c + x) = c + S^-1 x,  S = exp(mean_k log U_k).
 *
 * S is symmetric, so Q does not rotate: the template keeps its pose, and the point c its position. If the directions of
 * the stretches differ, the remaining mean is small but not 0, and the step is repeated until it is 0 up to rounding.
 * \param weights not negative, with a positive sum */
void
TakeOutMeanStretch(std::vector<cudaneuro::AffineMap> & maps,
                   const std::vector<double> &         weights,
                   const std::array<double, 3> &       center);

/** Returns the center of a grid, in mm. */
std::array<double, 3>
CenterOf(const cudaneuro::Geometry & geometry);

#endif
