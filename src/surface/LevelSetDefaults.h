// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_LevelSetDefaults_h
#define cudaneuro_surface_LevelSetDefaults_h

#include "cudaneuro/Volume.h"

#include <vector>

/** Values that replace parameters of 0. */
namespace cudaneuro
{

/** The geometric mean of the spacing. */
double
MeanSpacing(const Grid & grid);

/** c1, in mm^2. */
double
DefaultSpatialScale(const Grid & grid);

/** c2, in mm^2.
 * \param squaredDistances those of each voxel's patch to the most similar one; reordered */
double
DefaultSimilarityScale(const Grid & grid, int patchSize, std::vector<float> & squaredDistances);

} // namespace cudaneuro

#endif
