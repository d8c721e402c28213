// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuroNonLocalMeans_h
#define cudaneuroNonLocalMeans_h

#include "cudaneuroContext.h"

#include <iosfwd>
#include <string>

namespace cudaneuro
{

enum class NonLocalMeansWeighting
{
  /** w(i,j) = sum over the patch of exp(-(V_i+d - V_j+d)^2 / (2 h^2)); Howison eq. 9. */
  PatchSum,
  /** w(i,j) = exp(-mean over the patch of (V_i+d - V_j+d)^2 / h^2); Buades et al. 2005. */
  PatchDistance
};

/** Weight of the centre voxel, w(i,i), under PatchDistance. Under PatchSum it is what eq. 9 gives: the number of
 * patch voxels. */
enum class NonLocalMeansCenterWeight
{
  /** 1, what the formula gives. */
  One,
  /** The largest weight among the other voxels of the window (1 where all of those are 0). */
  Maximum
};

/** Names as they stand above. */
CudaNeuro_EXPORT std::ostream &
                 operator<<(std::ostream & os, NonLocalMeansWeighting weighting);
CudaNeuro_EXPORT std::ostream &
                 operator<<(std::ostream & os, NonLocalMeansCenterWeight centerWeight);
/** Sets the value that has the name.
 * \throws InvalidParameterError, which lists the names. */
CudaNeuro_EXPORT void
FromName(const std::string & name, NonLocalMeansWeighting & weighting);
CudaNeuro_EXPORT void
FromName(const std::string & name, NonLocalMeansCenterWeight & centerWeight);

struct NonLocalMeansParameters
{
  NonLocalMeansWeighting    weighting = NonLocalMeansWeighting::PatchSum;
  NonLocalMeansCenterWeight centerWeight = NonLocalMeansCenterWeight::One;
  /** Half-width of the search window and of the patch per axis, in voxels; window >= 1, patch >= 0. Neither is looked
   * at along an axis of size 1. */
  std::array<int, 3> windowRadius{ 3, 3, 3 };
  std::array<int, 3> patchRadius{ 2, 2, 2 };
  /** Smoothing parameter h, in intensity units; > 0. */
  double smoothing = 1.0;
  /** Average squared values and return sqrt(max(mean - 2 sigma^2, 0)), which removes the bias that Rician noise has
   * in magnitude MR images (Wiest-Daesslé et al. 2008). */
  bool ricianCorrection = false;
  /** Noise standard deviation sigma for ricianCorrection, in intensity units; >= 0. */
  double noiseSigma = 0.0;
};

/** The smoothing parameter, over the standard deviation of the noise, that came out best on T1 brain images with 3 and 9 %
 * of Rician noise: 0.7 for PatchDistance (with centre weight Maximum), 0.01 for PatchSum. */
CudaNeuro_EXPORT double
RecommendedSmoothingFactor(NonLocalMeansWeighting weighting);

/** Non-local means, Howison eq. 8-10, exact, by one box filter for each window offset (Darbon et al. 2008).
 *
 * Voxels outside the image, outside the mask (mask value 0) or not finite take no part: they keep their value, have no
 * weight in others, and a patch term of which either end is such a voxel is left out of the patch's sum or mean.
 * \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
NonLocalMeans(Context &                       context,
              const NonLocalMeansParameters & parameters,
              const Grid &                    grid,
              const ConstVolume &             input,
              const ConstVolume &             mask,
              const Volume &                  output);

/** Standard deviation of the noise, in intensity units.
 *
 * 1.4826 times the median absolute pseudo-residual, sqrt(2n / (2n + 1)) (V_i - mean of its 2n axis neighbours) with n
 * the number of axes longer than 1 (Gasser et al. 1986; Coupé et al. 2008), over the voxels brighter than the mean of
 * all that take part, and whose 2n neighbours take part. 0 where there is no such voxel.
 * \throws Error, Aborted */
CudaNeuro_EXPORT double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace cudaneuro

#endif
