// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_AdaptiveNonLocalMeans_h
#define cudaneuro_AdaptiveNonLocalMeans_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** Parameters of AdaptiveNonLocalMeans; Describe says what each is. */
struct AdaptiveNonLocalMeansParameters
{
  double smoothingFactor = 1.0;
  /** The result is the signal of which Rician noise makes the magnitude that was found (Koay and Basser 2006); it is
   * never negative, and 0 below 0.65 times the noise. Images in which many voxels are negative are refused, as NonLocalMeansParameters says. */
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
              "Multiple of the noise that is taken away; more smooths more",
              Between(0.01, 100.0)),
    Parameter(
      &P::ricianCorrection, "RicianCorrection", "", "Remove the bias of Rician noise, which magnitude MR images have"),
    Parameter(&P::noiseStandardDeviation,
              "NoiseStandardDeviation",
              "intensity units",
              "Standard deviation of the noise",
              intensityScaleRange));
}

/** Non-local means in which no strength has to be chosen: groups of blocks that look alike are shrunk, coefficient by
 * coefficient, by how much each varies in its group (Lebrun et al. 2013, "A nonlocal Bayesian image denoising
 * algorithm", with the variances of the cosine transform in place of covariances).
 *
 * For every third block of 4 x 4 x 4 voxels, the 16 blocks most like it are taken, of those that are at most 3 voxels
 * away along each axis. Their cosine transforms have a mean and a variance in each coefficient, which are shrunk by
 * Wiener's rule. The blocks return to where they were taken from, and a voxel is the mean of what it was in all of
 * them. A second pass does the same, with likeness and variances from the first pass's result. Where the image has
 * fewer than 4 voxels along an axis, blocks are 4 x 4 in planes, as far as 5 voxels away.
 *
 * Voxels outside the mask (mask value 0), infinite, NaN, or far beyond all others (SampleIntensities()) keep their value,
 * and nothing inside depends on them; so do voxels that differ from a typical one by more than 2^24 times the noise.
 * CPU and GPU give the same bits.
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

/** Adaptive non-local means with noise that varies. \p noise holds the standard deviation of the noise at each voxel, as
 * EstimateNoiseMap writes it; the noise of the parameters is a multiple of it. A block is shrunk by the mean variance of
 * its voxels.
 *
 * A map of one value gives the bits of that value times the parameters. Where the map is 0, the noise is not known:
 * such voxels take no part, like those outside the mask. Values below 2^-30 of the largest count as that much.
 * Outside the mask the map may have anything.
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
