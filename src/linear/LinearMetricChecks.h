// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearMetricChecks_h
#define cudaneuro_linear_LinearMetricChecks_h

#include "core/PlaneFrames.h"
#include "cudaneuro/LinearMetric.h"
#include "images/ValidImage.h"

#include <optional>
#include <string>

/** Checks of the arguments of linear metrics. Each throws InvalidParameterError with the given value and its limit. */
namespace cudaneuro
{

void
RequireLinearMetricParameters(const LinearMetricParameters & parameters);

/** Requires grids of one dimension, invertible directions, and volumes and masks in memory that the context can
 * reach. */
void
RequireLinearMetricImages(const Context & context, const LinearMetricImages & images);

/** Whether a metric can weight voxels. */
inline bool
TakesWeights(RegistrationMetric metric)
{
  return metric != RegistrationMetric::MeanSquares;
}

/** Requires a metric that takes weights, if there are any. */
void
RequireUsableWeights(RegistrationMetric metric, const LinearMetricImages & images);

/** Requires that there are no channels after the first one. */
void
RequireOnePair(const LinearMetricImages & images);

/** Requires an image that is not constant at its valid voxels. */
void
RequireContrast(const std::string & name, const ValidImage & valid);

/** Requires quantiles, given as fractions and as intensities of an image, between which the image is not constant. */
void
RequireContrastOfQuantiles(const std::string &           name,
                           const std::array<double, 2> & fractions,
                           const std::array<double, 2> & intensities);

/** The frames of the planes of two slices; none for other images. */
std::optional<PlaneFrames>
PlanesOf(const LinearMetricImages & images);

/** Requires a finite map. Between slices, it must take the plane of the fixed one onto that of the moving one, to a
 * thousandth of a voxel at the corners. */
void
RequireMap(const AffineMap & map, const std::optional<PlaneFrames> & planes);

} // namespace cudaneuro

#endif
