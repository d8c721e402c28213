// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockPasses_h
#define cudaneuro_denoising_adaptive_BlockPasses_h

#include "cudaneuro/Context.h"
#include "denoising/adaptive/VoxelSteps.h"
#include "jobs/SlabRange.h"

namespace cudaneuro
{

/** The planes on either side on which one plane of a result depends, for one pass and for both passes. The latter
 * include the reach of FillGap. */
constexpr std::int64_t haloOfPass = BlockShape<blockEdge>::reachZ + BlockShape<blockEdge>::farthestZ;
constexpr std::int64_t haloOfPasses = 2 * haloOfPass + blockEdge - 1;

/** Runs both passes over the planes of a slab.
 * \param noisy the slab, halo included
 * \param planes number of planes of the whole volume
 * \param depth voxels of a block along z
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
