// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_Outliers_h
#define cudaneuro_images_Outliers_h

#include "images/ImagePreparation.h"

/** Voxels whose intensities are far beyond nearly all others, such as spikes and codes, which would decide the range of
 * histograms, means and forces. */
namespace cudaneuro
{

/** Gives outliers, the valid voxels beyond the limits, an intensity like that of others. Groups of outliers that touch by faces,
 * edges or corners, of at most SmallGroup(), are replaced by the mean of their neighbors that are no outliers. Larger groups
 * may be a small object: they get the limit beyond which they are.
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
