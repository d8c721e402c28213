// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NonLocalMeansLevelSet_h
#define cudaneuro_NonLocalMeansLevelSet_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** Parameters of NonLocalMeansLevelSet; Describe says what each is. Weights are w(x, y) = exp(-|x - y|^2 / c1)
 * exp(-D(x, y) / c2); those below the smallest normal float, 1e-38, are 0. */
struct NonLocalMeansLevelSetParameters
{
  /** Delta of the band |phi| <= delta, in mm; 0 for RecommendedBandWidth. */
  double bandWidth = 0.0;
  int    patchSize = 5;
  /** If the band has fewer voxels, all of them are neighbors. */
  int    numberOfNeighbors = 96;
  double spatialScale = 0.0;
  double similarityScale = 0.0;
  int    numberOfIterations = 15;
  int    numberOfPasses = 1;
  /** Recomputes distances that are then exact as far as patches of the band reach (ReinitializeSignedDistance). Farther
   * away, they keep their magnitude, but are at least as large as the exact ones reach. */
  bool reinitialize = false;
  /** Adds a constant to the distances of the result, in and beyond the band, so that the surface encloses the volume
   * that it enclosed before, to 1e-6 of that and the rounding of the distances. */
  bool volumeCorrection = true;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const NonLocalMeansLevelSetParameters &)
{
  using P = NonLocalMeansLevelSetParameters;
  return std::make_tuple(
    Parameter(
      &P::bandWidth, "BandWidth", "mm", "Half-width of the narrow band around the surface", OrZero(lengthRange)),
    Parameter(&P::patchSize, "PatchSize", "voxels", "Edge length of the patches", InSteps(3, 7, 2)),
    Parameter(&P::numberOfNeighbors,
              "NumberOfNeighbors",
              "",
              "Number of most similar patches with which each voxel is averaged",
              Between(1, 128)),
    Parameter(&P::spatialScale,
              "SpatialScale",
              "mm^2",
              "c1 in the weight exp(-|x - y|^2 / c1) of a voxel's distance; infinity ignores the distance",
              OrZero(AtLeast(squaredLengthRange.minimum))),
    Parameter(&P::similarityScale,
              "SimilarityScale",
              "mm^2",
              "c2 in the weight exp(-D / c2) of the difference D of patches: larger ones smooth more",
              OrZero(squaredLengthRange)),
    Parameter(&P::numberOfIterations,
              "NumberOfIterations",
              "",
              "Number of time steps with the same weights",
              Between(1, 10000)),
    Parameter(&P::numberOfPasses, "NumberOfPasses", "", "Number of times that patches are compared", Between(1, 100)),
    Parameter(&P::reinitialize, "Reinitialize", "", "Recompute a distance function after each pass"),
    Parameter(&P::volumeCorrection, "VolumeCorrection", "", "Shift the surface so that its volume is preserved"));
}

/** Measurements of NonLocalMeansLevelSet, made while a surface is denoised. */
struct NonLocalMeansLevelSetResult
{
  /** Number of voxels of the band, in the first pass. */
  std::int64_t bandVoxels = 0;
  double       bandWidth = 0.0;
  /** c1 and c2 of the first pass, in mm^2. */
  double spatialScale = 0.0;
  double similarityScale = 0.0;
  /** dt = 1 / max_j sum_l w_jl of the first pass; 0 if all weights are 0, so that nothing changes. */
  double timeStep = 0.0;
  /** The 5 and 95 % quantiles of the input's gradient norm over the band, by central differences; both are near 1 for a
   * distance. Resolution 1 / 2048; 4 is 4 or more. */
  double lowGradientNorm = 1.0;
  double highGradientNorm = 1.0;
  /** Enclosed volumes in mm^3, by linear interpolation of the field between the centers of voxels, and the distance
   * that volumeCorrection added, in mm. Linear interpolation loses 1 / (2 r^2) of the volume of a sphere of radius r
   * voxels. */
  double volumeBefore = 0.0;
  double volumeAfter = 0.0;
  double volumeOffset = 0.0;
};

/** Returns the band width that a patch of the grid's voxels and the noise of segmented surfaces need. */
CudaNeuro_EXPORT double
RecommendedBandWidth(const Grid & grid);

/** Returns c2 for distances to labels, in mm^2: 0.3 n^3 h^2 for patches of n voxels of the mean spacing h. It is larger
 * than the value derived from the data, because the steps of a label's voxels make similar patches differ. */
CudaNeuro_EXPORT double
RecommendedLabelSimilarityScale(const Grid & grid, int patchSize);

/** Denoises the surface phi = 0 of a signed distance phi, negative inside, by nonlocal means over its whole narrow
 * band (Lee et al., equations 14 to 16; Dong et al. 2008).
 *
 * For each voxel j of the band, the m voxels l of the band with the smallest D(j, l) = |phi[j] - phi[l]|^2 are
 * found exactly, ties by index, where phi[j] is the patch around j, with the edge of the image repeated. Then
 *
 *   phi_j <- phi_j + dt sum_l w_jl (phi_l - phi_j),  dt = 1 / max_j sum_l w_jl,
 *
 * for all voxels at once, numberOfIterations times. Voxels outside the band keep their value, unless reinitialize
 * or volumeCorrection is set. Voxels where \p mask, which may be absent and is UnsignedChar, is 0 always keep
 * their value, and are no neighbors of others, but are part of patches. Further passes use the band of the result
 * so far.
 *
 * The result has the same bits in each run on one device; it may be in the memory of \p input.
 * \throws InvalidParameterError naming the value, for parameters out of range, a grid of fewer than two voxels
 * along an axis, distances that are not finite or above 1e15 in magnitude, an empty band, a band that is the whole
 * image, and, with reinitialize, a surface of which a pass leaves nothing; Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT NonLocalMeansLevelSetResult
NonLocalMeansLevelSet(Context &                               context,
                      const NonLocalMeansLevelSetParameters & parameters,
                      const Grid &                            grid,
                      const ConstVolume &                     input,
                      const ConstVolume &                     mask,
                      const Volume &                          output);

} // namespace cudaneuro

#endif
