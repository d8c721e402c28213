// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_ChebyshevSeries_h
#define cudaneuro_labels_levels_ChebyshevSeries_h

#include <functional>
#include <vector>

/** Functions of the symmetric Laplacian L of a band of voxels: f(L) x is a series of Chebyshev polynomials of the mean
 * over neighbors, so that only neighbors are read. */
namespace cudaneuro
{

/** Coefficients of the shortest Chebyshev series of degree 2 or more, on [-1, 1], whose truncation error is below the
 * tolerance. The first one is adjusted slightly to make the series exact at 1, the eigenvalue of constants.
 * \param function smooth on [-1, 1] */
std::vector<float>
ChebyshevCoefficients(const std::function<double(double)> & function, double tolerance);

/** Coefficients of 1 / (1 + strength s^3), where the Laplacian s is spectralRadius / 2 (1 - m), and m the mean over
 * neighbors. For nodes, s is the eigenvalue of the same wave on the voxels.
 * \param spectralRadius of the voxels' Laplacian, or the nodes'
 * \param spacing minimum spacing of the voxels
 * \param levels number of nested splines: 0 for voxels, 1 for nodes, 2 if these are every fourth voxel */
std::vector<float>
PenaltyCoefficients(double strength, double spectralRadius, double spacing, int levels, double tolerance);

/** Coefficients of the inverse of the damping by SplineBand's means and values, to third order, so never above it. */
std::vector<float>
SharpeningCoefficients(double spectralRadius, double spacing, int levels);

/** Coefficients of exp(-sigma^2 s / 2), a Gaussian of standard deviation sigma. */
std::vector<float>
GaussianCoefficients(double sigma, double spectralRadius, double tolerance);

/** Coefficients of the filter that makes SplineBand's means a Gaussian of standard deviation sigma. */
std::vector<float>
SplineGaussianCoefficients(double sigma, double spectralRadius, double spacing, double tolerance);

} // namespace cudaneuro

#endif
