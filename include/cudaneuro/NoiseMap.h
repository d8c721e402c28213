// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NoiseMap_h
#define cudaneuro_NoiseMap_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{
/** Parameters of EstimateNoiseMap; Describe says what each is. */
struct NoiseMapParameters
{
  /** 0 is 8 voxels, and 16 in planes. */
  double smoothingSigma = 0.0;
  /** Noise of a magnitude image has a smaller standard deviation where there is little signal: 0.655 sigma in the air.
   * With the correction the map is sigma, that of the noise in the real and the imaginary part (Koay and Basser 2006).
   * Images in which many voxels are negative are refused, as NonLocalMeansParameters::ricianCorrection says. */
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

/** What a map is made of. */
struct NoiseMapResult
{
  /** Voxels of the map above 0, and their values. NaN where there are none. */
  std::int64_t numberOfVoxels = 0;
  double       mean = 0.0;
  double       minimum = 0.0;
  double       maximum = 0.0;
  /** Voxels that take part, but have no voxel near them from which the noise could be told; the map is 0 there. */
  std::int64_t numberOfExcludedVoxels = 0;
  /** Standard deviation of the Gaussian, in voxels, also where it was chosen. */
  double smoothingSigma = 0.0;
};

/** Standard deviation of the noise at each voxel of a volume or a plane, in intensity units. Noise is independent from
 * voxel to voxel, and its standard deviation varies smoothly.
 *
 * The image is looked at in cubes of 2 voxels along each axis longer than 1, all that there are. The Haar transform of
 * a cube (Mallat 1989) has a component that is a difference along all axes: noise is there, edges hardly are. The other
 * differences, in which edges are, weigh the cube, and are independent of that component where there is noise alone.
 * Blocks of 8 cubes along each axis (16 in planes) have a first value each, by a mean that small components decide;
 * these are averaged over neighbors, large ones less, and corrected twice by weighted variances. Where slices, which are
 * along z, are thicker than 1.41, 2.82 and 5.64 voxels in them are wide, blocks are 4, 2 and 1 cubes deep, and the
 * smoothing sigma is as much smaller along z.
 *
 * Voxels take part that are finite, inside the mask and of a magnitude that EstimateNoiseSigma() takes; where they do
 * not, the map is 0. Rounding to integers is noise, too. A cube whose voxels are equal says nothing of the noise; neither
 * do images with fewer than two axes longer than 1. The map is 0, and NoiseMapResult says so, at voxels around which no
 * block has a cube that does.
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
