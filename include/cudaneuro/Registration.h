// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Registration_h
#define cudaneuro_Registration_h

#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/RegistrationLevel.h"
#include "cudaneuro/RegistrationMetric.h"
#include "cudaneuro/RegistrationTerms.h"

#include <functional>
#include <vector>

namespace cudaneuro
{

/** The method that computes the velocity from the force. */
enum class VelocityMethod
{
  /** Convolution with a Gaussian (Lee et al., eq. 12). */
  Gaussian,
  /** (-alpha Laplacian + gamma) v = force with v = 0 outside the grid, by red-black successive over-relaxation that
   * starts from the previous velocity (Ha et al.). */
  SuccessiveOverRelaxation,
  /** The same equation solved exactly by sine transforms; with beta other than 0, by Fourier transforms on the periodic
   * grid: (-alpha Laplacian - beta grad div + gamma) v = force. */
  FourierTransform
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(VelocityMethod)
{
  using E = VelocityMethod;
  return MakeEnumNames<E>("velocity solver",
                          { { E::Gaussian, "Gaussian" },
                            { E::SuccessiveOverRelaxation, "SuccessiveOverRelaxation" },
                            { E::FourierTransform, "FourierTransform" } });
}

/** Parameters of Register; Describe says what each is. Voxels as a unit are those of the level. */
struct RegistrationParameters
{
  RegistrationMetric metric = RegistrationMetric::MeanSquares;
  int                correlationRadius = 3;
  int                numberOfHistogramBins = 32;
  bool               matchIntensities = false;

  /** Weight of the first channel, which the members above describe. */
  double                         channelWeight = 1.0;
  std::vector<ChannelParameters> furtherChannels;
  /** Scaled so that at 1 a point whose error is its standard deviation pulls as strongly as an image region whose force
   * is 1 wherever the velocity's kernel reaches: see Register. */
  double pointWeight = 1.0;
  double labelWeight = 1.0;

  /** Outliers are intensities beyond the quantiles of 0.15 % and 99.85 % of the image, inside its mask, by more than
   * the distance between them. Groups of at most 3^3 voxels (2D: 3^2) get the mean of their neighbors, larger ones the
   * limit. RegistrationOutputs::warped is computed from the image as given. */
  bool repairOutliers = true;

  /** Weight of the bias energy of Lee et al., eq. 8 and 10; 0 omits it. */
  double unbiasedWeight = 0.0;
  /** Ha et al. use the gradient of the deformed image, Lee et al. that of the moving image at the deformed
   * position. */
  bool useDeformedGradient = false;
  /** Treats both images alike, from a middle grid: see Register. */
  bool isSymmetric = false;

  VelocityMethod        velocityMethod = VelocityMethod::Gaussian;
  std::array<double, 3> updateFieldStandardDeviations{ 2.0, 2.0, 2.0 };
  /** Replaces updateFieldStandardDeviations where it is not empty. A wide Gaussian on coarse levels finds large smooth
   * deformations, while that of the finest level may still be narrow. */
  std::vector<std::array<double, 3>> updateFieldStandardDeviationsPerLevel;
  double                             alpha = 1.0;
  double                             beta = 0.0;
  double                             gamma = 0.02;
  int                                firstSweeps = 100;
  int                                sweeps = 5;

  double maximumStep = 0.5;
  /** Where a step would take the determinant below this bound, the map moves less there; 0 only requires J > 0. At most
   * 0.5, so that maps can shrink by half. */
  double                jacobianBound = 0.02;
  std::array<double, 3> standardDeviations{ 0.0, 0.0, 0.0 };

