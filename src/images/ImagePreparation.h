// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparation_h
#define cudaneuro_images_ImagePreparation_h

#include "core/SoAField.h"

#include <vector>

/** What is done voxel by voxel to images before their registration, in memory of the context's device; on a GPU only
 * enqueued. "No value" is NaN. */
namespace cudaneuro
{

/** A piecewise linear map of intensities: from[k] becomes to[k]; beyond the ends as in the outermost piece. */
struct IntensityMap
{
  /** Increasing; two or more. */
  std::vector<float> from;
  std::vector<float> to;
};

/** image becomes map(image) where it has a value and \p mask (may be null) is not 0, and no value elsewhere. */
void
MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image);

/** mask = 1 where both images have a value, else 0. */
void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask);

/** weight = 1 where the image has a value, else 0; and image becomes 0 there. */
void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight);

/** The reverse, of weights that have been smoothed: image / weight, or no value where the weight is below one half. */
void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float * image);

void
FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume);

/** Counts of the intensities inside \p mask, in equal bins over [minimum, maximum]. Waits for the result. */
std::vector<std::int64_t>
Histogram(Context &             context,
          std::int64_t          numberOfVoxels,
          const float *         image,
          const unsigned char * mask,
          double                minimum,
          double                maximum,
          int                   bins);

/** The intensities below which 0, 1/64, 2/64, ... 1 of the voxels of a histogram lie. */
std::vector<double>
Quantiles(const std::vector<std::int64_t> & histogram, double minimum, double maximum);

/** The map from quantiles to quantiles; quantiles that do not increase are left out. */
IntensityMap
MonotoneMap(const std::vector<double> & from, const std::vector<double> & to);

} // namespace cudaneuro

#endif
