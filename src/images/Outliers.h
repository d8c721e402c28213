// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_Outliers_h
#define cudaneuro_images_Outliers_h

#include "images/ImagePreparation.h"

/** Detection and repair of voxels with intensities far from nearly all others, such as spikes and codes, which would
 * otherwise determine the range of histograms, means and forces. */
namespace cudaneuro
{

/** Returns the maximum size of a group of outliers that may be a spike instead of an object: a cube of 3 voxels, in 2D
 * a square. */
inline std::size_t
SmallGroup(const Grid & grid)
{
  return grid.size[2] > 1 ? 27 : 9;
}

/** Returns limits beyond which few intensities lie, far from all others: the quantiles of 0.15 % and 99.85 %, which are
 * 3 standard deviations from the mean of a normal distribution, each moved outward by their distance. There are no
 * limits if the quantiles are equal.
 *
 * The sample is a lattice of up to 32 points per axis, or of up to 128 if fewer than 4,096 of the voxels are finite and
 * inside the mask. If 0.15 % of the sample are fewer than SmallGroup() voxels, the quantiles are chosen so that this
 * number is beyond them, but at most a twentieth: so a group does not move the limits of a small image.
 * \param mask may be absent
 * \throws Error */
IntensityLimits
FindIntensityLimits(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Replaces outliers, the valid voxels beyond the limits, by ordinary intensities. Groups of outliers that touch by
 * faces, edges or corners, of at most SmallGroup() voxels, get the mean of their neighbors that are not outliers.
 * Larger groups may be a small object: they get the limit that they exceed.
 * \param valid in memory of the context's device; null if all voxels are valid. Voxels that are not valid may be
 * overwritten.
 * \param beyond intensity for groups without such neighbors
 * \param image in memory of the context's device
 * \returns the number of outliers */
std::int64_t
RepairOutliers(Context &               context,
               const Grid &            grid,
               const unsigned char *   valid,
               const IntensityLimits & limits,
               float                   beyond,
               float *                 image);

} // namespace cudaneuro

#endif
