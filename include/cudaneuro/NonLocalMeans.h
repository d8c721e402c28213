// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NonLocalMeans_h
#define cudaneuro_NonLocalMeans_h

#include "cudaneuro/Context.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>
#include <string>

namespace cudaneuro
{
/** How the similarity of two patches determines the weight w(i,j). */
enum class NonLocalMeansWeighting
{
  /** w(i,j) = sum over the patch of exp(-(V_i+d - V_j+d)^2 / (2 h^2)); Howison eq. 9. */
  PatchSum,
  /** w(i,j) = exp(-mean over the patch of (V_i+d - V_j+d)^2 / h^2); Buades et al. 2005. */
  PatchDistance
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(NonLocalMeansWeighting)
{
  using E = NonLocalMeansWeighting;
  return MakeEnumNames<E>("weighting", { { E::PatchSum, "PatchSum" }, { E::PatchDistance, "PatchDistance" } });
}

/** Weight of the center voxel, w(i,i), under PatchDistance. Under PatchSum eq. 9 gives it: the number of included
 * voxels of the patch, which at the border of the image or mask is less than that of the whole patch. */
enum class NonLocalMeansCenterWeight
{
  /** 1, the value of the formula. */
  One,
  /** max(2^-64, max of w(i,j) over the other voxels j of the window). A voxel unlike all others keeps its value. */
  Maximum
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(NonLocalMeansCenterWeight)
{
  using E = NonLocalMeansCenterWeight;
  return MakeEnumNames<E>("center weight", { { E::One, "One" }, { E::Maximum, "Maximum" } });
}

/** Parameters of NonLocalMeans; Describe says what each is. itk::CudaNonLocalMeansImageFilter derives the smoothing
 * parameter from the noise. */
struct NonLocalMeansParameters
{
  NonLocalMeansWeighting    weighting = NonLocalMeansWeighting::PatchDistance;
  NonLocalMeansCenterWeight centerWeight = NonLocalMeansCenterWeight::Maximum;
  std::array<int, 3>        windowRadius{ 3, 3, 3 };
  std::array<int, 3>        patchRadius{ 2, 2, 2 };
  double                    smoothingParameter = 1.0;
  /** Averages squared values and returns sqrt(max(mean - a, 0)) with a = 2 sigma^2 (1 + 3 / sqrt(n)), which removes the
   * bias 2 sigma^2 that Rician noise has in magnitude MR images (Wiest-Daesslé et al. 2008), and air with it: over the
   * n voxels of a whole window, the mean of squares of air has the standard error 2 sigma^2 / sqrt(n). The result is
   * never negative: an image in which more than a twentieth of the voxels (of a lattice of up to 128 points an axis)
   * lie below 0 by more than a tenth of the quantile 15/16 of the positive values is refused. Fewer negative values
   * count by their magnitude.
   *
   * The error of the mean, and of the square of the result r, is at most e = 4e-6 (mean + a). The error of r is at most
   * the smaller of e / r and sqrt(e), since the square root magnifies rounding errors near 0. */
  bool   ricianCorrection = false;
  double noiseStandardDeviation = 0.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const NonLocalMeansParameters &)
{
  using P = NonLocalMeansParameters;
  return std::make_tuple(
    Parameter(&P::weighting, "Weighting", "", "How patches are compared"),
    Parameter(&P::centerWeight,
              "CenterWeight",
              "",
              "Weight of a voxel in its own mean: one, or the largest of the others",
              OnlyWith(&P::weighting, NonLocalMeansWeighting::PatchDistance)),
    Parameter(&P::windowRadius, "WindowRadius", "voxels", "Half-width of the search window", AtLeast(1)),
    Parameter(&P::patchRadius, "PatchRadius", "voxels", "Half-width of the patches", AtLeast(0)),
    Parameter(&P::smoothingParameter,
              "SmoothingParameter",
              "intensity units",
              "Smoothing parameter h; larger values smooth more",
              intensityScaleRange),
    Parameter(
      &P::ricianCorrection, "RicianCorrection", "", "Remove the bias of Rician noise, which magnitude MR images have"),
    Parameter(&P::noiseStandardDeviation,
              "NoiseStandardDeviation",
              "intensity units",
              "Standard deviation of the noise",
              FromZero(intensityScaleRange),
              OnlyWith(&P::ricianCorrection, true)));
}

/** Returns the ratio of smoothing to the standard deviation of the noise that was best on T1 brain images with Rician
 * noise of 3 and 9 %: 0.7 for PatchDistance (with center weight Maximum), 0.01 for PatchSum. */
CudaNeuro_EXPORT double
RecommendedSmoothingFactor(NonLocalMeansWeighting weighting);

/** Smooths noise by averaging voxels with similar patches: non-local means, Howison eq. 8-10, exact, by one box filter
 * for each window offset (Darbon et al. 2008).
 *
 * Voxels outside the image, outside the mask (mask value 0) or not finite are excluded: they keep their value and have
 * no weight in others, and patches omit terms with such a voxel at either end. \p mask is optional, UnsignedChar.
 *
 * Intensities farther than 2^48 / s from a typical one keep their value (their magnitude, with the Rician correction),
 * and weigh in others like an intensity at that distance. Here s = sqrt(log2(e) / 2) / h under PatchSum and
 * sqrt(log2(e)) / h under PatchDistance.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output);

/** Non-local means for noise that varies in space. \p noise holds the standard deviation of the noise at each voxel,
 * as EstimateNoiseMap writes it. The smoothing parameter and the noise of the parameters multiply it: h_i =
 * smoothingParameter * noise_i. PatchDistance compares all voxels of a patch with the h of the voxel that is
 * denoised, PatchSum each voxel i + d with its own, and the Rician correction uses the noise of the voxel that is
 * denoised.
 *
 * A constant map gives the same bits as NonLocalMeans with that constant times the parameters. A map value of 0 means
 * unknown noise: such voxels are excluded, like those outside the mask. Values below 2^-30 of the maximum count as
 * that much. The limit of 2^48 / s is that of the largest h. Outside the mask the map may have any values.
 * \returns the number of voxels of the mask where the map is 0
 * \throws InvalidParameterError with value and voxel where the map is negative, infinite or NaN inside the mask, or
 * if it is 0 everywhere there; Error, Aborted */
CudaNeuro_EXPORT std::int64_t
                 NonLocalMeansWithNoiseMap(Context &                       context,
                                           const NonLocalMeansParameters & parameters,
                                           const Grid &                    grid,
                                           const ConstVolume &             input,
                                           const ConstVolume &             mask,
                                           const ConstVolume &             noise,
                                           const Volume &                  output);

} // namespace cudaneuro

#endif
