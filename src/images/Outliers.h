// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_Outliers_h
#define cudaneuro_images_Outliers_h

#include "images/ImagePreparation.h"

/** Voxels whose intensities are far beyond nearly all others, such as spikes and codes, which would decide the range of
 * histograms, means and forces. */
namespace cudaneuro
{

/** The most voxels of a group of outliers that may be spikes rather than an object: a cube of 3 voxels, in 2D a
 * square. */
inline std::size_t
SmallGroup(const Grid & grid)
{
  return grid.size[2] > 1 ? 27 : 9;
}

/** Limits beyond which few intensities lie, far from all others: the quantiles of 0.15 % and 99.85 %, which a normal
 * distribution has 3 standard deviations from its mean, each moved outward by the distance between them. There are no
 * limits where the quantiles are equal.
 *
 * Looks at the voxels on a lattice of up to 32 points an axis, or of up to 128 where fewer than 4,096 take part. Where
 * 0.15 % of them are fewer than a small group has (SmallGroup()), as many as it has stand for them, but at most a
 * twentieth: so that a group does not move the limits of a small image.
 * \param mask may be absent
 * \throws Error */
IntensityLimits
FindIntensityLimits(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Gives outliers, the valid voxels beyond the limits, an intensity like that of others. Groups of outliers that touch
 * by faces, edges or corners, of at most SmallGroup(), are replaced by the mean of their neighbors that are no
 * outliers. Larger groups may be a small object: they get the limit beyond which they are.
 * \param valid in memory of the context's device; null where all voxels are valid. Voxels that are not valid may be
 * overwritten.
 * \param beyond given to groups that have no such neighbors
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