  std::vector<RegistrationLevel> levels{ { { 4, 4, 4 }, 100 }, { { 2, 2, 2 }, 100 }, { { 1, 1, 1 }, 100 } };
  double                         convergenceThreshold = 0.0;
  InversionParameters            inversion;
};

/** The condition of updateFieldStandardDeviations: no standard deviations per level. */
struct OnlyWithoutOnesPerLevel
{
  /** Whether the parameter has an effect. */
  bool
  Holds(const RegistrationParameters & parameters) const
  {
    return parameters.velocityMethod == VelocityMethod::Gaussian &&
           parameters.updateFieldStandardDeviationsPerLevel.empty();
  }
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const RegistrationParameters &)
{
  using P = RegistrationParameters;
  constexpr auto equation = Except(&P::velocityMethod, VelocityMethod::Gaussian);
  constexpr auto relaxation = OnlyWith(&P::velocityMethod, VelocityMethod::SuccessiveOverRelaxation);
  return std::make_tuple(
    Parameter(&P::metric, "Metric", "", "Similarity metric of the images"),
    DescribeCorrelationRadius<P>(),
    DescribeHistogramBins<P>(),
    DescribeMatchIntensities<P>(),
    DescribeChannelWeight(&P::channelWeight, "ChannelWeight"),
    Parameter(
      &P::furtherChannels, "FurtherChannels", "", "How the images of the channels after the first are compared"),
    Parameter(&P::pointWeight, "PointWeight", "", "Weight of the pairs of points", Between(0.0, 1e6)),
    Parameter(&P::labelWeight, "LabelWeight", "", "Weight of the maps of labels", Between(0.0, 1e6)),
    DescribeRepairOutliers<P>(),
    Parameter(&P::unbiasedWeight,
              "UnbiasedWeight",
              "units of the metric",
              "Weight of the symmetric Kullback-Leibler distance of the map from the identity",
              Between(0.0, 1e6)),
    Parameter(
      &P::useDeformedGradient, "UseDeformedGradient", "", "Compute the force from the gradient of the deformed image"),
    Parameter(
      &P::isSymmetric, "IsSymmetric", "", "Deform both images halfway, so that exchanging them inverts the map"),
    Parameter(&P::velocityMethod, "VelocityMethod", "", "Method that computes the velocity from the force"),
    Parameter(&P::updateFieldStandardDeviations,
              "UpdateFieldStandardDeviations",
              "voxels",
              "Standard deviation of the Gaussian that smooths the force to a velocity",
              lengthRange,
              OnlyWithoutOnesPerLevel()),
    Parameter(&P::updateFieldStandardDeviationsPerLevel,
              "UpdateFieldStandardDeviationsPerLevel",
              "voxels",
              "The same for each level, coarsest first",
              lengthRange,
              OnlyWith(&P::velocityMethod, VelocityMethod::Gaussian)),
    Parameter(&P::alpha, "Alpha", "squared voxels", "How strongly the velocity is smoothed", lengthRange, equation),
    Parameter(&P::beta,
              "Beta",
              "squared voxels",
              "How strongly the divergence of the velocity is smoothed",
              FromZero(lengthRange),
              OnlyWith(&P::velocityMethod, VelocityMethod::FourierTransform)),
    Parameter(&P::gamma,
              "Gamma",
              "",
              "Resistance to the velocity: forces reach sqrt(alpha / gamma) voxels",
              lengthRange,
              equation),
    Parameter(
      &P::firstSweeps, "FirstSweeps", "", "Number of sweeps in the first iteration of a level", AtLeast(1), relaxation),
    Parameter(&P::sweeps, "Sweeps", "", "Number of sweeps in each later iteration", AtLeast(1), relaxation),
    Parameter(&P::maximumStep,
              "MaximumStep",
              "voxels",
              "Displacement of the fastest voxel in an iteration",
              Between(1e-6, 1.0)),
    Parameter(&P::jacobianBound,
              "JacobianBound",
              "",
              "Bound of the map's Jacobian determinant, in voxels of every level; 0 only forbids folds",
              Between(0.0, 0.5)),
    Parameter(&P::standardDeviations,
              "StandardDeviations",
              "voxels",
              "Standard deviation of a Gaussian that smooths the displacements after each iteration; 0 is none",
              FromZero(lengthRange)),
    Parameter(&P::levels, "Levels", "", "Resolution levels, coarsest first"),
    Parameter(
      &P::convergenceThreshold,
      "ConvergenceThreshold",
      "",
      "A level ends when the energy has fallen by less than this fraction over the last 10 iterations; 0 runs all",
      Between(0.0, 1.0)),
    Parameter(&P::inversion, "Inversion", "", "Stopping criteria of the inversion of the map"));
}

/** The defaults of the three methods: Lee et al.'s unbiased fluid registration with a weight of 0.1, its symmetric
 * form, and Ha et al.'s greedy step, whose equation is solved by successive over-relaxation. */
CudaNeuro_EXPORT RegistrationParameters
UnbiasedRegistrationParameters();
CudaNeuro_EXPORT RegistrationParameters
SymmetricRegistrationParameters();
CudaNeuro_EXPORT RegistrationParameters
GreedyRegistrationParameters();

/** Inputs of a registration. Its result is a map h of the fixed grid that makes moving(transform(h(p))) similar to
 * fixed(p). */
struct RegistrationImages
{
  Geometry fixedGeometry;
  /** Both images may be absent if there are points or labels; the geometries are then those of the heads. */
  ConstVolume fixedImage;
  /** Optional, UnsignedChar: voxels are excluded where it is 0, and where the image is infinite or NaN: they have no
   * force, and no weight where images are smoothed and shrunk. */
  ConstVolume fixedMask;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  ConstVolume movingMask;
  /** Maps points of the fixed image to points of the moving image. Between slices, it must map the plane of the fixed
   * one to that of the moving one, to half the thickness of a slice; fields must then stay in the plane. */
  AffineMap transform;
  /** Optional, on the fixed grid: the initial transform is p -> transform(p + transformField(p)). */
  ConstField transformField;
  /** Optional, on the fixed grid: the displacement field to start from. It must not fold, and its Jacobian determinant
   * must not be below jacobianBound. */
  ConstField initialField;
  /** One for each of RegistrationParameters::furtherChannels. */
  std::vector<ChannelImages> furtherChannels;
  /** Optional pairs of points, which must lie on the grids of the images. */
  PointPairs points;
  /** Optional maps of labels of both heads. */
  LabelPair labels;

