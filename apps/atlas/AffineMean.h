// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AffineMean_h
#define apps_atlas_AffineMean_h

#include "cudaneuro/Geometry.h"

#include <vector>

/** The mean size and shape of a population, told by linear maps.
 *
 * The map of image k goes from points of the template to points of the image: T_k(c + x) = T_k(c) + A_k x, with c any
 * center. In the polar decomposition A_k = R_k U_k the rotation R_k is the image's pose, and the stretch U_k = (A_k^T
 * A_k)^(1/2), which is symmetric and positive, tells how much larger the image is than the template along each
 * direction of the template. The template has the mean size and shape of the population where, with weights w_k of sum
 * 1,
 *
 *   mean_k log U_k = sum_k w_k 1/2 log(A_k^T A_k) = 0,
 *
 * the log-Euclidean mean (Arsigny et al. 2006): of the factors 1/2 and 2 it is 1. Poses have no part in it. */

/** The mean logarithm of the stretches, by rows. Its eigenvalues are the logarithms of the factors by which the
 * images are larger than the template, along its eigenvectors. */
std::array<double, 9>
MeanLogarithmOfStretches(const std::vector<cudaneuro::AffineMap> & maps, const std::vector<double> & weights);

/** Gives the template the mean size and shape: follows one and the same map Q of the template by each map, so that
 *
 *   T_k <- T_k o Q,  Q(c + x) = c + S^-1 x,  S = exp(mean_k log U_k).
 *
 * S is symmetric, so Q turns nothing: the template keeps its pose, and the point c its place. Where the directions of
 * the stretches differ, the mean that is left is not 0 but small, and the step is repeated until it is 0 to the last
 * digits.
 * \param weights not negative, with a positive sum */
void
TakeOutMeanStretch(std::vector<cudaneuro::AffineMap> & maps,
                   const std::vector<double> &         weights,
                   const std::array<double, 3> &       center);

/** The center of a grid, in mm. */
std::array<double, 3>
CenterOf(const cudaneuro::Geometry & geometry);

#endif
