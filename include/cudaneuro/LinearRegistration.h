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

/** The maps among which the best is looked for. */
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

/** The map that a linear registration starts from. Of slices, the initial transform is followed by the smallest
 * rotation that makes the fixed plane parallel to the moving one, and by a translation along the normal, except for
 * InitialTransform. */
enum class LinearStart
{
  /** The initial transform, as it is; between slices it must take one plane onto the other. */
  InitialTransform,
  /** The initial transform, followed by the translation that takes the center of the fixed grid to that of the
   * moving grid. */
  GridCenters,
  /** The initial transform, followed by the translation that takes the fixed image's center of mass to the moving
   * image's. Mass is the intensity above the image's least, inside the mask. */
  CentersOfMass,
  /** A map that takes the principal axes of the fixed image's mass to those of the moving image's, the longest to
   * the longest. The four rotations (in 2D two) that do are tried, and the best by the metric is taken. The initial
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

/** Which voxels of the images count how much. The head is what is bright on a dark background, its holes among it. */
enum class VoxelWeighting
{
  /** With MutualInformation, Depth for maps that scale, of images in 3D of more than 8 slices along each axis, and
   * else NearHead; with other metrics Uniform. */
  Automatic,
  /** All the same. */
  Uniform,
  /** Voxels of the head and near it: air that is farther away tells nothing but where a grid ends. */
  NearHead,
  /** On the last two levels by the square of their depth under the surface of the head, up to 40 mm, and before as
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

/** The metric of RegisterLinearly by default: of both directions, with background beyond the grid, and with what is
 * not covered. */
inline LinearMetricParameters
MetricOfLinearRegistration()
{
  LinearMetricParameters parameters;
  parameters.extendBackground = true;
  parameters.useSymmetricMetric = true;
  parameters.countUncovered = true;
  return parameters;
}

/** Images shrunk by 8, 4, 2 and 1, with 100 iterations each. */
CudaNeuro_EXPORT std::vector<RegistrationLevel>
                 LevelsOfLinearRegistration();

/** Parameters of RegisterLinearly; Describe says what each is. */
struct LinearRegistrationParameters
{
  LinearTransformType transformType = LinearTransformType::Affine;
  /** countUncovered is for MutualInformation alone, as the values of other metrics have steps where voxels come to
   * be covered; and for all but the last two levels, where it would draw half a head over the whole of the other, or
   * all levels of images of at most 8 slices, which it keeps from tilting. */
  LinearMetricParameters metric = MetricOfLinearRegistration();
  /** Of the first channel, which the metric describes. */
  double channelWeight = 1.0;
  /** Pairs of images that are compared besides, see RegisterLinearly. Each has a metric, radius and bins of its own;
   * what else a metric has, its quantiles and directions for example, is the first channel's. Intensities are not
   * matched: matchIntensities must be false. */
  std::vector<ChannelParameters> furtherChannels;
  LinearStart                    start = LinearStart::CentersOfMass;

  /** NearHead and Depth not with MeanSquares. */
  VoxelWeighting voxelWeighting = VoxelWeighting::Automatic;
  /** In boxes of 3 voxels of about 1 mm to all sides, which count by the depth of their centers: local contrast
   * follows the structures of a brain, where shading shifts the optimum of mutual information. With
   * MutualInformation where Depth weighs voxels of more than 8 slices, and where the finest level has voxels of at
   * most 1.3 mm, as larger boxes gain nothing; both lengths are for the head of an adult, and less for smaller ones.
   * It has as many iterations as the finest level. */
  bool useLocalRefinement = true;

  /** They are tried at a low resolution and all at once, and the best few are refined; 180 tries all rotations, 0
   * none. */
  double searchAngle = 30.0;
  /** With the 32 best rotations, at most 17 along an axis. Where a part of a head is cut off, or a neck is shown,
   * the center of mass is elsewhere: by 70 mm in half a head against one with shoulders. */
  double searchDistance = 72.0;

