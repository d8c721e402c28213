// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NoiseEstimate_h
#define cudaneuro_NoiseEstimate_h

#include "cudaneuro/Context.h"

namespace cudaneuro
{

/** Estimates the standard deviation of the noise, in intensity units, from the cubes of 2^n voxels at every place, with
 * n the number of axes longer than 1. A cube has one difference that alternates along all axes, c, and others. Smooth
 * image regions, and edges along an axis, vanish in c:
 *
 *   sigma = 1.4826 median |c_i|,   c_i = 2^(-n/2) sum of the voxels of cube i with alternating signs,
 *
 * the median absolute coefficient of the finest level of a Haar transform (Donoho and Johnstone 1994; Coupé et al.
 * 2010), over the cubes whose voxels are included and not all the same, and whose mean is above the mean of all
 * included voxels. Edges across all axes remain, so the median is taken twice: the second time over the cubes whose
 * other differences have a sum of at most 4.8 sigma (1.5 in planes), which are half of the cubes of pure noise. Where
 * noise is normal, the mean, c and the other differences of a cube are independent, so that no selection changes the
 * variance of c. sigma = 0 where there is no such cube.
 *
 * A voxel is included if it is finite, inside the mask, and not far beyond the ordinary ones: codes for "no data" and
 * single huge voxels are excluded like NaN. So is the largest ordinary value, if an eighth of the voxels have it: it is
 * a constant bright background, or saturation. A sample of 8 voxels along each axis decides what is ordinary (a denser
 * one where fewer than 32 of these are inside the mask). In the order of magnitude, codes and errors begin where a
 * value is more than 16 times as large as the one before and at most 4 different values, or a sixteenth of the sample,
 * follow; up to a factor of 256 only if they are not those of an object, most of whose voxels have bright neighbors of
 * other values. Voxels outside the sample are included up to 256 times the largest ordinary magnitude, and below the
 * codes. The CPU and CUDA devices use the same sample.
 *
 * \p mask may be absent; it is of type UnsignedChar.
 * \throws Error, Aborted */
CudaNeuro_EXPORT double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace cudaneuro

#endif
