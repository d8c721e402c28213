// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearMetricImages_h
#define cudaneuro_linear_LinearMetricImages_h

#include "cudaneuro/LinearMetric.h"
#include "metrics/MetricEvaluator.h"

namespace cudaneuro
{

/** An image and its mask as evaluators use them, in memory of the context's device. */
struct PreparedImage
{
  Extent       extent;
  DeviceMemory image;
  /** The mask, without voxels that are infinite or NaN; empty where all voxels are valid. */
  DeviceMemory mask;
  /** See ImageComparison::fixedWeights; empty where all voxels count the same. */
  DeviceMemory weights;
  /** Sum of the weights inside the mask, or the number of voxels there without weights. */
  double numberOfVoxels = 0.0;
  /** The quantiles of the image before its intensities were rescaled for the metric. */
  double least = 0.0;
  double largest = 0.0;
  /** The sides beyond which the image is continued as background. */
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
  /** Factor of the metric of the exchanged images, which makes it that of images prepared in exchanged roles. */
  double exchangedScale = 1.0;
  /** See ImageComparison. */
  bool fadesOut = false;

  /** The comparison of the fixed image with the moving one, or the reverse. */
  ImageComparison
  Compare(bool isExchanged) const
  {
    const PreparedImage & a = isExchanged ? moving : fixed;
    const PreparedImage & b = isExchanged ? fixed : moving;
    return { a.extent, a.Image(), a.Mask(), b.extent, b.Image(), b.Mask(), b.extended, a.Weights(), fadesOut };
  }
};

/** Copies the images and checks their voxels. Intensities beyond the quantiles become the quantiles, and intensities
 * outside masks those of neighbors. They are then rescaled for the metric: to bins for MutualInformation, to variance 1
 * for LocalCorrelation, and for MeanSquares both to units in which the fixed image has variance 1. Called inside
 * RunDeviceJob.
 * \throws InvalidParameterError for images without contrast */
PreparedComparison
PrepareComparison(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images);

} // namespace cudaneuro

#endif
