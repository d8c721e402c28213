// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NoiseMap_h
#define cudaneuro_NoiseMap_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{
/** Parameters of EstimateNoiseMap; Describe lists their units, meanings and ranges. */
struct NoiseMapParameters
{
  /** 0 stands for 8 voxels, and 16 in planes. */
  double smoothingSigma = 0.0;
  /** The noise of a magnitude image has a smaller standard deviation where there is little signal: 0.655 sigma in air.
   * With the correction the map is sigma, that of the noise in the real and the imaginary part (Koay and Basser 2006).
   * Images in which many voxels are negative are refused, see NonLocalMeansParameters::ricianCorrection. */
  bool ricianCorrection = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const NoiseMapParameters &)
{
  using P = NoiseMapParameters;
  return std::make_tuple(
    Parameter(&P::smoothingSigma,
              "SmoothingSigma",
              "voxels",
              "Standard deviation of the Gaussian over which the noise is averaged",
              OrZero(Between(4.0, 1e3))),
    Parameter(
      &P::ricianCorrection, "RicianCorrection", "", "Correct for Rician noise, which magnitude MR images have"));
}

/** Statistics of a noise map. */
struct NoiseMapResult
{
  /** Number of voxels of the map above 0, and the statistics of their values; NaN where there are none. */
  std::int64_t numberOfVoxels = 0;
  double       mean = 0.0;
  double       minimum = 0.0;
  double       maximum = 0.0;
  /** Number of included voxels without any voxel near them from which noise can be estimated; the map is 0 there. */
  std::int64_t numberOfExcludedVoxels = 0;
  /** Standard deviation of the Gaussian that was used, in voxels, given or chosen. */
  double smoothingSigma = 0.0;
};

/** Estimates the standard deviation of the noise at each voxel of a volume or a plane, in intensity units. Noise is
 * assumed independent from voxel to voxel, with a standard deviation that varies smoothly.
 *
 * All cubes of 2 voxels along each axis longer than 1 are analyzed, at every position. The Haar transform of a cube
 * (Mallat 1989) has a component that is a difference along all axes, which contains noise and hardly any edges. The
 * other differences, which contain edges, determine the cube's weight, and are independent of that component in pure
 * noise. Blocks of 8 cubes along each axis (16 in planes) have a first value each, by a mean that small components
 * decide; these are averaged over neighbors, large ones less, and corrected twice by weighted variances. Along the axis
 * of thick slices, whose spacing is more than 1.41, 2.82 and 5.64 times that of both other axes, blocks are 4, 2 and 1
 * cubes deep, and the smoothing sigma is smaller by the same factor.
 *
 * Voxels are included that are finite, inside the mask and of a magnitude that EstimateNoiseSigma() includes; at others
 * the map is 0. Rounding to integers is noise, too. A cube whose voxels are equal has no information on the noise;
 * neither have images with fewer than two axes longer than 1. The map is 0, and NoiseMapResult counts it, at voxels
 * around which no block has a cube with information.
 *
 * On a CUDA device, a volume that does not fit into its memory is read in slabs, four times; the map has the same bits.
 *
 * \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT NoiseMapResult
EstimateNoiseMap(Context &                  context,
                 const NoiseMapParameters & parameters,
                 const Grid &               grid,
                 const ConstVolume &        input,
                 const ConstVolume &        mask,
                 const Volume &             map);

} // namespace cudaneuro

#endif
