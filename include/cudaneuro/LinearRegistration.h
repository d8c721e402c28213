// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_LinearRegistration_h
#define cudaneuro_LinearRegistration_h

#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/LinearMetric.h"
#include "cudaneuro/RegistrationLevel.h"
#include "cudaneuro/RegistrationTerms.h"

#include <functional>
#include <string>
#include <vector>

namespace cudaneuro
{

/** The set of maps in which the best one is searched. */
enum class LinearTransformType
{
  Translation,
  /** Rotation and translation. */
  Rigid,
  /** Rotation, translation and one scale. */
  Similarity,
  Affine
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(LinearTransformType)
{
  using E = LinearTransformType;
  return MakeEnumNames<E>("transform type",
                          { { E::Translation, "Translation" },
                            { E::Rigid, "Rigid" },
                            { E::Similarity, "Similarity" },
                            { E::Affine, "Affine" } });
}

/** The map that a linear registration starts from. For slices, the initial transform is followed by the smallest
 * rotation that makes the fixed plane parallel to the moving one, and by a translation along the normal, except with
 * InitialTransform. */
enum class LinearStart
{
  /** The initial transform, unchanged; between slices it must map one plane onto the other. */
  InitialTransform,
  /** The initial transform, followed by the translation that moves the center of the fixed grid to that of the moving
   * grid. */
  GridCenters,
  /** The initial transform, followed by the translation that moves the fixed image's center of mass to the moving
   * image's. Mass is the intensity above the image's minimum, inside the mask. */
  CentersOfMass,
  /** A map from the principal axes of the fixed image's mass to those of the moving image's, the longest to the
   * longest. Four rotations (in 2D two) do this; all are tried, and the best by the metric is taken. The initial
   * transform is not used. */
  PrincipalAxes
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(LinearStart)
{
  using E = LinearStart;
  return MakeEnumNames<E>("start",
                          { { E::InitialTransform, "InitialTransform" },
                            { E::GridCenters, "GridCenters" },
                            { E::CentersOfMass, "CentersOfMass" },
                            { E::PrincipalAxes, "PrincipalAxes" } });
}

/** The weight of each voxel. The head is the bright region on a dark background, including its holes. */
enum class VoxelWeighting
{
  /** With MutualInformation: Depth for maps that scale, for 3D images of more than 8 slices along each axis, and else
   * NearHead. With other metrics: Uniform. */
  Automatic,
  /** All voxels have the same weight. */
  Uniform,
  /** Only voxels of the head and near it: distant air shows nothing but where a grid ends. */
  NearHead,
  /** The square of the depth under the surface of the head, up to 40 mm, on the last two levels, and before as
   * NearHead: scalp, jaw and neck move against the brain, differ more between persons, and would outweigh it. */
  Depth
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(VoxelWeighting)
{
  using E = VoxelWeighting;
  return MakeEnumNames<E>(
    "voxel weighting",
    { { E::Automatic, "Automatic" }, { E::Uniform, "Uniform" }, { E::NearHead, "NearHead" }, { E::Depth, "Depth" } });
}

/** Returns the default metric of RegisterLinearly: symmetric, with background extended beyond the grid, and with
 * uncovered voxels counted. */
inline LinearMetricParameters
MetricOfLinearRegistration()
{
  LinearMetricParameters parameters;
  parameters.extendBackground = true;
  parameters.useSymmetricMetric = true;
  parameters.countUncovered = true;
  return parameters;
}

/** Returns four levels: images shrunk by 8, 4, 2 and 1, with 100 iterations each. */
CudaNeuro_EXPORT std::vector<RegistrationLevel>
                 LevelsOfLinearRegistration();

/** Parameters of RegisterLinearly; Describe lists their units, meanings and ranges. */
struct LinearRegistrationParameters
{
  LinearTransformType transformType = LinearTransformType::Affine;
  /** countUncovered applies to MutualInformation alone, because the values of other metrics have steps where voxels
   * become covered. It applies to all but the last two levels, where it would stretch half a head over the whole of the
   * other, or to all levels of images of at most 8 slices, which it keeps from tilting. */
  LinearMetricParameters metric = MetricOfLinearRegistration();
  /** Weight of the first channel, whose metric is the member above. */
  double channelWeight = 1.0;
  /** Further pairs of images, see RegisterLinearly. Each has a metric, radius and bins of its own; the other settings
   * of a metric, such as quantiles and directions, are the first channel's. Intensities are not matched:
   * matchIntensities must be false. */
  std::vector<ChannelParameters> furtherChannels;
  LinearStart                    start = LinearStart::CentersOfMass;

