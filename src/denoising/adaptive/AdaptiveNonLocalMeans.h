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

/** Does a step of VoxelSteps.h for \p count voxels or references. */
CUDANEURO_ON_BOTH(template <typename TStep>
                  void ForEachIndex(Context & context, std::int64_t count, const TStep & step));

/** Blocks that are alike, of all references of an image. */
struct BlockGroups
{
  /** The variance of the noise of each reference; 0 for those without a group. */
  const float * variances = nullptr;
  /** groupSize places in the window for each reference, the most alike first; noMember where there is none. */
  std::uint16_t * members = nullptr;
};

/** Finds the groups. \param volume in which blocks are compared */
CUDANEURO_ON_BOTH(
  void MatchBlocks(Context & context, const BlockImage & image, const float * volume, const BlockGroups & groups));

/** Shrinks the groups' blocks of \p noisy, and adds what that changes to the sums, which begin with 0.
 * \param guide result of the first pass, or null in the first */
CUDANEURO_ON_BOTH(void ShrinkGroups(Context &            context,
                                    const BlockImage &   image,
                                    const float *        noisy,
                                    const float *        guide,
                                    const BlockGroups &  groups,
                                    const ResidualSums & residuals));

namespace gpu
{

/** MatchBlocks and ShrinkGroups with so much shared memory for a block of threads: 64 KiB or more. */
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

/** Sets the sums to 0. */
CUDANEURO_ON_BOTH(void ClearResiduals(Context & context, std::int64_t numberOfVoxels, const ResidualSums & residuals));

/** Arguments of cudaneuro::AdaptiveNonLocalMeans, which have been checked. */
struct AdaptiveCall
{
  const AdaptiveNonLocalMeansParameters & parameters;
  const Grid &                            grid;
  const ConstVolume &                     input;
  const ConstVolume &                     mask;
  const Volume &                          output;
  /** The noise at each voxel, or absent. The parameters are those where it is largest. */
  ConstVolume noise;
  NoiseValues noiseValues;
};

/** \param planes of results at a time: all, or fewer where all axes have 4 voxels or more
 * \throws Error, OutOfMemoryError, Aborted */
void
DenoiseInSlabs(Context & context, const AdaptiveCall & call, std::int64_t planes);

} // namespace cudaneuro

#endif
