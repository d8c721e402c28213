// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NoiseEstimate_h
#define cudaneuro_NoiseEstimate_h

#include "cudaneuro/Context.h"

namespace cudaneuro
{

/** Standard deviation of the noise, in intensity units: the median absolute pseudo-residual (Gasser et al. 1986; Coupé
 * et al. 2008) of the bright voxels,
 *
 *   sigma = 1.4826 median |r_i|,   r_i = sqrt(2n / (2n + 1)) (V_i - mean of the 2n axis neighbors of i),
 *
 * with n the number of axes longer than 1, over the voxels i whose 2n neighbors exist and take part, and whose mean
 * with their neighbors is above the mean of all that take part. Where noise is normal, that mean is independent of r_i.
 * sigma = 0 where there is no such voxel. On an axis of 2 voxels none has two neighbors: its two planes are added
 * first, and their sum divided by the root of 2, which keeps the noise.
 *
 * Voxels take part that are finite, inside the mask, and not far beyond the ordinary ones: codes for "no data" and
 * single huge voxels are left out as NaN is. A sample of 8 voxels along each axis decides what is ordinary (a denser
 * one where fewer than 32 of these are inside the mask). In the order of magnitude, codes and errors begin where a
 * value is more than 16 times as large as the one before and at most 4 different values, or a sixteenth of the sample,
 * follow; up to a factor of 256 only if they are not those of an object, most of whose voxels have bright neighbors of
 * other values. What is not in the sample takes part up to 256 times the largest ordinary magnitude, and below the
 * codes. The CPU and CUDA devices use the same sample.
 *
 * \p mask may be absent; it is of type UnsignedChar.
 * \throws Error, Aborted */
CudaNeuro_EXPORT double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

} // namespace cudaneuro

#endif