  /** NearHead and Depth are not possible with MeanSquares. */
  VoxelWeighting voxelWeighting = VoxelWeighting::Automatic;
  /** The final refinement compares boxes of 3 voxels of about 1 mm to all sides, weighted by the depth of their
   * centers: local contrast follows the structures of a brain, where shading shifts the optimum of mutual information.
   * It is made with MutualInformation where Depth weighs voxels of more than 8 slices, and where the finest level has
   * voxels of at most 1.3 mm, as larger boxes gain nothing; both lengths are for an adult's head, and less for smaller
   * ones. It has as many iterations as the finest level. */
  bool useLocalRefinement = true;

  /** Rotations up to this angle are tried at a low resolution and all at once, and the best few are refined; 180 tries
   * all rotations, 0 none. */
  double searchAngle = 30.0;
  /** Translations are combined with the 32 best rotations, at most 17 along an axis. Where a part of a head is cut off,
   * or a neck is shown, the center of mass is elsewhere: by 70 mm in half a head against one with shoulders. */
  double searchDistance = 72.0;

  /** Factors are in voxels of the fixed image; not empty. The moving image is shrunk to about the same resolution. No
   * axis is shrunk to fewer than 16 voxels, or in 2D 32, which a histogram needs. */
  std::vector<RegistrationLevel> levels = LevelsOfLinearRegistration();
  double                         convergenceThreshold = 0.01;
  double                         minimumOverlap = 0.25;
  double                         maximumScale = 1.5;
  double                         maximumShear = 20.0;
  double                         maximumRotation = 180.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const LinearRegistrationParameters &)
{
  using P = LinearRegistrationParameters;
  constexpr auto search = Except(&P::transformType, LinearTransformType::Translation);
  return std::make_tuple(
    Parameter(&P::transformType, "TransformType", "", "Type of the transform"),
    Parameter(&P::metric, "Metric", "", "Similarity metric and its parameters"),
    DescribeChannelWeight(&P::channelWeight, "ChannelWeight"),
    Parameter(
      &P::furtherChannels, "FurtherChannels", "", "How the images of the channels after the first are compared"),
    Parameter(&P::start, "Start", "", "Initial transform"),
    Parameter(&P::voxelWeighting, "VoxelWeighting", "", "Weights of the voxels"),
    Parameter(&P::useLocalRefinement,
              "UseLocalRefinement",
              "",
              "Refine the map by the local correlation of both images after the last level"),
    Parameter(&P::searchAngle,
              "SearchAngle",
              "degrees",
              "First try rotations of the initial transform by up to this angle",
              Between(0.0, 180.0),
              search),
    Parameter(&P::searchDistance,
              "SearchDistance",
              "mm",
              "First try translations of the initial transform by up to this distance",
              Between(0.0, 1e6)),
    Parameter(&P::levels, "Levels", "", "Resolution levels, coarsest first"),
    Parameter(&P::convergenceThreshold,
              "ConvergenceThreshold",
              "voxels",
              "A level ends when a step moves no corner of the fixed image by more than this",
              Between(1e-6, 1.0)),
    Parameter(&P::minimumOverlap,
              "MinimumOverlap",
              "",
              "Minimum fraction of the smaller image, inside its mask, that the other image must cover",
              Between(0.0, 1.0)),
    Parameter(&P::maximumScale,
              "MaximumScale",
              "",
              "Maximum factor by which a map or its inverse may scale any direction, relative to the initial transform",
              Between(1.0, 1e6)),
    Parameter(&P::maximumShear,
              "MaximumShear",
              "degrees",
              "Maximum change of a right angle, relative to the initial transform",
              Between(0.0, 90.0)),
    Parameter(&P::maximumRotation,
              "MaximumRotation",
              "degrees",
              "Maximum rotation, relative to the initial transform",
              Between(0.0, 180.0)));
}

/** The state that an observer receives after each iteration of the best candidate so far. */
struct LinearRegistrationIteration
{
  /** Index of the level (the local refinement has the number of levels), and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** The metric on the images of the level. */
  double value = 0.0;
  /** Largest distance by which the iteration moved a corner of the fixed image, in mm. */
  double step = 0.0;
};

/** Decomposition of a map: its matrix is a rotation after stretches along perpendicular axes. */
struct LinearMapShape
{
  /** The angle of the rotation, in degrees. */
  double rotation = 0.0;
  /** Angle by which the rotation turns the third axis of the fixed grid, across its slices, in degrees. */
  double tilt = 0.0;
  /** The largest and the smallest stretch. */
  double largestScale = 1.0;
  double leastScale = 1.0;
  /** The largest change of a right angle, in degrees. */
  double shear = 0.0;
};

/** The result of RegisterLinearly. */
struct LinearRegistrationResult
{
  /** Maps points of the fixed image to points of the moving image, in mm; after a failure, the best map so far. Between
   * slices it maps one plane onto the other, and normals keep their length. */
  AffineMap transform;
  /** The center of the fixed grid, to which the parameters of the map refer: rotations and scales keep it fixed, and
   * the translation moves it. */
  std::array<double, 3> center{ 0.0, 0.0, 0.0 };
  /** The map that the levels started from. */
  AffineMap start;
  /** The metric, and the fraction of the smaller image that the other one covers, at the end, on the finest level. */
  double value = 0.0;
  double overlap = 0.0;
  /** The metric of each channel at the end, without its weight; 0 where the weight is 0. The value is their weighted
   * mean. */
  std::vector<double> channelValues;
  /** The shape of the map relative to the initial transform. */
  LinearMapShape shape;
  /** Separates successes from failures: the fraction of the images, in blocks of 32 mm and weighted by depth, whose
   * gradients fit better under the map than 8 mm away from it, minus its standard deviation; 0 to 1. See
   * qualityOfSuccess. */
  double quality = 0.0;
  /** Whether the quality is qualityOfSuccess or more. */
  bool isSuccess = false;
  /** Number of outliers of the fixed and of the moving image that were repaired. */
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
  /** All iterations in order, each of the candidate that was best at the end of its level. */
  std::vector<LinearRegistrationIteration> iterations;
  /** Number of maps that were evaluated, with and without derivatives, including those of the search. */
  std::int64_t numberOfEvaluations = 0;
};

/** Called after each iteration, in order. Returns false to end the registration with the results so far. */
using LinearRegistrationObserver = std::function<bool(const LinearRegistrationIteration &)>;

/** Finds the linear map T, from points of the fixed image to points of the moving image, for which moving(T(p)) is most
 * similar to fixed(p).
 *
 * From level to level, candidates are improved by a quasi-Newton method (BFGS) whose parameters are scaled so that a
 * unit of each moves the corners of the fixed image by about 1 mm. A search evaluates many candidates at once at the
 * coarsest level, and each level keeps only the best of them.
 *
 * With further channels, the mean of the channels' metrics by their weights is minimized, in the search, on all levels
 * and in the local refinement. Their images are first interpolated linearly on the first channel's grids, where these
 * differ or there is a transform. Each mask applies to its channel alone. The first channel alone, even with weight 0,
 * decides the starts by centers and axes of mass, the weights of voxels (which apply to all channels whose metric has
 * weights), the overlap, whether there is a local refinement (by LocalCorrelation in all channels), and the quality.
 * Any other channel with weight 0 has no effect.
 *
 * \param initialTransform see LinearStart; it may be of any type with an inverse. For Translation, Rigid and Similarity
 * the result's matrix is that of the start, rotated and scaled.
 * \throws InvalidParameterError naming the value, as LinearMetric does, for weights, which it computes itself, and
 * where no start has the minimum overlap and is within the limits of maps; Error, OutOfMemoryError, Aborted: \p result
 * then has the best map so far. */
CudaNeuro_EXPORT void
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform,
                 const LinearRegistrationObserver &   observer,
                 LinearRegistrationResult &           result);

/** The same, for callers that do not need the result of a registration that fails. */
CudaNeuro_EXPORT LinearRegistrationResult
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform = AffineMap(),
                 const LinearRegistrationObserver &   observer = {});

/** Warps the moving image to the fixed grid: output(p) = moving(map(p)), as WarpImage does. Voxels outside the moving
 * mask, infinite or NaN are excluded, so that they do not spread; the interpolation must be one that TakesMask. Only
 * the geometry of the fixed image is used.
 * \throws InvalidParameterError naming the value; Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
WarpMovingImage(Context &                  context,
                const WarpParameters &     parameters,
                const LinearMetricImages & images,
                const AffineMap &          map,
                const Volume &             output);

/** Checks parameters as RegisterLinearly does, for callers that want to know before there are images.
 * \throws InvalidParameterError that names the value and its limit */
CudaNeuro_EXPORT void
RequireLinearRegistrationParameters(const LinearRegistrationParameters & parameters);

/** Results with this quality or more are successes; found by experiment, see Documentation/linear-registration.md. */
constexpr double qualityOfSuccess = 0.2;

} // namespace cudaneuro

#endif
