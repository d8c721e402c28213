// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Registration_h
#define cudaneuro_Registration_h

#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/RegistrationLevel.h"
#include "cudaneuro/RegistrationMetric.h"

#include <functional>
#include <ostream>
#include <vector>

namespace cudaneuro
{

/** Method that computes the velocity from the force. */
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
/** Names of the values: "Gaussian", "SuccessiveOverRelaxation", "FourierTransform". */
CudaNeuro_EXPORT std::ostream &
                 operator<<(std::ostream & os, VelocityMethod solver);
CudaNeuro_EXPORT void
FromName(const std::string & name, VelocityMethod & solver);
/** Parameters of Register. */
struct RegistrationParameters
{
  /** What makes the images alike. */
  RegistrationMetric metric = RegistrationMetric::MeanSquares;
  /** Half-width of the boxes of LocalCorrelation, in voxels of the level; 1 to 8. */
  int correlationRadius = 3;
  /** Bins of each image's intensities for MutualInformation; 8 to 64. */
  int numberOfHistogramBins = 32;
  /** Map the intensities of the moving image to those of the fixed image by their quantiles first. For MeanSquares. */
  bool matchIntensities = false;

  /** Repair intensities far beyond nearly all others, such as spikes and codes: beyond the quantiles of 0.15 % and 99.85 % of
   * the image, inside its mask, by more than the distance between them. Groups of at most 3^3 voxels (2D: 3^2) get the mean of
   * their neighbors, larger ones the limit. RegistrationOutputs::warped is of the image as given. */
  bool repairOutliers = true;

  /** Weight of the symmetric Kullback-Leibler distance (Lee et al., eq. 8 and 10), the lambda of the unbiased method;
   * 0 to 1e6; 0 leaves it out. */
  double unbiasedWeight = 0.0;
  /** Force from the gradient of the deformed image, as Ha et al. have it, instead of the gradient of the moving image
   * at the deformed position, as Lee et al. have it. */
  bool useDeformedGradient = false;

  /** Both images move to a middle, so that swapping them gives the inverse map: see Register. */
  bool isSymmetric = false;

  VelocityMethod solver = VelocityMethod::Gaussian;
  /** Standard deviation of the Gaussian solver, in voxels of the level; 1e-6 to 1e6. */
  std::array<double, 3> sigma{ 2.0, 2.0, 2.0 };
  /** That of each level, coarsest first, in place of sigma; empty for sigma on all levels. A wide Gaussian on coarse
   * levels finds large smooth deformations, and the finest level's may still be narrow. */
  std::vector<std::array<double, 3>> sigmaPerLevel;
  /** Coefficients of the other solvers, in units of voxels of the level; alpha and gamma 1e-6 to 1e6, beta 0 to 1e6
   * (FourierTransform only). */
  double alpha = 1.0;
  double beta = 0.0;
  double gamma = 0.02;
  /** Sweeps of SuccessiveOverRelaxation in the first iteration of a level, and in each later one; >= 1. */
  int firstSweeps = 100;
  int sweeps = 5;

  /** Largest displacement of an iteration, in voxels of the level; 1e-6 to 1. */
  double maximumStep = 0.5;
  /** Bound of the Jacobian determinant of h in voxels of every level; 0 to 0.5; 0 asks for J > 0 alone. Where a step
   * would take J below it, the map moves less there. */
  double minimumJacobian = 0.02;
  /** Standard deviation of a Gaussian that smooths the displacement field after each iteration, in voxels of the level;
   * 0 to 1e6; 0 leaves it as it is. */
  std::array<double, 3> fieldSigma{ 0.0, 0.0, 0.0 };

  /** Coarsest first; not empty. */
  std::vector<RegistrationLevel> levels{ { { 4, 4, 4 }, 100 }, { { 2, 2, 2 }, 100 }, { { 1, 1, 1 }, 100 } };
  /** A level ends when the energy has fallen by less than this fraction of it over the last 10 iterations; 0 runs all
   * iterations; at most 1. */
  double convergenceThreshold = 0.0;

