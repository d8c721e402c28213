// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_AdaptiveNonLocalMeans_h
#define cudaneuro_AdaptiveNonLocalMeans_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** Parameters of AdaptiveNonLocalMeans; Describe lists their units, meanings and ranges. */
struct AdaptiveNonLocalMeansParameters
{
  double smoothingFactor = 1.0;
  /** The result is the signal that has the denoised magnitude under Rician noise (Koay and Basser 2006): 0 below 0.65
   * times the noise, never negative. Images with many negative voxels are refused (NonLocalMeansParameters). */
  bool   ricianCorrection = false;
  double noiseStandardDeviation = 1.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const AdaptiveNonLocalMeansParameters &)
{
  using P = AdaptiveNonLocalMeansParameters;
  return std::make_tuple(
    Parameter(&P::smoothingFactor,
              "SmoothingFactor",
              "",
              "Smoothing strength as a multiple of the noise; larger values smooth more",
              Between(0.01, 100.0)),
    Parameter(
      &P::ricianCorrection, "RicianCorrection", "", "Remove the bias of Rician noise, which magnitude MR images have"),
    Parameter(&P::noiseStandardDeviation,
              "NoiseStandardDeviation",
              "intensity units",
              "Standard deviation of the noise",
              intensityScaleRange));
}

/** Non-local means without a strength to choose: groups of similar blocks are shrunk, coefficient by coefficient,
 * according to the variance of each coefficient in its group (Lebrun et al. 2013, "A nonlocal Bayesian image denoising
 * algorithm", with the variances of the cosine transform in place of covariances).
 *
 * For every third block of 4 x 4 x 4 voxels, the group is the 16 blocks most similar to it among those at most 3 voxels
 * away along each axis. The cosine transforms of a group have a mean and a variance in each coefficient, which Wiener's
 * rule uses to shrink them. The blocks return to their places, and a voxel becomes the mean of its values in all of
 * them. A second pass does the same, with similarity and variances taken from the first pass's result. Where the image
 * has fewer than 4 voxels along an axis, blocks are 4 x 4 in planes, and candidates are up to 5 voxels away.
 *
 * Voxels outside the mask (mask value 0), infinite, NaN, or far beyond all others (SampleIntensities()) keep their
 * value, and nothing inside depends on them; so do voxels that differ from a typical one by more than 2^24 times the
 * noise. CPU and GPU give the same bits.
 *
 * \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, also for grids with fewer than two axes of 4 voxels or more; Error, OutOfMemoryError,
 * Aborted */
CudaNeuro_EXPORT void
AdaptiveNonLocalMeans(Context &                               context,
                      const AdaptiveNonLocalMeansParameters & parameters,
                      const Grid &                            grid,
                      const ConstVolume &                     input,
                      const ConstVolume &                     mask,
                      const Volume &                          output);

/** Adaptive non-local means for noise that varies in space. \p noise holds the standard deviation of the noise at each
 * voxel, as EstimateNoiseMap writes it; noiseStandardDeviation of the parameters multiplies it. A block is shrunk by
 * the mean noise variance of its voxels.
 *
 * A constant map gives the same bits as the other function with that constant times noiseStandardDeviation. A map value
 * of 0 means unknown noise: such voxels are excluded, like those outside the mask. Values below 2^-30 of the map's
 * maximum are raised to it. Outside the mask the map may have any values.
 * \returns the number of voxels of the mask where the map is 0
 * \throws InvalidParameterError with value and voxel where the map is negative, infinite or NaN inside the mask, or if
 * it is 0 everywhere there; Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT std::int64_t
                 AdaptiveNonLocalMeansWithNoiseMap(Context &                               context,
                                                   const AdaptiveNonLocalMeansParameters & parameters,
                                                   const Grid &                            grid,
                                                   const ConstVolume &                     input,
                                                   const ConstVolume &                     mask,
                                                   const ConstVolume &                     noise,
                                                   const Volume &                          output);

} // namespace cudaneuro

#endif
