// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearMetricImages_h
#define cudaneuro_linear_LinearMetricImages_h

#include "cudaneuro/LinearMetric.h"
#include "metrics/MetricEvaluator.h"

namespace cudaneuro
{

/** An image and its mask as evaluators take them, in memory of the context's device. */
struct PreparedImage
{
  Extent       extent;
  DeviceMemory image;
  /** Without voxels that are infinite or NaN; empty where all voxels are valid. */
  DeviceMemory mask;
  /** As ImageComparison::fixedWeights; empty where all voxels count the same. */
  DeviceMemory weights;
  /** Inside the mask, each by what it counts. */
  double numberOfVoxels = 0.0;
  /** The quantiles, before intensities were mapped to what the metric wants. */
  double least = 0.0;
  double largest = 0.0;
  /** Where background goes on beyond the grid. */
  GridSides extended;

  const float *
  Image() const
  {
    return static_cast<const float *>(image.Data());
  }
  const unsigned char *
  Mask() const
  {
    return static_cast<const unsigned char *>(mask.Data());
  }
  const unsigned char *
  Weights() const
  {
    return static_cast<const unsigned char *>(weights.Data());
  }
};

struct PreparedComparison
{
  PreparedImage fixed;
  PreparedImage moving;
  /** What the metric of the exchanged images is multiplied by, as if they had been prepared exchanged. */
  double exchangedScale = 1.0;
  /** As ImageComparison has it. */
  bool fadesOut = false;

  /** The fixed image with the moving one, or the other way around. */
  ImageComparison
  Compare(bool isExchanged) const
  {
    const PreparedImage & a = isExchanged ? moving : fixed;
    const PreparedImage & b = isExchanged ? fixed : moving;
    return { a.extent, a.Image(), a.Mask(), b.extent, b.Image(), b.Mask(), b.extended, a.Weights(), fadesOut };
  }
};

/** Copies the images and checks their voxels; outside the quantiles intensities become the quantiles, and outside masks
 * those of neighbors. Intensities are then mapped to what the metric wants: to bins for MutualInformation, to variance
 * 1 for LocalCorrelation, and for MeanSquares both to units in which the fixed image has variance 1. Inside
 * RunDeviceJob.
 * \throws InvalidParameterError for images without contrast */
PreparedComparison
PrepareComparison(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images);

} // namespace cudaneuro

#endif
