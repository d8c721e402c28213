// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_AdaptiveNonLocalMeans_h
#define cudaneuro_denoising_adaptive_AdaptiveNonLocalMeans_h

#include "cudaneuro/AdaptiveNonLocalMeans.h"
#include "core/Dispatch.h"
#include "denoising/adaptive/VoxelSteps.h"
#include "images/noise/NoiseValues.h"

namespace cudaneuro
{

/** Calls a step of VoxelSteps.h for each of \p count voxels or references. */
CUDANEURO_ON_BOTH(template <typename TStep>
                  void ForEachIndex(Context & context, std::int64_t count, const TStep & step));

/** The groups of similar blocks of all references of an image. */
struct BlockGroups
{
  /** The variance of the noise at each reference; 0 for a reference without a group. */
  const float * variances = nullptr;
  /** For each reference groupSize places in the window, the most similar block first; noMember where there is none. */
  std::uint16_t * members = nullptr;
};

/** Finds the groups. \param volume the image in which blocks are compared: noisy, or the result of the first pass */
CUDANEURO_ON_BOTH(
  void MatchBlocks(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups));

/** Shrinks the groups' blocks of \p noisy, and adds the changes of their voxels to the sums, which start at 0.
 * \param guide result of the first pass, or null in the first pass */
CUDANEURO_ON_BOTH(void ShrinkGroups(Context &            context,
                                    const BlockImage &   image,
                                    const float *        noisy,
                                    const float *        guide,
                                    const BlockGroups &  groups,
                                    const ResidualSums & residuals));

namespace gpu
{

/** Run MatchBlocks and ShrinkGroups with \p sharedBytes of shared memory for a block of threads, at least 64 KiB. */
void
MatchBlocksWithin(Context &           context,
                  const BlockImage &  image,
                  const float *       volume,
                  const BlockGroups & groups,
                  std::size_t         sharedBytes);
void
ShrinkGroupsWithin(Context &            context,
                   const BlockImage &   image,
                   const float *        noisy,
                   const float *        guide,
                   const BlockGroups &  groups,
                   const ResidualSums & residuals,
                   std::size_t          sharedBytes);

} // namespace gpu

/** Sets the sums and counts to 0. */
CUDANEURO_ON_BOTH(void ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals));

/** Arguments of cudaneuro::AdaptiveNonLocalMeans, which have been checked. */
struct AdaptiveCall
{
  const AdaptiveNonLocalMeansParameters & parameters;
  const Grid &                            grid;
  const ConstVolume &                     input;
  const ConstVolume &                     mask;
  const Volume &                          output;
  /** The noise at each voxel, or absent. The scalar parameters then hold for the voxel of the largest noise. */
  ConstVolume noise;
  NoiseValues noiseValues;
};

/** Denoises slab by slab. \param planes of results in a slab: all, or fewer where all axes have at least 4 voxels
 * \throws Error, OutOfMemoryError, Aborted */
void
DenoiseInSlabs(Context & context, const AdaptiveCall & call, std::int64_t planes);

} // namespace cudaneuro

#endif
