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
/** Parameters of LinearMetric; Describe lists their units, meanings and ranges. */
struct LinearMetricParameters
{
  RegistrationMetric metric = RegistrationMetric::MutualInformation;
  int                numberOfHistogramBins = 32;
  /** Intensities below and above these quantiles of an image, computed inside its mask, are clamped to the quantile,
   * for all metrics, so that a few very bright voxels do not squeeze all others into few bins. 0 and 1 leave the image
   * unchanged; 0 <= lower < upper <= 1. */
  std::array<double, 2> intensityQuantiles{ 0.0, 1.0 };
  /** Repair intensities far beyond nearly all others, see RegistrationParameters::repairOutliers. */
  bool repairOutliers = true;
  int  correlationRadius = 3;
  /** Use the mean of the metric of fixed against moving and of moving against fixed image, so that exchanging the
   * images inverts the best map. This takes twice the time. */
  bool useSymmetricMetric = false;
  /** Extends the moving image by its border values beyond those sides of its grid at which it ends in background: sides
   * whose mean intensity above the minimum is at most half of the whole image's. Otherwise a metric, which is a mean
   * over the compared voxels, rises or falls as background leaves the field of view (Studholme et al., "An overlap
   * invariant entropy measure of 3D medical image alignment", Pattern Recognition 1999). An image with a mask has no
   * values beyond it; where voxels are infinite or NaN it is still extended. Off here, as in ITK's metrics, and on in
   * LinearRegistrationParameters. */
  bool extendBackground = false;
  /** Counts fixed voxels that the other image does not cover as dissimilar: the value is c v + (1 - c) u, with the
   * coverage c, the mean v over the compared voxels, and the value u of unrelated images: 0 for MutualInformation, 1
   * for LocalCorrelation, 2 for MeanSquares. A mean alone improves as the voxels that fit worst are lost. With
   * MutualInformation, the weight of a voxel beyond a side where the other image is cut off decreases to 0 over one
   * voxel, so that the value has a derivative. Off here, as in ITK's metrics, and on in
   * LinearRegistrationParameters. */
  bool countUncovered = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const LinearMetricParameters &)
{
  using P = LinearMetricParameters;
  return std::make_tuple(
    Parameter(&P::metric, "Metric", "", "Similarity metric of the images"),
    DescribeHistogramBins<P>(),
    Parameter(&P::intensityQuantiles,
              "IntensityQuantiles",
              "",
              "Quantiles of an image to which its intensities are clamped",
              Between(0.0, 1.0)),
    DescribeRepairOutliers<P>(),
    DescribeCorrelationRadius<P>(),
    Parameter(&P::useSymmetricMetric,
              "UseSymmetricMetric",
              "",
              "Use the mean of the metrics of fixed with moving and of moving with fixed image"),
    Parameter(&P::extendBackground,
              "ExtendBackground",
              "",
              "Extend the moving image by background beyond the sides at which it ends in background"),
    Parameter(&P::countUncovered, "CountUncovered", "", "Treat what the other image does not cover as dissimilar"));
}

/** Two images to compare: both are slices (grids of one plane), each in 2D on a plane of space of any orientation, or
 * both are 3D. */
struct LinearMetricImages
{
  Geometry    fixedGeometry;
  ConstVolume fixedImage;
  /** Optional, UnsignedChar, on the fixed grid: voxels are excluded where it is 0, and where the image is infinite or
   * NaN. */
  ConstVolume fixedMask;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  /** Optional, UnsignedChar, on the moving grid. */
  ConstVolume movingMask;
  /** Optional, UnsignedChar, on the fixed grid: the weight of a voxel, in 255ths. Not with MeanSquares, and not for
   * RegisterLinearly, which computes its own. */
  ConstVolume fixedWeights{};
  /** Optional, UnsignedChar, on the moving grid: the same for a symmetric metric's other direction. */
  ConstVolume movingWeights{};
  /** Used by RegisterLinearly alone, one for each of LinearRegistrationParameters::furtherChannels: LinearMetric
   * compares only the pair above. */
  std::vector<ChannelImages> furtherChannels{};
};

/** The metric of one affine map, with its derivatives. */
struct LinearMetricEvaluation
{
  /** Maps points of the fixed image to points of the moving image, in mm. Between slices it must map the plane of the
   * fixed one onto that of the moving one; its effect along the normal does not matter. */
  AffineMap map;
  /** Smaller is better; infinite where no voxel of the fixed image is mapped into the moving image. */
  double value = 0.0;
  /** Fraction of the fixed image's voxels, inside its mask, that are mapped into the moving image and its mask; with
   * extendBackground, over 16 x 16 of their rows where there are more. The symmetric metric takes the larger value of
   * both directions, which is that of the smaller image. */
  double overlap = 0.0;
  /** Fraction of the fixed image's voxels, inside its mask and weighted, that are compared: those of the overlap, and
   * background beyond it. The symmetric metric takes the mean of both directions. */
  double coverage = 0.0;
  /** Derivatives of the value with respect to the matrix, by rows, and to the offset of the map; the set of overlapping
   * voxels is held constant, except for MutualInformation with countUncovered. */
  std::array<double, 9> derivativeByMatrix{};
  std::array<double, 3> derivativeByOffset{};
};

class PreparedLinearMetric;

/** Compares a fixed image with a moving image under affine maps, many maps at once.
 *
 * The constructor copies the images to the context's device, and computes what does not depend on the map. The value is
 * a sum over the voxels of the fixed image whose mapped position lies on the moving grid (from half a voxel before the
 * first center to half a voxel behind the last one, as in itk::ImageFunction), where the moving image is interpolated
 * linearly, and over those that are mapped to its background beyond the grid, see
 * LinearMetricParameters::extendBackground. Voxels where an image has no value are excluded.
 *
 * MutualInformation is that of Mattes et al., "PET-CT image registration in the chest using free-form deformations",
 * IEEE TMI 2003, as in itk::MattesMutualInformationImageToImageMetricv4: the fixed image's Parzen window is a box, the
 * moving one's a cubic B-spline; two bins on either side hold only the windows' tails, so that all weights sum to 1.
 * The bounds of the bins are those of the whole images, so that values of different maps are comparable.
 *
 * All sums are made in a fixed order or in whole numbers: a value has the same bits in each run on one device,
 * independent of the other maps of the same call.
 *
 * One object serves one thread.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT LinearMetric
{
public:
  /** \param context must outlive this object.
   * \throws InvalidParameterError naming the value: parameters out of range, images of different dimension, that are
   * constant or have no finite voxel inside their masks, empty masks, directions without an inverse; OutOfMemoryError;
   * Aborted */
  LinearMetric(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images);
  ~LinearMetric();
  LinearMetric(const LinearMetric &) = delete;
  LinearMetric &
  operator=(const LinearMetric &) = delete;

  /** Evaluates all maps at once. Without derivatives, the members for them are not changed.
   * \throws InvalidParameterError for a map that is not finite, for one between slices that maps a corner out of the
   * moving plane by more than a thousandth of a voxel, and for one without an inverse where the metric is symmetric;
   * Error, OutOfMemoryError, Aborted */
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
