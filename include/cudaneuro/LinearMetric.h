// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_LinearMetric_h
#define cudaneuro_LinearMetric_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/RegistrationMetric.h"
#include "cudaneuro/RegistrationTerms.h"

#include <memory>
#include <vector>

namespace cudaneuro
{
/** Parameters of LinearMetric; Describe says what each is. */
struct LinearMetricParameters
{
  RegistrationMetric metric = RegistrationMetric::MutualInformation;
  int                numberOfHistogramBins = 32;
  /** Intensities below and above these quantiles of an image, taken over its mask, count as the quantile, for all
   * metrics: a few very bright voxels then do not squeeze all others into few bins. 0 and 1 leave the image as it
   * is; 0 <= lower < upper <= 1. */
  std::array<double, 2> intensityQuantiles{ 0.0, 1.0 };
  /** Repair intensities far beyond nearly all others, as in RegistrationParameters. */
  bool repairOutliers = true;
  int  correlationRadius = 3;
  /** The mean of the metric of the fixed with the moving image and of the moving with the fixed image, so that
   * exchanging the images inverts the best map. Takes twice the time. */
  bool useSymmetricMetric = false;
  /** Beyond those sides of its grid at which it ends in background, the moving image goes on as it ends: at sides
   * whose mean intensity above the least is at most half of the whole image's. Else a metric, which is a mean over
   * the voxels that are compared, rises or falls as background leaves the field of view (Studholme et al., "An
   * overlap invariant entropy measure of 3D medical image alignment", Pattern Recognition 1999). An image with a
   * mask has no values beyond it; where voxels are infinite or NaN the image still goes on. Off here, as in ITK's
   * metrics, and on in LinearRegistrationParameters. */
  bool extendBackground = false;
  /** What the other image does not cover counts as unlike: the value is c v + (1 - c) u, with the coverage c, the
   * mean v over what is compared, and u the value of images that have nothing in common: 0 for MutualInformation, 1
   * for LocalCorrelation, 2 for MeanSquares. A mean alone grows better as the voxels that fit least are lost. With
   * MutualInformation, a voxel that sees beyond a side where the other image is cut off counts less and less, and
   * nothing from a voxel on, so that the value has a derivative. Off here, as in ITK's metrics, and on in
   * LinearRegistrationParameters. */
  bool countUncovered = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const LinearMetricParameters &)
{
  using P = LinearMetricParameters;
  return std::make_tuple(
    Parameter(&P::metric, "Metric", "", "What makes the images alike"),
    DescribeHistogramBins<P>(),
    Parameter(&P::intensityQuantiles,
              "IntensityQuantiles",
              "",
              "Intensities beyond these quantiles of an image count as the quantile",
              Between(0.0, 1.0)),
    DescribeRepairOutliers<P>(),
    DescribeCorrelationRadius<P>(),
    Parameter(&P::useSymmetricMetric,
              "UseSymmetricMetric",
              "",
              "Take the mean of the metrics of fixed with moving and of moving with fixed image"),
    Parameter(&P::extendBackground,
              "ExtendBackground",
              "",
              "Let the moving image go on beyond those sides at which it ends in background"),
    Parameter(&P::countUncovered, "CountUncovered", "", "Count what the other image does not cover as unlike"));
}

/** Two images that are compared. Both are slices (grids of one plane), each in 2D on a plane of space of any
 * orientation, or both 3D. */
struct LinearMetricImages
{
  Geometry    fixedGeometry;
  ConstVolume fixedImage;
  /** Optional, UnsignedChar, on the fixed grid: where it is 0, the image is excluded, as it is where it is infinite
   * or NaN. */
  ConstVolume fixedMask;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  /** Optional, UnsignedChar, on the moving grid. */
  ConstVolume movingMask;
  /** Optional, UnsignedChar, on the fixed grid: how much a voxel counts, in 255ths. Not with MeanSquares, and not for
   * RegisterLinearly, which makes its own. */
  ConstVolume fixedWeights{};
  /** Optional, UnsignedChar, on the moving grid: the same for a symmetric metric's other direction. */
  ConstVolume movingWeights{};
  /** For RegisterLinearly alone, as many as LinearRegistrationParameters::furtherChannels: a metric compares the pair
   * above. */
  std::vector<ChannelImages> furtherChannels{};
};

/** The metric of one affine map. */
struct LinearMetricEvaluation
{
  /** From points of the fixed image to points of the moving image, in mm. Between slices it takes the plane of the
   * fixed one onto that of the moving one; what it does along the normal does not matter. */
  AffineMap map;
  /** Less is better; infinite where no voxel of the fixed image is mapped into the moving image. */
  double value = 0.0;
  /** Fraction of the fixed image's voxels, inside its mask, that are mapped into the moving image and its mask; with
   * extendBackground, of 16 x 16 rows of them where there are more. The symmetric metric's is that of both
   * directions that is larger: of the smaller image. */
  double overlap = 0.0;
  /** Fraction of the fixed image's voxels, inside its mask and by their weights, that are compared: the overlap, and
   * background beyond it. The symmetric metric's is the mean of both directions. */
  double coverage = 0.0;
  /** Derivatives of the value by the matrix, stored by rows, and the offset of the map, for a set of overlapping
   * voxels that stays as it is, but for MutualInformation with countUncovered. */
  std::array<double, 9> derivativeByMatrix{};
  std::array<double, 3> derivativeByOffset{};
};

class PreparedLinearMetric;

/** Compares a fixed image with a moving image that is seen through affine maps, many maps at once.
 *
 * The images are taken to the context's device, and what does not depend on the map is computed, when the object is
 * made. The value is a sum over the voxels of the fixed image whose mapped position lies on the moving grid (from half
 * a voxel before the first center to half a voxel behind the last one, as itk::ImageFunction has it), where the moving
 * image is interpolated linearly, and over those that see its background beyond the grid, see
 * LinearMetricParameters::extendBackground. Where an image has no value, nothing is counted.
 *
 * MutualInformation is that of Mattes et al., "PET-CT image registration in the chest using free-form deformations",
 * IEEE TMI 2003, as in itk::MattesMutualInformationImageToImageMetricv4: the fixed image's Parzen window is a box, the
 * moving one's a cubic B-spline; two bins on either side stay empty but for the windows' tails, so that all weights sum
 * to 1. The bounds of the bins are those of the whole images: values of different maps compare.
 *
 * All sums are made in a fixed order or in whole numbers: a value has the same bits in each run on one device, and
 * whatever else is evaluated in the same call.
 *
 * One object serves one thread.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT LinearMetric
{
public:
  /** \param context must live longer.
   * \throws InvalidParameterError naming the value: parameters out of range, images of different dimension, that are
   * constant or have no finite voxel inside their masks, empty masks, directions without an inverse; OutOfMemoryError;
   * Aborted */
  LinearMetric(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images);
  ~LinearMetric();
  LinearMetric(const LinearMetric &) = delete;
  LinearMetric &
  operator=(const LinearMetric &) = delete;

  /** Evaluates all maps at once. Derivatives are left as they are where they are not wanted.
   * \throws InvalidParameterError for a map that is not finite, for one between slices that takes a corner out of
   * the moving plane by more than a thousandth of a voxel, and for one without an inverse where the metric is
   * symmetric; Error, OutOfMemoryError, Aborted */
  void
  Evaluate(std::vector<LinearMetricEvaluation> & evaluations, bool withDerivatives = true);
  /** The parameters that the object was made with. */
  const LinearMetricParameters &
  GetParameters() const;

private:
  std::unique_ptr<PreparedLinearMetric> m_Prepared;
};

} // namespace cudaneuro

#endif