  /** In voxels of the fixed image; not empty. The moving image is shrunk to about the same resolution. No axis is
   * shrunk to fewer than 16 voxels, or in 2D 32, which a histogram needs. */
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
    Parameter(&P::transformType, "TransformType", "", "Which maps are tried"),
    Parameter(&P::metric, "Metric", "", "How maps are compared"),
    DescribeChannelWeight(&P::channelWeight, "ChannelWeight"),
    Parameter(
      &P::furtherChannels, "FurtherChannels", "", "How the images of the channels after the first are compared"),
    Parameter(&P::start, "Start", "", "Where the search begins"),
    Parameter(&P::voxelWeighting, "VoxelWeighting", "", "Which voxels count how much"),
    Parameter(&P::useLocalRefinement,
              "UseLocalRefinement",
              "",
              "Refine the map by the local correlation of both images after the last level"),
    Parameter(&P::searchAngle,
              "SearchAngle",
              "degrees",
              "Try rotations of the start by up to this angle first",
              Between(0.0, 180.0),
              search),
    Parameter(&P::searchDistance,
              "SearchDistance",
              "mm",
              "Try shifts of the start by up to this distance first",
              Between(0.0, 1e6)),
    Parameter(&P::levels, "Levels", "", "Resolutions to go through, coarsest first"),
    Parameter(&P::convergenceThreshold,
              "ConvergenceThreshold",
              "voxels",
              "A level ends when a step moves no corner of the fixed image by more than this",
              Between(1e-6, 1.0)),
    Parameter(&P::minimumOverlap,
              "MinimumOverlap",
              "",
              "Least fraction of the smaller image, inside its mask, that the other image must cover",
              Between(0.0, 1.0)),
    Parameter(&P::maximumScale,
              "MaximumScale",
              "",
              "The most by which a map may scale any direction, or its inverse, against the initial transform",
              Between(1.0, 1e6)),
    Parameter(&P::maximumShear,
              "MaximumShear",
              "degrees",
              "The most by which a map may change a right angle against the initial transform",
              Between(0.0, 90.0)),
    Parameter(&P::maximumRotation,
              "MaximumRotation",
              "degrees",
              "The most by which a map may rotate against the initial transform",
              Between(0.0, 180.0)));
}

/** The state after an iteration of the candidate that is best so far. */
struct LinearRegistrationIteration
{
  /** Index of the level, that of the local refinement is the number of levels, and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** The metric on the images of the level. */
  double value = 0.0;
  /** Largest distance by which the iteration moved a corner of the fixed image, in mm. */
  double step = 0.0;
};

/** What a map does to shapes: its matrix is a rotation after stretches along perpendicular axes. */
struct LinearMapShape
{
  /** The angle of the rotation, in degrees. */
  double rotation = 0.0;
  /** How far the rotation turns the third axis of the fixed grid, across its slices, in degrees. */
  double tilt = 0.0;
  /** The largest and the least stretch. */
  double largestScale = 1.0;
  double leastScale = 1.0;
  /** The most by which a right angle changes, in degrees. */
  double shear = 0.0;
};

/** What RegisterLinearly found. */
struct LinearRegistrationResult
{
  /** From points of the fixed image to points of the moving image, in mm. Where nothing was found, the best map so
   * far. Between slices it takes one plane onto the other, and normals keep their length. */
  AffineMap transform;
  /** The point that the parameters of the map refer to: rotations and scales leave it where the translation takes
   * it. The center of the fixed grid. */
  std::array<double, 3> center{ 0.0, 0.0, 0.0 };
  /** The map that the levels started from. */
  AffineMap start;
  /** The metric, and the part of the smaller image that the other one covers, at the end, on the finest level. */
  double value = 0.0;
  double overlap = 0.0;
  /** The metric of each channel, there, without its weight; 0 where that is 0. The value is their mean with the
   * weights. */
  std::vector<double> channelValues;
  /** The shape of the map against the initial transform. */
  LinearMapShape shape;
  /** Tells a success from a failure: the part of the images, in blocks of 32 mm and weighted by depth, whose
   * gradients fit better where the map has them than 8 mm beside, less its standard deviation; 0 to 1. See
   * qualityOfSuccess. */
  double quality = 0.0;
  /** Whether the quality is qualityOfSuccess or more. */
  bool isSuccess = false;
  /** Outliers of the fixed and of the moving image that were repaired. */
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
  /** All iterations in order, of the candidate that was best at the end of its level. */
  std::vector<LinearRegistrationIteration> iterations;
  /** Maps that were evaluated, with and without derivatives, the search's among them. */
  std::int64_t numberOfEvaluations = 0;
};

/** Called after each iteration, in order. Returns false to end the registration with the results so far. */
using LinearRegistrationObserver = std::function<bool(const LinearRegistrationIteration &)>;

/** Finds the map T of a type, from points of the fixed image to points of the moving image, for which moving(T(p)) is
 * most like fixed(p).
 *
 * From level to level, candidates are improved by a quasi-Newton method (BFGS) whose parameters are scaled so that a
 * unit of each moves the corners of the fixed image by about 1 mm. A search evaluates many candidates at once at the
 * coarsest level, and all but the best are left behind from level to level.
 *
 * With further channels, what is minimized in the search, on all levels and in the local refinement is the mean of the
 * channels' metrics by their weights. Their images are interpolated linearly on the first channel's grids before all
 * else, where these differ or there is a transform. Their masks hold for them alone. The first channel decides what is
 * there once: the starts by centers and axes of mass, the weights of voxels (which all channels have whose metric takes
 * any), the overlap, whether there is a local refinement (by LocalCorrelation in all channels), and the quality. A
 * channel after it whose weight is 0 has no effect. The first one decides these with weight 0, too.
 *
 * \param initialTransform see LinearStart; it may be of any type with an inverse. For Translation, Rigid and Similarity
 * the result's matrix is that of the start, rotated and scaled.
 * \throws InvalidParameterError naming the value, as LinearMetric does, for weights, which it makes itself, and
 * where no start has the minimum overlap and is within the limits of maps; Error, OutOfMemoryError, Aborted: \p
 * result then has the best map so far. */
CudaNeuro_EXPORT void
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform,
                 const LinearRegistrationObserver &   observer,
                 LinearRegistrationResult &           result);

/** As above, for callers that do not need the result of a registration that fails. */
CudaNeuro_EXPORT LinearRegistrationResult
RegisterLinearly(Context &                            context,
                 const LinearRegistrationParameters & parameters,
                 const LinearMetricImages &           images,
                 const AffineMap &                    initialTransform = AffineMap(),
                 const LinearRegistrationObserver &   observer = {});

/** The moving image as a map shows it on the fixed grid: output(p) = moving(map(p)), as WarpImage does it. Voxels
 * outside the moving mask, infinite or NaN are excluded, so that they do not spread; the interpolation is one that
 * TakesMask. Of the fixed image, the geometry alone is used.
 * \throws InvalidParameterError naming the value; Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
WarpMovingImage(Context &                  context,
                const WarpParameters &     parameters,
                const LinearMetricImages & images,
                const AffineMap &          map,
                const Volume &             output);

/** Requires of parameters what RegisterLinearly does, for callers that want to know it before there are images.
 * \throws InvalidParameterError that names the value and its limit */
CudaNeuro_EXPORT void
RequireLinearRegistrationParameters(const LinearRegistrationParameters & parameters);

/** Results with this quality or more are successes; found by experiment, see Documentation/linear-registration.md. */
constexpr double qualityOfSuccess = 0.2;

} // namespace cudaneuro

#endif