  /** Whether there is a first channel. */
  bool
  HasImages() const
  {
    return fixedImage.data != nullptr || movingImage.data != nullptr;
  }
};

/** Returns whether the middle grid of a symmetric registration has the axes and voxels of \p a, not those of \p b. This
 * does not depend on which of them is the fixed image's: it takes the voxels of larger volume, and of equal ones those
 * that come first in an arbitrary but fixed order. */
CudaNeuro_EXPORT bool
HasMiddleVoxels(const Geometry & a, const Geometry & b);

/** The state that an observer receives after each iteration. */
struct RegistrationIteration
{
  /** Index of the level, and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** energy = imageEnergy + unbiasedWeight * biasEnergy + pointWeight * pointEnergy + labelWeight * labelEnergy, each a
   * mean over the grid of the level; all are from before the iteration's step. */
  double energy = 0.0;
  /** The mean of the channels' energies, with their weights. */
  double imageEnergy = 0.0;
  double biasEnergy = 0.0;
  double pointEnergy = 0.0;
  double labelEnergy = 0.0;
  /** The energy of each channel, without its weight; 0 where the weight is 0. */
  std::vector<double> channelEnergies;
  /** Minimum Jacobian determinant of h. */
  double minimumJacobian = 1.0;
  /** Length of the step, in voxels of the level. */
  double step = 0.0;
  /** Whether the previous step took the Jacobian determinant below the bound and was halved. */
  bool wasShortened = false;
};

/** Distances from transform(h(fixed point)) to the moving point of each pair, in mm. */
struct PointDistances
{
  /** With the initial map, and with the final one. */
  std::vector<double> before;
  std::vector<double> after;
};

/** Results of Register. */
struct RegistrationResult
{
  /** Whether RegistrationOutputs::displacement holds a map that does not fold. It is set as soon as the map is written,
   * so that it is right also after an exception; it is false where no displacement was asked for. */
  bool                               hasField = false;
  std::vector<RegistrationIteration> iterations;
  /** Number of outliers of the fixed and of the moving image that were repaired. */
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
  /** The state at the end, on the finest level that was run. */
  RegistrationIteration final;
  int                   numberOfShortenedSteps = 0;
  /** Residual of inverse(p) followed by h, in voxels; set where a symmetric registration computes both, or where the
   * inverse was asked for. */
  InversionResult inversion;
  /** Mean and maximum distance, in mm, of the round trip h then inverse, and inverse then h, from the identity, at
   * the voxels that the first of the two leaves on the grid; the other is interpolated linearly. 0 without an
   * inverse. */
  double meanInverseError = 0.0;
  double maximumInverseError = 0.0;
  /** Maximum number of rounds that repaired folds after a change of the grid, or when two halves were joined. */
  int numberOfMendingRounds = 0;
  /** Whether smoothing did not suffice, and the map was scaled towards the identity: it aligns less than the energy
   * suggests. */
  bool           isDamped = false;
  JacobianResult jacobian;
  PointDistances pointDistances;
};

/** Outputs of a registration, on the fixed grid; each is optional. */
struct RegistrationOutputs
{
  /** The displacement h(p) - p. */
  Field displacement;
  /** The inverse of h, minus p. It does not fold: where the fixed-point iteration folds, the inverse is repaired. */
  Field inverse;
  /** moving(transform(h(p))), interpolated as \c warping says. */
  Volume warped;
  /** Interpolation of the warped image, one that TakesMask, and its value where the moving image has no value. */
  WarpParameters warping;
  /** Jacobian determinant of h. */
  Volume jacobian;
};

/** Called after each iteration, in order; on a GPU some time later. Returns false to end the registration with the
 * results so far. */
using RegistrationObserver = std::function<bool(const RegistrationIteration &)>;

/** Deforms one image onto another: Lee et al.'s unbiased fluid registration and the pairwise step of Ha et al.'s atlas.
 *
 * Starting from d = 0 or the initial field, with h(x) = x + d(x), each iteration computes the force, the gradient of
 * the energy E(d) = metric + unbiasedWeight * mean (J - 1) log J (Lee et al., eq. 8-11, where d is -u), a velocity v
 * from it, and moves the map: d <- d - dt v, where dt is such that the fastest voxel moves by the step. As smoothing is
 * positive, a short step lowers the energy; eq. 13 of Lee et al., which advects the map along v, need not. With
 * useDeformedGradient the force is the gradient by a composed map, and the map is advected, h <- h(x - dt v(x)).
 *
 * With several channels, the metric is the mean of theirs with their weights, in an order of sums that does not depend
 * on the caller's: channels in another order, and one of weight 0, change no bit of the map. Labels add
 *   labelWeight * mean over x of 1/2 sum over labels l of w_l (m_l(h(x)) - f_l(x))^2
 * with the indicator functions of the labels, that of the moving head interpolated linearly. Points x_k, y_k add
 *   pointWeight * V / N sum over k of |h(x_k) - y_k|^2 / (2 s_k^2)
 * with the N voxels of the level and the V voxels that the velocity's kernel reaches, its sum over its peak: a point
 * counts like images in that many voxels, equally on all levels. On coarse levels s_k^2 grows by the square of half a
 * voxel, by which images are smoothed there. y_k is mapped by the initial transform. Between voxels h is linear, and a
 * point's force lies at the eight voxels around it, from where the velocity spreads it.
 *
 * Where J would fall below jacobianBound, or come much nearer to it at once, the step is shortened around that voxel
 * only. A step that still leaves J too small is taken back and halved.
 *
 * With isSymmetric, two maps lead from a middle grid: h1 = x + d1 to the fixed image and h2 = x + d2 to the moving
 * image. E(d1, d2) = metric of fixed(h1) and moving(h2) + unbiasedWeight * (mean (J1 - 1) log J1 + mean (J2 - 1) log
 * J2). The maps move by opposite velocities, d1 <- d1 + dt v, d2 <- d2 - dt v, where v comes from the difference of the
 * gradients by d2 and d1. Bounds, lengths of steps and energies of iterations refer to h1 and h2; their bias is about
 * half of that of h. The result is h = h2(h1^-1), its inverse k = h1(h2^-1), from the inverses of the two halves. As J
 * of h is that of h2 divided by that of h1, h or k may be below the bound, or far from being the inverse of the other,
 * where h1 and h2 are not: there, both halves are smoothed a little, repeatedly, until J of h and of k is jacobianBound
 * or more everywhere, and k(h(p)) and h(k(p)) are within 0.4 voxels of p. Where 60 rounds do not suffice for the bound,
 * the halves are scaled towards the identity, around those voxels and finally everywhere, until they do, and isDamped
 * is set; the inverse's error is reported as it is. An initial field is that of h2.
 *
 * Where the grids of the images are equal and the transform is the identity, the middle grid is the same, and swapping
 * the images swaps the field and its inverse to the bit. Otherwise both images are resampled to a middle that does not
 * depend on which one is fixed: with s the square root of the transform, which divides it into two equal parts, the
 * points s(p) of the fixed image meet the points s^-1(q) of the moving image. The grid has the voxels that
 * HasMiddleVoxels selects, to which levels and lengths in voxels refer, and covers both images. The map found there, h,
 * is s^-1(h(s)) on the fixed grid. A transform with a transformField has no half: then the fixed grid is the middle,
 * which is not symmetric. Nor is matchIntensities, which maps the moving image's intensities to the fixed image's.
 *
 * A symmetric registration deforms the labels of both heads, and compares points in the middle: d2 - d1 with y_k - x_k,
 * at (x_k + y_k) / 2.
 *
 * Outputs in memory of the context's device serve the iterations as buffers, unless an image or field that is read lies
 * there, too: a registration then needs less additional memory. Their contents are lost.
 *
 * MutualInformation has numberOfHistogramBins bins from the minimum to the maximum intensity of each image; the Parzen
 * window of the fixed image is a box, that of the moving image a cubic B-spline, and its force is the derivative by the
 * latter. With isSymmetric, each map has the force of the image that it deforms, with the other one's window a box, and
 * the energy is the mean of the two informations. A nat has the scale of the other metrics: for two normal
 * distributions of correlation r it is -log(1 - r^2) / 2, whose derivative by r is that of LocalCorrelation's energy at
 * r = 0.7. On brains unbiasedWeight leaves about the spread of log J that it leaves with LocalCorrelation, up to 1.6
 * times that where it is 1.
 *
 * When the progress function aborts, or anything fails during the iterations, displacement and inverse hold the last
 * map that did not fold before the exception is thrown, if there is still memory to write them; \p result says so, and
 * has the iterations that were done. Otherwise the outputs hold nothing of use; if no iteration began, they are
 * unchanged.
 * \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer,
         RegistrationResult &           result);

/** The same, for callers that do not need the result of a registration that fails. */
CudaNeuro_EXPORT RegistrationResult
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer = {});

/** Checks parameters as Register does, for callers that want to know before there are images.
 * \throws InvalidParameterError that names the value and its limit */
CudaNeuro_EXPORT void
RequireRegistrationParameters(const RegistrationParameters & parameters, const Grid & fixedGrid);

} // namespace cudaneuro

#endif
