// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_ChebyshevSeries_h
#define cudaneuro_labels_levels_ChebyshevSeries_h

#include <functional>
#include <vector>

/** Functions of the Laplacian of a band of voxels, which is symmetric: f(L) x is a sum of Chebyshev's polynomials of
 * the mean over neighbors, so that it needs nothing but neighbors. */
namespace cudaneuro
{

/** The coefficients of the shortest Chebyshev series of degree 2 or more, on [-1, 1], whose rest is below the tolerance;
 * the first is changed by so little that the series is exact at 1, which is what constants have.
 * \param function smooth on [-1, 1] */
std::vector<float>
ChebyshevCoefficients(const std::function<double(double)> & function, double tolerance);

/** Of 1 / (1 + strength s^3), where the Laplacian s is spectralRadius / 2 (1 - m), and m the mean over neighbors. For
 * nodes, s is the eigenvalue that the same wave has on the voxels.
 * \param spectralRadius of the voxels' Laplacian, or the nodes'
 * \param spacing the least of the voxels
 * \param levels of splines one on the other: 0 for voxels, 1 for nodes, 2 where these are every fourth voxel */
std::vector<float>
PenaltyCoefficients(double strength, double spectralRadius, double spacing, int levels, double tolerance);

/** Of what SplineBand's means and its values take from a wave, inverted: to third order, so that it is never more. */
std::vector<float>
SharpeningCoefficients(double spectralRadius, double spacing, int levels);

/** Of exp(-sigma^2 s / 2), which is a Gaussian of deviation sigma. */
std::vector<float>
GaussianCoefficients(double sigma, double spectralRadius, double tolerance);

/** The same after SplineBand's means: the two together are the Gaussian. */
std::vector<float>
SplineGaussianCoefficients(double sigma, double spectralRadius, double spacing, double tolerance);

} // namespace cudaneuro

#endif
