// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_ReferenceIntensity_h
#define cudaneuro_denoising_ReferenceIntensity_h

#include "cudaneuroContext.h"

namespace cudaneuro
{

/** An intensity that filters subtract from the others before they compute: float keeps more digits of differences from
 * it than of intensities that are far from 0. The same on the CPU and on CUDA devices.
 *
 * Of the voxels on a lattice (8 points an axis), those count that are finite and inside the mask. Let q be their
 * magnitude |V| that a sixteenth of them is below. The reference is the median of those with |V| <= 2 q. So up to 15 of
 * 16 voxels may hold a code such as 1e20 for "no data", and yet the reference is of the size of the others: for
 * |V| >= q, the subtraction is wrong by at most three times what float resolves at V.
 *
 * Where fewer than 32 voxels count, as with a small mask, the lattice is refined, up to 128 points an axis. 0 where no
 * voxel counts.
 * \param mask may be absent
 * \throws Error */
float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace cudaneuro

#endif