  /** When the inversion of the map stops. */
  InversionParameters inversion;
};

/** Inputs of a registration. Its result is a map h of the fixed grid such that moving(transform(h(p))) is like
 * fixed(p). */
struct RegistrationImages
{
  Geometry    fixedGeometry;
  ConstVolume fixedImage;
  /** Optional, UnsignedChar: where it is 0 the image is excluded, as it is where it is infinite or NaN: it has no force there, and
   * no weight where images are smoothed and shrunk. */
  ConstVolume fixedMask;
  Geometry    movingGeometry;
  ConstVolume movingImage;
  ConstVolume movingMask;
  /** From points of the fixed image to points of the moving image. Between slices, it must take the plane of the fixed one to that of the
   * moving one, to half the thickness of a slice. Fields must stay in the plane then. */
  AffineMap transform;
  /** Optional, on the fixed grid: the initial transform is p -> transform(p + transformField(p)). */
  ConstField transformField;
  /** Optional, on the fixed grid: the displacement field to start from. It must not fold, and its Jacobian determinant
   * must not be below minimumJacobian. */
  ConstField initialField;
};

/** Whether the middle grid of a symmetric registration has the axes and voxels of \p a, not those of \p b, whichever of
 * them is the fixed image's: those of larger volume, and where these are equal, what comes first in an order of no
 * meaning. */
CudaNeuro_EXPORT bool
HasMiddleVoxels(const Geometry & a, const Geometry & b);

/** The state after an iteration. */
struct RegistrationIteration
{
  /** Index of the level, and of the iteration in it, from 0. */
  int level = 0;
  int iteration = 0;
  /** energy = imageEnergy + unbiasedWeight * biasEnergy, each a mean over the grid of the level; before the iteration's
   * step. */
  double energy = 0.0;
  double imageEnergy = 0.0;
  double biasEnergy = 0.0;
  /** Least Jacobian determinant of h. */
  double minimumJacobian = 1.0;
  /** Step in voxels of the level. */
  double step = 0.0;
  /** True when the previous step took the Jacobian determinant below the bound and was halved. */
  bool wasShortened = false;
};
/** What Register did. */
struct RegistrationResult
{
  /** RegistrationOutputs::displacement holds a map that does not fold: set as soon as it is written, so that it is known
   * also after an exception. False where no displacement was asked for. */
  bool                               hasField = false;
  std::vector<RegistrationIteration> iterations;
  /** Of the fixed and the moving image: outliers that were repaired. */
  std::array<std::int64_t, 2> numberOfOutliers{ 0, 0 };
  /** At the end, on the finest level run. */
  RegistrationIteration final;
  int                   numberOfShortenedSteps = 0;
  /** Of inverse(p) and then h, in voxels; where a symmetric registration makes both, or the inverse was asked for. */
  InversionResult inversion;
  /** Mean and maximum, in mm, of how far the map and then its inverse, and the inverse and then the map, are from the
   * identity at the voxels that the first of the two leaves on the grid; the other is interpolated linearly. 0 without an
   * inverse. */
  double meanInverseError = 0.0;
  double maximumInverseError = 0.0;
  /** The most rounds that mended the map after a change of its grid, or when two halves were joined. */
  int numberOfMendingRounds = 0;
  /** Smoothing did not suffice, and the map was brought nearer to the identity: it aligns less than the energy tells. */
  bool           isDamped = false;
  JacobianResult jacobian;
};

/** Outputs of a registration, on the fixed grid; each is optional. */
struct RegistrationOutputs
{
  /** h(p) - p */
  Field displacement;
  /** The inverse of h, minus p. It does not fold: where the fixed-point iteration does, it is mended. */
  Field inverse;
  /** moving(transform(h(p))), as warping tells. */
  Volume warped;
  /** How the warped image is interpolated, and what it is where the moving image has no value. */
  WarpParameters warping;
  /** Jacobian determinant of h. */
  Volume jacobian;
};

/** Called with the state of each iteration in order; on a GPU some time later. Returns false to end the registration
 * with the results so far. */
using RegistrationObserver = std::function<bool(const RegistrationIteration &)>;

/** Registers two images: Lee et al.'s unbiased fluid registration, and the pairwise step of Ha et al.'s atlas.
 *
 * Starting from d = 0 or the initial field, with h(x) = x + d(x), each iteration computes the force, the gradient of
 * the energy E(d) = metric + unbiasedWeight * mean (J - 1) log J (Lee et al., eq. 8-11, where d is -u), a velocity v
 * from it, and moves the map: d <- d - dt v, where dt lets the fastest voxel move by the step. As smoothing is positive,
 * a short step lowers the energy; eq. 13 of Lee et al., which advects the map along v, need not. With
 * useDeformedGradient the force is the gradient by a composed map, and the map is advected, h <- h(x - dt v(x)).
 *
 * Where J would fall below minimumJacobian, or come much nearer to it at once, the step is shortened around the voxel
 * alone. A step that still leaves J too small is taken back and halved.
 *
 * With isSymmetric, two maps lead from a middle grid: h1 = x + d1 to the fixed image and h2 = x + d2 to the moving
 * image. E(d1, d2) = metric of fixed(h1) and moving(h2) + unbiasedWeight * (mean (J1 - 1) log J1 + mean (J2 - 1) log
 * J2). The maps move by opposite velocities, d1 <- d1 + dt v, d2 <- d2 - dt v, where v comes from the difference of the
 * gradients by d2 and d1. Bounds, lengths of steps and energies of iterations are of h1 and h2; their bias is about half
 * of that of h. The result is h = h2(h1^-1), its inverse k = h1(h2^-1), from the inverses of the two halves. As J of h is
 * that of h2 divided by that of h1, h or k may be below the bound, or far from being the inverse of the other, where h1
 * and h2 are not: there, both halves are smoothed a little, again and again, until J of h and of k is minimumJacobian or
 * more everywhere, and k(h(p)) and h(k(p)) are within 0.4 voxels of p. Where 60 rounds do not suffice for
 * the bound, the halves are brought nearer to the identity, around those voxels and at last everywhere, until they do, and
 * isDamped tells; the inverse's error is reported as it is. An initial field is that of h2.
 *
 * Where the grids of the images are equal and the transform is the identity, the middle grid is the same, and swapping
 * the images swaps the field and its inverse to the bit. Else both images are resampled to a middle that does not depend
 * on which one is fixed: with s the square root of the transform, which does it in two equal parts, the points s(p) of
 * the fixed image meet the points s^-1(q) of the moving image. The grid has the voxels that HasMiddleVoxels tells, to
 * which levels and lengths in voxels belong, and reaches over both images. The map found there, h, is s^-1(h(s)) on the
 * fixed grid. A transform with a transformField has no half: then the fixed grid is the middle, which is not symmetric.
 * Nor is matchIntensities, which maps the moving image's intensities to the fixed image's.
 *
 * Outputs in memory of the context's device lend it to the iterations, unless an image or field that is read lies there,
 * too: besides them, a registration takes less. What they held before is lost then.
 *
 * MutualInformation is that of numberOfHistogramBins bins from the least to the largest intensity of each image; the
 * Parzen window of the fixed image is a box, that of the moving image a cubic B-spline, and its force is the derivative
 * by the latter. With isSymmetric, each map has the force of the image that it deforms, with the other one's window a
 * box, and the energy is the mean of the two informations. A nat has the scale of the other metrics: of two normal
 * distributions of correlation r it is -log(1 - r^2) / 2, whose derivative by r is that of LocalCorrelation's energy
 * at r = 0.7. On brains unbiasedWeight leaves about the spread of log J that it leaves with LocalCorrelation, up to 1.6
 * times that where it is 1.
 *
 * When the progress function aborts, or anything fails during the iterations, displacement and inverse hold the last
 * map that did not fold before the exception leaves, if there is still memory to write them; \p result says so, and has
 * the iterations that were done. Otherwise no output holds anything of use; all are as before where no iteration was
 * begun.
 * \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer,
         RegistrationResult &           result);

/** As above, for callers that do not need the result of a registration that fails. */
CudaNeuro_EXPORT RegistrationResult
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer = {});

/** Requires of parameters what Register does, for callers that want to know it before there are images.
 * \throws InvalidParameterError that names the value and its limit */
CudaNeuro_EXPORT void
RequireRegistrationParameters(const RegistrationParameters & parameters, const Grid & fixedGrid);

} // namespace cudaneuro

#endif
