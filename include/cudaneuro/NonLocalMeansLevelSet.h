// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NonLocalMeansLevelSet_h
#define cudaneuro_NonLocalMeansLevelSet_h

#include "cudaneuro/Context.h"

#include <cstdint>

namespace cudaneuro
{

/** Lengths are in mm, the unit of the grid's spacing and of the distances. */
struct NonLocalMeansLevelSetParameters
{
  /** Half-width delta of the band |phi| <= delta of voxels that are denoised; 1e-6 to 1e6, or 0 for RecommendedBandWidth. */
  double bandWidth = 0.0;
  /** Voxels along each edge of the patches that are compared: 3, 5 or 7. */
  int patchSize = 5;
  /** Number m of the most similar patches of the whole band that a voxel is averaged with, itself left out; 1 to 128. With
   * fewer voxels in the band, all of them. */
  int numberOfNeighbors = 96;
  /** c1 and c2 in w(x, y) = exp(-|x - y|^2 / c1) exp(-D(x, y) / c2), in mm^2; 1e-30 to 1e30, or 0 for one derived from the
   * data. An infinite c1 leaves the first factor out. Weights below the smallest normal float, 1e-38, are 0. */
  double spatialScale = 0.0;
  double similarityScale = 0.0;
  /** Steps of the nonlocal heat equation for each set of weights; 1 to 10000. */
  int numberOfIterations = 15;
  /** How often patches are compared and weights computed anew, on the result so far; 1 to 100. */
  int numberOfPasses = 1;
  /** Makes the field a distance again after each pass, exactly as far as patches of the band reach
   * (ReinitializeSignedDistance). Farther away, distances keep their magnitude, but are at least as large as that. */
  bool reinitialize = false;
  /** Adds a constant to the distances of the result, in and beyond the band, so that the surface encloses the volume that it
   * enclosed before, to 1e-6 of that and the rounding of the distances. */
  bool volumeCorrection = true;
};

/** What was found on the way. */
struct NonLocalMeansLevelSetResult
{
  /** Voxels of the band, in the first pass. */
  std::int64_t bandVoxels = 0;
  double       bandWidth = 0.0;
  /** c1 and c2 of the first pass, in mm^2. */
  double spatialScale = 0.0;
  double similarityScale = 0.0;
  /** dt = 1 / max_j sum_l w_jl of the first pass; 0, and nothing changes, where all weights are 0. */
  double timeStep = 0.0;
  /** The 5 and 95 % quantiles of the input's gradient norm over the band, by central differences; both near 1 for a distance.
   * To 1 / 2048; 4 is 4 or more. */
  double lowGradientNorm = 1.0;
  double highGradientNorm = 1.0;
  /** Enclosed volumes in mm^3, by linear interpolation of the field between the centers of voxels, and what volumeCorrection
   * added, in mm. Linear interpolation takes 1 / (2 r^2) of the volume of a sphere of radius r voxels. */
  double volumeBefore = 0.0;
  double volumeAfter = 0.0;
  double volumeOffset = 0.0;
};

/** The band width that a patch of the grid's voxels and the noise of segmented surfaces need: see the definition. */
CudaNeuro_EXPORT double
RecommendedBandWidth(const Grid & grid);

/** A c2 for distances to labels, in mm^2: 0.3 n^3 h^2 for patches of n voxels of the mean spacing h. It is larger than what is
 * derived from the data, because the steps of a label's voxels make alike patches unlike. */
CudaNeuro_EXPORT double
RecommendedLabelSimilarityScale(const Grid & grid, int patchSize);

/** Denoises the surface phi = 0 of a signed distance phi, negative inside, by nonlocal means over its whole narrow band
 * (Lee et al., equations 14 to 16; Dong et al. 2008).
 *
 * For each voxel j of the band the m voxels l of the band with the smallest D(j, l) = |phi[j] - phi[l]|^2 are found exactly,
 * ties by index, where phi[j] is the patch around j, whose values beyond the edge of the image are those at the edge. Then
 *
 *   phi_j <- phi_j + dt sum_l w_jl (phi_l - phi_j),  dt = 1 / max_j sum_l w_jl,
 *
 * for all voxels at once, numberOfIterations times. Voxels outside the band keep their value, unless reinitialize or
 * volumeCorrection is set. With \p mask, which may be absent and is UnsignedChar, voxels where it is 0 keep their value in any
 * case, and are nobody's neighbor, but are part of patches. Further passes have the band of the result so far.
 *
 * The result has the same bits in each run on one device; it may be in the memory of \p input.
 * \throws InvalidParameterError naming the value, for parameters out of range, a grid of fewer than two voxels along an axis,
 * distances that are not finite or above 1e15 in magnitude, an empty band, a band that is the whole image, and, with
 * reinitialize, a surface of which a pass leaves nothing; Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT NonLocalMeansLevelSetResult
NonLocalMeansLevelSet(Context &                               context,
                      const NonLocalMeansLevelSetParameters & parameters,
                      const Grid &                            grid,
                      const ConstVolume &                     input,
                      const ConstVolume &                     mask,
                      const Volume &                          output);

} // namespace cudaneuro

#endif
