// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_ImagePreparation_h
#define cudaneuro_images_ImagePreparation_h

#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <limits>
#include <vector>

/** Preparation of images for their registration, voxel by voxel, in memory of the context's device. On a GPU, functions
 * that return nothing are enqueued on the compute stream. A voxel without a value is NaN. */
namespace cudaneuro
{

/** A piecewise linear map of intensities that takes from[k] to to[k]; the outermost pieces extend beyond the ends. */
struct IntensityMap
{
  /** Two or more values, increasing. */
  std::vector<float> from;
  std::vector<float> to;
};

/** Intensities from \p least to \p largest; by default, all that are finite. */
struct IntensityLimits
{
  float least = std::numeric_limits<float>::lowest();
  float largest = std::numeric_limits<float>::max();
};

/** Maps the image where it has a value and \p mask, which may be null, is not 0; sets it to no value elsewhere. */
CUDANEURO_DISPATCHED(void MapIntensities(
  Context & context, std::int64_t numberOfVoxels, const IntensityMap & map, const unsigned char * mask, float * image));

/** A linear map of intensities: (i - origin) * scale + target. Intensities below and above the range are first made its
 * ends. */
struct IntensityRescaling
{
  double least = 0.0;
  double largest = 0.0;
  double origin = 0.0;
  double scale = 1.0;
  double target = 0.0;
};

/** Rescales the image; what has no value gets that of the least intensity. */
void
RescaleIntensities(Context & context, std::int64_t numberOfVoxels, const IntensityRescaling & rescaling, float * image);

/** Sets voxels where the mask is 0 to the mean of those neighbors, of 26, where it is not, or to \p beyond where
 * there are none: so that linear interpolation next to voxels inside the mask does not depend on the image outside. */
void
FillOutsideMask(Context & context, const Extent & extent, const unsigned char * mask, float beyond, float * image);

/** Sets valid to 1 where the image is finite and within the limits and \p mask, which may be null, is not 0, and to 0
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

/** Sets weight to 1 where the image has a value; elsewhere sets both to 0. */
void
SplitWeights(Context & context, std::int64_t numberOfVoxels, float * image, float * weight);

/** The inverse of SplitWeights after smoothing: image / weight, and no value where the weight is below \p least. */
void
JoinWeights(Context & context, std::int64_t numberOfVoxels, const float * weight, float least, float * image);

/** Adds amount * (image - smoothed) to the image, where both have a value. */
void
SharpenImage(Context & context, std::int64_t numberOfVoxels, float amount, const float * smoothed, float * image);

CUDANEURO_DISPATCHED(void FillWithZeros(Context & context, std::int64_t numberOfVoxels, float * volume));

/** Equal bins of intensities over [minimum, maximum]. */
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

/** The intensity below which a fraction of the voxels of a histogram lies. */
double
Quantile(const std::vector<std::int64_t> & histogram, double minimum, double maximum, double fraction);

/** The intensities below which 0, 1/64, 2/64, ... 1 of the voxels of a histogram lie. */
std::vector<double>
Quantiles(const std::vector<std::int64_t> & histogram, double minimum, double maximum);

/** The map that takes the quantiles \p from to the quantiles \p to. Quantiles that do not increase are left out. */
IntensityMap
MonotoneMap(const std::vector<double> & from, const std::vector<double> & to);

namespace cpu
{
/** Calls operation(i) for each voxel i; TOperation is one of those of ImagePreparationFormulas.h. */
template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation);
} // namespace cpu

namespace gpu
{
/** Calls operation(i) for each voxel i; TOperation is one of those of ImagePreparationFormulas.h. */
template <typename TOperation>
void
ForVoxels(Context & context, std::int64_t numberOfVoxels, const TOperation & operation);
} // namespace gpu

} // namespace cudaneuro

#endif
