// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparation_h
#define cudaneuro_images_ImagePreparation_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <limits>
#include <vector>

/** Preparation of images for registration, voxel by voxel, in memory of the context's device. On a GPU, functions that
 * return nothing enqueue work on the compute stream. A voxel without a value is NaN. */
namespace cudaneuro
{

/** A piecewise linear map of intensities from from[k] to to[k]; the outermost pieces extend beyond the ends. */
struct IntensityMap
{
  /** At least two values, in increasing order. */
  std::vector<float> from;
  std::vector<float> to;
};

/** A range of intensities from \c least to \c largest; by default, all finite intensities. */
struct IntensityLimits
{
  float least = std::numeric_limits<float>::lowest();
  float largest = std::numeric_limits<float>::max();
};

/** Maps the image where it has a value and \p mask, which may be null, is not 0; writes NaN elsewhere. */
CUDANEURO_DISPATCHED(void MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image));

/** A linear map of intensities: (i - origin) * scale + target. Intensities outside the range are first clamped to its
 * ends. */
struct IntensityRescaling
{
  double least = 0.0;
  double largest = 0.0;
  double origin = 0.0;
  double scale = 1.0;
  double target = 0.0;
};

/** Rescales the image; voxels without a value get the result of the minimum intensity. */
void
RescaleIntensities(Context & context, std::int64_t numberOfVoxels, const IntensityRescaling & rescaling, float * image);

/** Sets voxels where the mask is 0 to the mean of those of their 26 neighbors where it is not, or to \p beyond if there
 * are none. Linear interpolation next to voxels inside the mask then does not depend on the image outside. */
void
FillOutsideMask(Context & context, const Extent & extent, const unsigned char * mask, float beyond, float * image);

/** Sets valid to 1 where the image is finite and within the limits, and \p mask, which may be null, is not 0; to 0
 * elsewhere. */
void
MarkValid(Context &               context,
          std::int64_t            numberOfVoxels,
          const float *           image,
          const unsigned char *   mask,
          const IntensityLimits & limits,
          unsigned char *         valid);

/** Sets mask to 1 where both images have a value, and to 0 elsewhere. */
void
MarkOverlap(Context & context, std::int64_t numberOfVoxels, const float * a, const float * b, unsigned char * mask);

/** Sets weight to 1 where the image has a value; sets weight and image to 0 elsewhere. */
void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight);

/** Reverses SplitWeights after smoothing: image / weight, and no value where the weight is below \p least. */
void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float least, float * image);

/** Adds amount * (image - smoothed) to the image, where both have a value. */
void
SharpenImage(Context & context, std::int64_t numberOfVoxels, float amount, const float * smoothed, float * image);

CUDANEURO_DISPATCHED(void FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume));

/** Bins of equal width of intensities in [minimum, maximum]. */
struct HistogramBins
{
  double minimum;
  double maximum;
  int    count;
};

/** Counts the intensities inside \p mask, which may be null. */
CUDANEURO_DISPATCHED(std::vector<std::int64_t> Histogram(Context &             context,
                                                         std::int64_t          numberOfVoxels,
                                                         const float *         image,
                                                         const unsigned char * mask,
                                                         const HistogramBins & bins));

/** Returns the intensity below which a fraction of the voxels of a histogram lies. */
double
Quantile(const std::vector<std::int64_t> & histogram, double minimum, double maximum, double fraction);

/** Returns the intensities below which fractions 0, 1/64, 2/64, ... 1 of the voxels of a histogram lie. */
std::vector<double>
Quantiles(const std::vector<std::int64_t> & histogram, double minimum, double maximum);

/** Returns the map from the quantiles \p from to the quantiles \p to, without quantiles that do not increase. */
IntensityMap
MonotoneMap(const std::vector<double> & from, const std::vector<double> & to);

namespace cpu
{
/** Calls operation(i) for each voxel i; TOperation is one of the types in ImagePreparationFormulas.h. */
template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation);
} // namespace cpu

namespace gpu
{
/** Calls operation(i) for each voxel i; TOperation is one of the types in ImagePreparationFormulas.h. */
template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation);
} // namespace gpu

} // namespace cudaneuro

#endif
