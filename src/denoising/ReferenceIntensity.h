// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_ReferenceIntensity_h
#define cudaneuro_denoising_ReferenceIntensity_h

#include "cudaneuroContext.h"

namespace cudaneuro
{
namespace gpu
{

/** A typical intensity: the median of a few hundred voxels on a lattice over those that take part, or 0. Sums of
 * differences from it keep more digits than sums of intensities where these are far from 0.
 * \throws Error */
float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace gpu
} // namespace cudaneuro

#endif
