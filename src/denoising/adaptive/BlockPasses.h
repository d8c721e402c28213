// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockPasses_h
#define cudaneuro_denoising_adaptive_BlockPasses_h

#include "cudaneuro/Context.h"
#include "denoising/adaptive/VoxelSteps.h"
#include "jobs/SlabRange.h"

namespace cudaneuro
{

/** Voxels along z between which a result and what it depends on can be, in one pass and in both, with the gaps that
 * are filled. */
constexpr std::int64_t haloOfPass = BlockShape<blockEdge>::reachZ + BlockShape<blockEdge>::farthestZ;
constexpr std::int64_t haloOfPasses = 2 * haloOfPass + blockEdge - 1;

/** Both passes over the planes of a slab.
 * \param noisy the slab, halo included
 * \param planes of the whole volume
 * \param depth of blocks
 * \param output the planes that the slab keeps
 * \throws Error, OutOfMemoryError, Aborted */
void
RunBlockPasses(Context &          context,
               const NoisyImage & noisy,
               const SlabRange &  slab,
               int                planes,
               int                depth,
               bool               isRician,
               float *            output);

} // namespace cudaneuro

#endif
